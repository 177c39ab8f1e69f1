/** The one form in which messages are read as orders to the bot. */
import { type Characters, foldedCharacters } from './fold.ts'
import { LANGUAGES } from './language.ts'

/** Stands for what is in quotes or code. A character of private use, which no pattern looks for. */
export const LEFT_OUT = '\uE011'

/** A message to the bot, or a part of one. */
export interface OrderText {
  /** Folded: NFKC, lower case, straight apostrophes, single spaces. What is in quotes or code is `LEFT_OUT`. */
  readonly text: string
  /** As the person wrote it. */
  readonly original: string
  /** A part, by places in `text`. */
  slice(from: number, to?: number): OrderText
  /** Without polite words at both ends. */
  readonly polite: OrderText
}

const SLIPS = LANGUAGES.flatMap(({ slips }) => slips ?? [])

/** @param names names of the bot */
export function orderText(given: string, names: readonly string[]): OrderText {
  return withoutCall(part(given, foldedCharacters(given, LEFT_OUT, SLIPS)), names)
}

function part(given: string, { text, from, to }: Characters, [begin, end] = [0, text.length]): OrderText {
  while (begin < end && text[begin] === ' ') begin++
  while (end > begin && text[end - 1] === ' ') end--
  const own = text.slice(begin, end)
  return {
    text: own,
    original: begin < end ? given.slice(from[begin], to[end - 1]) : '',
    slice: (first, last = own.length) => part(given, { text, from, to }, [begin + first, begin + Math.min(last, own.length)]),
    get polite() {
      return withoutPoliteness(this)
    },
  }
}

/** The words alone: without punctuation, emoji and apostrophes, and without spaces in texts without Latin letters. */
export function plainWords(text: string): string {
  const plain = text
    .replace(/:[\w+-]+:/g, ' ')
    .replace(/'/g, '')
    .replace(/[\p{P}\p{S}\p{M}\p{C}\s]+/gu, ' ')
    .trim()
  return /[a-z]/.test(plain) ? plain : plain.replace(/(?<!\d) | (?!\d)/g, '')
}

// ---------------------------------------------------------------- the call

/** Sources of patterns of all languages. */
const every = (key: 'greetings' | 'honorifics' | 'beforeCall' | 'before' | 'after') =>
  LANGUAGES.map(language => language[key]).join('|')

const GREETING = `(?:(?:${every('greetings')})(?:[\\s,.!、。・~〜ー]+|$)|(?:${LANGUAGES.flatMap(({ unspacedGreetings }) => unspacedGreetings ?? []).join('|')})[\\s,、]*){0,3}`
const HONORIFIC = `(?:-?(?:${every('honorifics')}))?`

/** How often a text can repeat the name at an end. */
const MOST_CALLS = 10

/** Characters at the end of a text in which the name and polite words are looked for. */
const END = 120

/** The end of what was said before a call. */
const PAUSE = String.raw`[.,!?…。、:;~〜)）\p{Extended_Pictographic}]\s?`

interface Call {
  readonly first: RegExp
  readonly last: RegExp
  /** After a pause, or as a mention after a word such as "omg". Global. */
  readonly inside: RegExp
}

const calls = new Map<string, Call>()

/** Limit of patterns in memory. */
const NAMES = 100

/** The name of the bot at the beginning, at the end and inside of a folded text. */
function callOf(name: string): Call {
  const known = calls.get(name)
  if (known) return known
  const called = `@?${RegExp.escape(name)}${HONORIFIC}`
  const ended = /\w$/.test(name) ? "(?![\\w'])" : ''
  const begun = /^\w/.test(name) ? '(?<!\\w)' : ''
  const made = {
    first: new RegExp(`^${GREETING}${called}${ended}[ー~〜]*[\\s,.:;!、。・]*`, 'u'),
    last: new RegExp(`(?<=[\\s,、。.!?~〜])${begun}${called}${ended}[\\s.!?。~〜ー]*$`, 'u'),
    inside: new RegExp(
      `(?<=${PAUSE})${begun}${called}${ended}[ー~〜]*[,.:;!、。・]\\s*|(?<=(?:${PAUSE}|(?:${every('beforeCall')})\\s?))@${called.slice(2)}${ended}[\\s,、。・]+`,
      'gu',
    ),
  }
  if (calls.size >= NAMES) calls.clear()
  calls.set(name, made)
  return made
}

/** The signs of mentions, and a list of pauses before them. */
const MENTION = /^(?:<[@#:a][^<>\s]{0,100}>[\s,:、]*)+|(?:[\s,、]*<[@#:a][^<>\s]{0,100}>)+$/gu

function withoutCall(given: OrderText, names: readonly string[]): OrderText {
  const known = names
    .map(name => foldedCharacters(name.trim(), LEFT_OUT).text)
    .filter(name => name !== '')
    .toSorted((one, other) => other.length - one.length)
  let said = given
  for (let round = 0, before = ''; before !== said.text && round < MOST_CALLS; round++) {
    before = said.text
    for (const { first, last } of [{ first: MENTION, last: MENTION }, ...known.map(callOf)]) said = cut(said, first, last)
  }
  return known.map(name => afterCall(said, callOf(name))).find(one => one !== said) ?? said
}

/**
 * What is said to the bot after a call inside the text: "so tired, @kiki wake me at 8". The whole text, if the call is reported, or what
 * follows means what was said before.
 */
function afterCall(said: OrderText, { inside }: Call): OrderText {
  for (const { 0: call, index } of [...said.text.matchAll(inside)].reverse()) {
    const rest = said.slice(index + call.length)
    const words = cut(rest, FIRST, LAST).text
    const before = said.text.slice(0, index)
    if (words !== '' && !LANGUAGES.some(({ reports, refersBack }) => reports.test(before) || refersBack.test(words))) return rest
  }
  return said
}

/** Without what the patterns find at both ends. */
function cut(said: OrderText, first: RegExp, last: RegExp): OrderText {
  const lead = said.text.slice(0, END)
  const begun = said.slice(lead.length - lead.replace(first, '').length)
  const tail = begun.text.slice(-END)
  return begun.slice(0, begun.text.length - (tail.length - tail.replace(last, '').length))
}

// ---------------------------------------------------------------- polite words

const SIGNS = String.raw`[\s,.!?、。:;~〜♪☆…\p{Extended_Pictographic}\u200d\ufe0f]`
const FIRST = new RegExp(`^(?:${SIGNS}*(?:${every('before')})(?:(?<![a-z])|(?![a-z\\d']))${SIGNS}*){1,6}`, 'u')
const LAST = new RegExp(`(?:${SIGNS}*(?:${every('after')})){0,6}${SIGNS}*$`, 'u')

function withoutPoliteness(said: OrderText): OrderText {
  const begun = cut(said, FIRST, LAST)
  return begun.text === '' ? said : begun
}
