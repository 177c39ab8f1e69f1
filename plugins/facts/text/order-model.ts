/**
 * A linear model that tells an order to a bot from a statement, by the pieces of its words. Its weights come from
 * `npm run bench:orders -- --write`, which trains it on sentences of a grammar in English and Japanese.
 */
import { readFileSync } from 'node:fs'
import { BUCKETS, numberOf, readModel } from '@kikimimi/speech-acts/linear'
import { shapeOf } from './order-shape.ts'

/** Weights as signed bytes, by the number of the feature; the last one is the constant. */
export interface OrderModel {
  readonly scale: number
  readonly weights: Int8Array
}

/** A link or a mail address. */
const LINK = /(?:https?:\/\/|www\.)\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[a-z]{2,}/g
/** Scripts without spaces between words. */
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u
/** How much the shape counts beside the words. */
const SHAPE = 1
const LONGEST_WORD_PIECE = 5
const LONGEST_CJK_PIECE = 4

/** Characters of a sentence that the model reads. */
const READ = 1_000

/** The text as the model reads it: lower case, without punctuation at its ends, with one sign for links and for digits. */
function plain(text: string): string {
  return text
    .slice(0, READ)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(LINK, ' ⌁ ')
    .replace(/\d+/g, '0')
    .replace(/(?<![\s。.!！])[\s。.!！]+$/u, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The numbers of what a text has. */
export interface Features {
  /** Words, pairs of words, and pieces of words and of text without spaces. */
  readonly words: readonly number[]
  /** Its shape, and pairs of it. */
  readonly shape: readonly number[]
}

export function featuresOf(text: string): Features {
  const found = new Set<number>()
  const add = (feature: string) => found.add(numberOf(feature))
  const clean = plain(text)
  const words = clean.match(/[\p{L}\p{M}\p{N}'⌁]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []
  const latin = words.filter(word => !CJK.test(word))
  for (const [at, word] of latin.entries()) {
    const [before, twoBefore] = [latin[at - 1] ?? '^', latin[at - 2] ?? '^']
    add(`w ${word}`)
    add(`p ${before} ${word}`)
    add(`s ${twoBefore} _ ${word}`)
    add(`t ${twoBefore} ${before} ${word}`)
    for (let size = 3; size <= LONGEST_WORD_PIECE; size++)
      for (let from = 0; from + size <= word.length + 2; from++) add(`c ${`<${word}>`.slice(from, from + size)}`)
  }
  if (CJK.test(clean)) {
    const letters = [...`^${clean.replaceAll(' ', '')}$`]
    for (let size = 1; size <= LONGEST_CJK_PIECE; size++)
      for (let from = 0; from + size <= letters.length; from++) add(`j ${letters.slice(from, from + size).join('')}`)
  }
  const shape = shapeOf(clean, CJK.test(clean))
  const pairs = shape.flatMap((one, at) => shape.slice(at + 1).map(other => `x ${one} & ${other}`))
  return { words: [...found], shape: [...shape.map(one => `x ${one}`), ...pairs].map(numberOf) }
}

/** What each feature counts. */
export function valuesOf({ words, shape }: Features): readonly (readonly [feature: number, value: number])[] {
  const word = 1 / Math.sqrt(Math.max(1, words.length))
  const part = SHAPE / Math.sqrt(Math.max(1, shape.length))
  return [...words.map(one => [one, word] as const), ...shape.map(one => [one, part] as const)]
}

/** Above 0: rather an order than a statement. */
export function scoreWith({ scale, weights }: OrderModel, text: string): number {
  const sum = valuesOf(featuresOf(text)).reduce((total, [feature, value]) => total + value * (weights[feature] ?? 0), 0)
  return (sum + (weights[BUCKETS] ?? 0)) * scale
}

/** The shapes of a sentence that tells somebody to do something. */
const TELLS =
  /^(?:(?!ja (?:topic|plain|past|said|human|i|quoted|head)$)ja .*|bot.*|you.*|modal|always|from now|permitted|condition|output|inside|link|request.*|wish|authority)$/
const STATES =
  /^(?:(?:the|my|our|his|her|their|\S+'s) .*\b(?:is|are|was|were)\b|\S+'s (?:an?|the|not|my|our) |[^、。]{1,14}は[^、。]{1,14}$)/

/** "The password is tulip" only states. The model knows few such sentences, and takes some of them for orders. */
export function isPlainStatement(text: string): boolean {
  // 「合言葉」 and 「秘密の隠し味」 name a thing, and no answer of the bot.
  const clean = plain(text).replace(/合言葉|秘密の/g, '鍵')
  return STATES.test(clean) && !shapeOf(clean, CJK.test(clean)).some(shape => TELLS.test(shape))
}

let loaded: OrderModel | undefined

/** See {@link scoreWith}, with the trained weights. */
export function orderScore(text: string): number {
  loaded ??= readModel(['order'], readFileSync(new URL('./order-weights.txt', import.meta.url), 'utf8'))
  return scoreWith(loaded, text)
}
