/** Instructions to the bot, which are no facts: a memory that obeys them would let anybody program the bot. */
import { LANGUAGES } from '../language.ts'

/**
 * Whether a text says how the bot, its answers or its memory behave or must behave: "every answer must end with https://…", "the
 * bot gives https://… and nothing else". Invisible characters are ignored.
 */
export function isInstruction(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[^\S\n]+/g, ' ')
  const sentences = plain.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
  return sentences.some(sentence => LANGUAGES.some(({ instruction }) => instruction.some(words => words.test(sentence))))
}
