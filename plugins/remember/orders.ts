/** Recognises orders about the memory. The whole message must be the order. */
import { probabilityOf, speechActOf } from '@kikimimi/speech-acts'
import { contentToRemember, topicToForget } from './contents.ts'
import { LANGUAGES, type Language } from './language.ts'

export type Order =
  /** `content`: the text to remember. Absent: the message that the order replies to, or the one before it. */
  | { readonly kind: 'remember'; readonly content?: string }
  /** `topic`: the topic to forget. Absent: the message that the order replies to, or the author's message before it. */
  | { readonly kind: 'forget'; readonly topic?: string }
  | { readonly kind: 'forget-me' | 'know' | 'opt-out' | 'opt-in' }

/** Orders with one pattern per language. */
type Spoken = { [K in keyof Language]-?: Language[K] extends RegExp ? K : never }[keyof Language]

/** Chosen entries: their numbers from 1, or none. */
export type Choice = 'all' | 'none' | readonly number[]

/** Maximum length of an order without a content. A longer text says more. */
const LONGEST = 120

/** Characters at each end of a long text that are read: the patterns take a time that grows with the square of the length. */
const ENDS = 250

/** Stands for the text between the ends. A character of private use, which no pattern looks for. */
const MIDDLE = '\uE010'

/** @param names names of the bot */
export function readOrder(text: string, names: readonly string[]): Order | undefined {
  if (text.length <= 2 * ENDS) return orderIn(text, names)
  if (QUOTES.test(text)) return undefined
  const middle = text.slice(ENDS, -ENDS)
  const [start, end] = [text.slice(0, ENDS), text.slice(-ENDS)].map(part => part.replaceAll(MIDDLE, ''))
  const order = orderIn(`${start}${MIDDLE}${end}`, names)
  const object = order?.kind === 'remember' ? order.content : order?.kind === 'forget' ? order.topic : undefined
  if (order === undefined || !object?.includes(MIDDLE)) return order
  // A content with a question needs an answer instead.
  if (QUESTION.test(middle)) return undefined
  const whole = object.replace(MIDDLE, () => middle)
  return order.kind === 'remember' ? { kind: 'remember', content: whole } : { kind: 'forget', topic: whole }
}

const QUESTION = /[?](?:\s|$)|？/mu

function orderIn(text: string, names: readonly string[]): Order | undefined {
  const said = withoutCall(text, names)
  // A quote reports what another person said.
  if (QUOTES.test(text) || QUOTES.test(said)) return undefined
  const words = text.length <= LONGEST ? plainWords(said) : ''
  const says = (order: Spoken) => words !== '' && LANGUAGES.some(language => language[order].test(words))
  if (says('asksWhatIsKnown')) return { kind: 'know' }
  const asks = /[?？]$/u.test(said) && !LANGUAGES.some(({ request }) => request.test(said))
  if (!asks) {
    if (says('forgetMe')) return isJoke(said) ? undefined : { kind: 'forget-me' }
    if (says('optsOut')) return isJoke(said) ? undefined : { kind: 'opt-out' }
    if (says('optsIn')) return { kind: 'opt-in' }
    if (says('rememberThat')) return { kind: 'remember' }
    if (says('forgetThat')) return { kind: 'forget' }
  }
  const content = contentToRemember(said)
  if (content !== undefined) return { kind: 'remember', content }
  const topic = topicToForget(said)
  if (topic === undefined) return undefined
  return LANGUAGES.some(({ previous }) => previous?.test(topic)) ? { kind: 'forget' } : { kind: 'forget', topic }
}

const QUOTES = /^[^\S\n\r\u2028\u2029]*(?:[>＞]|```|["“”'‘「『])/mu

function isJoke(said: string): boolean {
  return /😂|🤣|😜/u.test(said) || LANGUAGES.some(({ jokes }) => jokes.test(said))
}

/** Reads the choice from a numbered list. Undefined if the text is about something else. */
export function readChoice(text: string, names: readonly string[], count: number): Choice | undefined {
  if (text.length > LONGEST) return undefined
  const words = plainWords(withoutCall(text, names))
  if (ALL.test(words) || (count === 1 && YES.test(words))) return 'all'
  if (NONE.test(words)) return 'none'
  if (!NUMBERS.test(words)) return declines(text, names) ? 'none' : undefined
  const numbers = [...new Set(Array.from(words.matchAll(/\d+/g), ([digits]) => Number(digits)))]
  return numbers.every(number => number >= 1 && number <= count) ? numbers : undefined
}

/** Minimum probability that an answer declines the choice. */
const SURE = 0.95

function declines(text: string, names: readonly string[]): boolean {
  const act = speechActOf(withoutCall(text, names), { names, before: { text: '?', by: 'bot' } })
  return probabilityOf(act, ['retraction']) >= SURE
}

/** Sources of patterns, from every language that has one. */
const every = (key: keyof Language['choice']) => LANGUAGES.flatMap(({ choice }) => choice[key] ?? []).join('|')

const AFTER = `(?: ?(?:${every('after')})){0,4}`
const ALL = new RegExp(`^(?:${every('all')})${AFTER}$`, 'u')
const NONE = new RegExp(`^(?:${every('none')})${AFTER}$`, 'u')
const YES = new RegExp(`^(?:${every('yes')})${AFTER}$`, 'u')
const NUMBERS = new RegExp(
  `^(?:${every('lead')})*(?:(?:${every('lead')})?\\d{1,2}(?:${every('ordinal')})?(?: ?(?:${every('and')}) ?| )?){1,10}${AFTER}$`,
  'u',
)

const GREETINGS = LANGUAGES.map(({ greetings }) => greetings).join('|')
const HONORIFICS = LANGUAGES.flatMap(({ honorifics }) => honorifics ?? []).join('|')

/** How often a text can repeat the name at an end. */
const MOST_CALLS = 10

/** The text without the bot's name or mention at both ends. */
export function withoutCall(text: string, names: readonly string[]): string {
  let said = text.replace(/<[@#:a][^<>\s]*>/g, ' ').trim()
  const known = names.filter(name => name.trim() !== '').sort((one, other) => other.length - one.length)
  const calls = known.map(callOf)
  for (let again = true, round = 0; again && round < MOST_CALLS; round++) {
    again = false
    for (const { first, last } of calls) {
      const begun = said.replace(first, '')
      const rest = (begun.slice(0, -CALL_END) + begun.slice(-CALL_END).replace(last, '$1')).trim()
      again ||= rest !== said
      said = rest
    }
  }
  return said
}

/** Characters at the end of a text in which the name is looked for. */
const CALL_END = 2_000

/** A name of the bot at the beginning and at the end of a text. */
function callOf(name: string): { readonly first: RegExp; readonly last: RegExp } {
  const called = `@?${escaped(name)}(?:-?(?:${HONORIFICS}))?`
  const ended = /\w$/.test(name) ? '(?!\\w)' : ''
  const begun = /^\w/.test(name) ? '(?<!\\w)' : ''
  return {
    first: new RegExp(`^(?:(?:${GREETINGS})[\\s,、]*)?${called}${ended}[ー~〜]*[\\s,.:;!、。，：！]*`, 'iu'),
    last: new RegExp(`(?<![\\s,、。，])[\\s,、。，]*${begun}${called}${ended}([\\s.!?。！？〜~ー]*)$`, 'iu'),
  }
}

function escaped(name: string): string {
  return name.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
 * The words alone: lower case, folded width, without punctuation and emoji, and without spaces in texts without Latin
 * letters.
 */
function plainWords(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:[\w+-]+:/g, ' ')
    .replace(/['’]/g, '')
    .replace(/[\p{P}\p{S}\p{M}\p{C}\s]+/gu, ' ')
    .trim()
  return /[a-z]/.test(plain) ? plain : plain.replace(/(?<!\d) | (?!\d)/g, '')
}
