/** Instructions to the bot, which are no facts: a memory that obeys them would let anybody program the bot. */
import { nameMatcher } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { isPlainStatement, orderScore } from './order-model.ts'

/** The name of the bot in the rules and in the model. */
const BOT = 'kiki'

/** Too short for the model: two words, or four letters of a script without spaces. */
function isShort(sentence: string): boolean {
  if ((sentence.match(/\p{L}/gu)?.length ?? 0) <= 4) return true
  const words = (sentence.match(LATIN) ?? []).filter(word => /\p{L}/u.test(word))
  return words.length <= 2 && !/\p{L}/u.test(sentence.replace(LATIN, ' '))
}

const LATIN = /[\p{sc=Latin}\d'’]+/gu

/**
 * Whether a text says how the bot, its answers or its memory behave or must behave: "every answer must end with https://…", "the
 * bot gives https://… and nothing else". Names of the bot count as "the bot". Invisible characters are ignored.
 *
 * The rules of each language decide, and a model of English and Japanese orders (`order-model.ts`). The model takes some small talk
 * for orders, so it is for what is to be kept, and not for whole messages of a talk.
 *
 * @param names of the bot
 */
export function isInstruction(text: string, names: readonly string[] = []): boolean {
  return sentencesOf(text, names).some(sentence => followsRule(sentence) || isOrder(sentence.slice(0, READ)))
}

/** Characters of a sentence for the model, which reads half of them: letters with a sign between them count once. */
const READ = 2_000

function isOrder(sentence: string): boolean {
  return isReadable(sentence) && formsOf(sentence).some(form => !isPlainStatement(form) && orderScore(form) > CERTAIN)
}

/** The same by the rules alone, for words of a talk. */
export function hasInstruction(text: string, names: readonly string[] = []): boolean {
  return sentencesOf(text, names).some(followsRule)
}

/**
 * Log odds above which the model decides. A higher bound loses fewer facts of kinds that the model has not seen, and keeps a few more
 * orders: a lost fact is worse than an order that a prompt shows as the words of a person.
 */
const CERTAIN = 1

/** The model has not seen Korean. */
function isReadable(sentence: string): boolean {
  return !isShort(sentence) && !/\p{sc=Hangul}/u.test(sentence)
}

function followsRule(sentence: string): boolean {
  return LANGUAGES.some(({ letter, instruction }) => letter.test(sentence) && instruction.some(words => words.test(sentence)))
}

function sentencesOf(text: string, names: readonly string[]): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/^ ?@\S+ /gm, '')
  const sentences = nameMatcher([...names, ...names.map(name => name.toLowerCase())])
    .replace(plain, BOT)
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
  // A long text repeats its sentences.
  return [...new Set(sentences)].filter(sentence => /[\p{L}\p{N}]/u.test(sentence))
}

/** Digits and signs that stand for letters. */
const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
/** A word with digits inside: `n3v3r`. */
const DIGITS_INSIDE = /\b[a-z]+[013457@$][a-z\d@$]*?\b/gi
/** Single letters with a space or a sign between them: `i-g-n-o-r-e`. */
const APART = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][ ._*-]){3,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu

/** The sentence, and the sentence without the disguise of its letters. */
function formsOf(sentence: string): readonly string[] {
  const joined = sentence.replace(APART, letters => letters.replace(/[ ._*-]/g, ''))
  const isDisguised = (sentence.match(DIGITS_INSIDE)?.length ?? 0) > 1
  const spelled = isDisguised ? sentence.replace(/[013457@$]/g, sign => LETTERS[sign] ?? sign) : sentence
  return [...new Set([sentence, joined, spelled])]
}
