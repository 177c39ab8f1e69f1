/** Instructions to the bot, which are no facts: a memory that obeys them would let anybody program the bot. */
import { LANGUAGES } from '../language.ts'

/** Whether a text tells the bot how to behave: "every answer must end with https://…". */
export function isInstruction(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ')
  return LANGUAGES.some(({ instruction }) => instruction.test(plain))
}
