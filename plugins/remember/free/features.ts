/** The features of a message that may be an order about the memory. */
import { LEFT_OUT, type OrderText } from '@kikimimi/orders'
import { CJK, type Features, pieces, spaced, tokens } from '@kikimimi/speech-acts/linear'
import { LANGUAGES } from '../language.ts'

/** What the bot knows when it reads the message. */
export interface Around {
  /** The name of the author. */
  readonly author?: string
  /** What the memory has of the author. */
  readonly remembered?: readonly string[]
  /** What the author has said just before. */
  readonly said?: readonly string[]
}

/** A word of what is remembered, a word of what was said just before, the name of the author, a quotation. */
export const KNOWN = '⍉'
export const SAID = '⍈'
const SELF = '⌾'
const QUOTE = '“'

/** Maximum length of an order in free words, in characters. A longer text says more. */
export const LONGEST = 300
/** Characters of what is known that are compared with the message. */
const COMPARED = 4_000
/** Length of a word without spaces that is no accident. */
const RUN = 4
const PIECE = 4
/** What stands after a noun. */
const AFTER_WORD = /^(?:の|を|は|って|について|に関)/

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u
/** Words of the orders themselves, and words that every sentence has. */
const COMMON =
  /^(?:the|and|for|are|not|you|yours?|all|any|can|had|was|one|our|out|has|him|his|her|how|its|who|did|get|got|let|put|say|she|too|use|that|this|with|have|from|they|will|would|there|their|what|about|which|when|make|like|just|know|take|into|than|then|them|these|some|could|want\w*|need\w*|other|been|more|very|much|here|\w+nt|you(?:re|ve|d)|they(?:re|ve)|we(?:re|ve)|i(?:ve|ll|m|d)|thats|whats|please|pls|thanks?|remember\w*|forg[eo]t\w*|ke(?:ep|pt)\w*|saved?|stored?|record\w*|noted?|delete\w*|erase\w*|remove\w*|listen\w*|hear\w*|tell|told|says?|said|memor\w*|really|think|going|gonna|still|again|only|also|now|yes|yeah|ok(?:ay)?|lol|today|tomorrow|yesterday|days?|weeks?|time|things?|stuff|were|over|off|old|new|back|down|never|always|ever|every\w*|anyth\w*|anyone|nothing|someth\w*|someone|people|should|shall|may|might|must|mine|my\w+|because|after|before|since|until|while|where|why|does)$/
const ORDER_WORDS = /[覚忘記消録憶聞]/u

/** The text as the model reads it: one sign for numbers, quotations, and each word that is known. */
export function normalized({ text }: OrderText, { author = '', remembered = [], said = [] }: Around = {}): string {
  const self = author.normalize('NFKC').toLowerCase()
  const own = self.length < 2 ? text : text.replaceAll(self, SELF)
  const plain = [[remembered, KNOWN] as const, [said, SAID] as const].reduce(
    (marked, [texts, sign]) =>
      withMarks(marked, folded(texts.join('\n').slice(0, COMPARED).normalize('NFKC').toLowerCase()), sign),
    folded(own),
  )
  return plain.replace(new RegExp(`([${KNOWN}${SAID}])(?: ?\\1)+`, 'g'), '$1')
}

function folded(text: string): string {
  return text
    .replaceAll(LEFT_OUT, ` ${QUOTE} `)
    .replace(/[’‘`]/g, "'")
    .replace(/(\p{L})'(?=\p{L})/gu, '$1')
    .replace(/\d+(?:[.,:]\d+)*/g, '0')
    .replace(/[〜~]+/g, 'ー')
    .replace(/([ー!?.,、。…w])\1+/g, '$1')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Marks the words of the text that the source has too. */
function withMarks(text: string, source: string, sign: string): string {
  if (source === '') return text
  const words = new Set((source.match(/[\p{sc=Latin}\p{M}\p{N}]{3,}/gu) ?? []).filter(word => !COMMON.test(word)))
  const spacedOut = text.replace(/[\p{sc=Latin}\p{N}]{3,}/gu, word => (words.has(word) ? sign : word))
  if (!UNSPACED.test(source)) return spacedOut
  const pairs = new Set(Array.from(source.slice(1), (letter, at) => source[at] + letter))
  let marked = ''
  for (let at = 0; at < spacedOut.length; ) {
    let end = at + 1
    while (
      UNSPACED.test(spacedOut[end - 1] ?? '') &&
      UNSPACED.test(spacedOut[end] ?? '') &&
      pairs.has(`${spacedOut[end - 1]}${spacedOut[end]}`)
    )
      end++
    const run = spacedOut.slice(at, end)
    const isWord = source.includes(run) && isWordOf(run, spacedOut[at - 1] ?? '', spacedOut.slice(end, end + 4))
    marked += isWord ? sign : run.slice(0, isWord ? 0 : 1)
    at = isWord ? end : at + 1
  }
  return marked
}

/** Whether a run of letters without spaces is rather a word than an accident. */
function isWordOf(run: string, before: string, after: string): boolean {
  if (ORDER_WORDS.test(run)) return false
  if (run.length >= RUN || (run.length >= 2 && /\p{sc=Han}|\p{sc=Katakana}/u.test(run))) return true
  if (run.length === 1)
    return /(?![私俺僕今前話事分中])\p{sc=Han}/u.test(run) && !/\p{sc=Han}/u.test(before) && AFTER_WORD.test(after)
  return run.length === RUN - 1 && AFTER_WORD.test(after)
}

/** @param said see {@link normalized} */
export function featuresOf(said: string): Features {
  const words = new Set<string>()
  const isCjk = CJK.test(said)
  const all = tokens(said)
  if (isCjk) pieces(said, words)
  spaced(isCjk ? all.filter(token => !CJK.test(token)) : all, words)
  for (const { letter, row } of LANGUAGES) {
    if (!letter.test(said)) continue
    // The kinds of the words that the rules know, so that a rare word counts as its kind.
    const tags = `^${row(plainText(said), []).tags.replace(/x+/g, 'x')}$`
    for (let size = 1; size <= PIECE + 1; size++)
      for (let from = 0; from + size <= tags.length; from++) words.add(`T ${tags.slice(from, from + size)}`)
  }
  return { words: [...words], shape: shapeOf(said, all, isCjk) }
}

function plainText(text: string): OrderText {
  return { text, original: text, slice: (from, to) => plainText(text.slice(from, to)), polite: undefined as never }
}

function shapeOf(said: string, all: readonly string[], isCjk: boolean): readonly string[] {
  const count = isCjk ? Math.ceil(said.length / 3) : all.length
  const size = count <= 4 ? count : count <= 6 ? 5 : count <= 9 ? 6 : count <= 14 ? 7 : count <= 20 ? 8 : 9
  const ends = /\?[^\p{L}\p{N}]*$/u.test(said) ? 'q' : said.includes('?') ? 'm' : '.'
  const marks = [KNOWN, SAID].filter(sign => said.includes(sign)).join('')
  const script = isCjk ? 'j' : 'l'
  return [
    `size ${script} ${size}`,
    `ends ${script} ${ends}`,
    `marks ${marks}`,
    `marks ${marks} ${ends}`,
    ...(said.includes(QUOTE) ? ['quotes'] : []),
    ...(said.includes('0') ? ['digit'] : []),
  ]
}
