/** Recognises orders about the memory: as a whole message, or beside what they are about. */
import { type OrderText, orderText, plainWords } from '@kikimimi/orders'
import { probabilityOf, speechActOf } from '@kikimimi/speech-acts'
import { type Asked, LANGUAGES, type Language, type Span } from './language.ts'
import type { Row } from './tags.ts'

export type Order = (
  | /**
   * `content`: the text to remember. Absent: the message that the order replies to, or the one before it; `about`: what that must be about.
   */
  {
      readonly kind: 'remember'
      readonly content?: string
      readonly about?: string
    } /** `topic`: the topic to forget. Absent: the message that the order replies to, or the author's message before it. */
  | { readonly kind: 'forget'; readonly topic?: string }
  | { readonly kind: 'leave-out'; readonly means: Means }
  | { readonly kind: 'forget-me' | 'know' | 'opt-out' | 'opt-in' }
) & {
  /** The order does not explain the whole message: the bot asks before it carries it out. */
  readonly isUnsure?: true
}

/**
 * Which messages are left out: this one, the next ones, the ones before it, or all of these. `near`: this one and the ones just before it.
 * `over`: the messages from now on may be remembered again.
 */
export type Means = 'this' | 'near' | 'after' | 'before' | 'around' | 'over'

/** Chosen entries: their numbers from 1, or none. */
export type Choice = 'all' | 'none' | readonly number[]

/** Maximum length of an order without a content. A longer text says more. */
const LONGEST = 200

/** Several stages read the same message. */
const RECENT = 100
const recent = new Map<string, Order | undefined>()

/** @param names names of the bot */
export function readOrder(text: string, names: readonly string[]): Order | undefined {
  const key = JSON.stringify([text, names])
  if (recent.has(key)) return recent.get(key)
  const order = orderIn(text, names)
  const [oldest] = recent.size < RECENT ? [] : recent.keys()
  if (oldest !== undefined) recent.delete(oldest)
  recent.set(key, order)
  return order
}

function orderIn(text: string, names: readonly string[]): Order | undefined {
  const said = orderText(text, names)
  // A quote reports what another person said.
  if (/^[>＞]/u.test(said.text)) return undefined
  const languages = LANGUAGES.filter(({ letter }) => letter.test(said.text))
  const read = languages.map(language => ({ language, said, row: language.row(said, names) }))
  return firstOf(read, sureOrder)
}

interface Read {
  readonly language: Language
  readonly said: OrderText
  readonly row: Row
}

function firstOf(read: readonly Read[], order: (one: Read) => Order | undefined): Order | undefined {
  for (const one of read) {
    const found = order(one)
    if (found !== undefined) return found
  }
  return undefined
}

function sureOrder({ language, said, row }: Read): Order | undefined {
  const asks = isQuestion({ language, said, row })
  const whole = said.text.length > LONGEST ? undefined : phraseIn(language, row.tags)
  if (whole === 'know' || (whole !== undefined && !asks)) return orderOf(whole, language, said)
  const outdated = asks ? undefined : outdatedIn(language, said)
  if (outdated !== undefined) return { kind: 'forget', topic: outdated, isUnsure: true }
  const topic = asks ? undefined : topicIn(language, said, row)
  if (topic !== undefined) return { kind: 'forget', topic }
  const about = asks ? undefined : language.about(said, row)
  if (about !== undefined) return { kind: 'remember', about: said.slice(...about).original }
  const beside = besideOthers(language, said, row)
  if (beside !== undefined) return beside
  const content = meant(language, said, language.content(said, row))
  return content === undefined || asks ? undefined : { kind: 'remember', content }
}

/** What a clause before "forget that" is about, if it tells that something has changed. */
function outdatedIn({ outdated, changed }: Language, said: OrderText): string | undefined {
  if (said.text.length > LONGEST) return undefined
  const place = outdated?.exec(said.text)?.indices?.groups?.topic
  const topic = place && said.slice(...place)
  return topic && changed?.test(topic.text) ? topic.original : undefined
}

function isQuestion({ language, said, row }: Read): boolean {
  return row.tags.endsWith('?') && !language.request.test(said.text)
}

function phraseIn({ phrases }: Pick<Language, 'phrases'>, tags: string): Asked | undefined {
  const words = tags.replaceAll(/[,.?p]|:(?!$)/g, '')
  const plain = words.replaceAll(/[rv]/g, '')
  return phrases.find(([pattern, asked]) => pattern.test(asked.startsWith('opt') ? words : plain))?.[1]
}

function orderOf(asked: Asked, language: Language, { text }: OrderText): Order | undefined {
  switch (asked) {
    case 'know':
    case 'opt-in':
      return { kind: asked }
    case 'forget-me':
    case 'opt-out':
      return language.jokes.test(text) || /😂|🤣|😜/u.test(text) ? undefined : { kind: asked }
    case 'keep':
      return { kind: 'remember' }
    case 'drop':
      return { kind: 'forget' }
    default:
      if (language.notMeant.test(text)) return undefined
      return { kind: 'leave-out', means: ({ this: 'around', last: 'before', next: 'after', over: 'over' } as const)[asked] }
  }
}

/** Characters of a message whose clauses are read. */
const CLAUSES = 12

/** A request that is some of the clauses of a message. The others have what it means, or explain it. */
function besideOthers(language: Language, said: OrderText, { tags, spans }: Row): Order | undefined {
  if (language.notMeant.test(said.text)) return undefined
  const signs = [...tags.matchAll(/[,.:?]/g)].map(({ index }) => index)
  if (signs.length > CLAUSES) signs.splice(CLAUSES / 2, signs.length - CLAUSES)
  const starts = [0, ...signs.map(at => at + 1)]
  const ends = [...signs, tags.length]
  // The longest request counts.
  for (let size = starts.length - 1; size > 0; size--) {
    for (let first = 0; first + size <= starts.length; first++) {
      const [from = 0, to = 0] = [starts[first], ends[first + size - 1]]
      const asked =
        phraseIn(language, tags[to] === ':' ? `${tags.slice(from, to)}:` : tags.slice(from, to)) ??
        phraseIn(language, tags.slice(from, to))
      // "Say: forget me."
      if (tags[from - 1] === ':' || (tags[to] === '?' && !language.request.test(said.text))) continue
      if (asked === undefined || asked === 'know' || asked === 'over' || asked === 'keep') continue
      const others = starts.flatMap((start, at) => {
        const span = spans[start]
        const end = spans[(ends[at] ?? 0) - 1]
        if (!(at < first || at >= first + size) || !span || !end || start >= (ends[at] ?? 0)) return []
        // 「ここだけの話だから、覚えなくていいからね」 has no content.
        const isOrder = phraseIn(language, tags.slice(start, ends[at])) !== undefined
        return [{ said: said.slice(span[0], end[1]), isOrder }]
      })
      return withOthers(
        { asked, phrase: tags.slice(Math.max(0, from - 1), to + 1), isFirst: from === 0 || tags[to] === ':' },
        others,
        language,
        said,
      )
    }
  }
  return undefined
}

interface Phrase {
  readonly asked: Asked
  readonly phrase: string
  readonly isFirst: boolean
}

function withOthers(
  { asked, phrase, isFirst }: Phrase,
  others: readonly { readonly said: OrderText; readonly isOrder: boolean }[],
  language: Language,
  said: OrderText,
): Order | undefined {
  const order = orderOf(asked, language, said)
  if (order === undefined) return undefined
  if (language.someOf.test(said.text)) return { ...order, isUnsure: true }
  const contents = others.filter(one => !one.isOrder && !language.reason.test(one.said.text))
  if (order.kind === 'forget' || order.kind === 'opt-in') return order
  // What cannot be undone is the whole message.
  if (order.kind !== 'leave-out') return others.length === 0 ? order : { ...order, isUnsure: true }
  // "That" can be beside the request, or before it.
  if (asked === 'this')
    return { ...order, means: contents.length === 0 ? 'before' : /^(?!.*\.).*[TOA:]/.test(phrase) ? 'this' : 'near' }
  return asked === 'next' && isFirst && contents.length > 0 ? { ...order, means: 'this' } : order
}

/** The topic of an order: in the whole message, or in its first or last sentence. The others explain it. */
function topicIn(language: Language, said: OrderText, row: Row): string | undefined {
  const { tags, spans } = row
  const [first, last] = [tags.indexOf('.'), tags.lastIndexOf('.') + 1]
  const parts: Row[] =
    first < 0 || tags.slice(first).includes('?')
      ? [row]
      : [{ tags: tags.slice(0, first), spans }, row, { tags: tags.slice(last), spans: spans.slice(last) }]
  // "Carol eats meat again, you can delete what I told you about her diet"
  const comma = tags.lastIndexOf(',') + 1
  if (comma > 0 && !tags.includes('?')) parts.push({ tags: tags.slice(comma), spans: spans.slice(comma) })
  return meant(
    language,
    said,
    parts.map(part => language.topic(said, part)).find(place => place !== undefined),
  )
}

/** A content that contains a question or another request needs an answer instead. An order does not begin with a quote. */
function meant({ emptyContent }: Language, said: OrderText, span: Span | undefined): string | undefined {
  const text = span && said.slice(...span).original.trim()
  if (text === undefined || /^[>＞]|[?](?:\s|$)|？/mu.test(text) || emptyContent?.test(text)) return undefined
  return text.replace(/[\p{P}\p{S}\s]/gu, '').replace(/\p{sc=Han}/gu, 'kanji').length < SHORTEST ? undefined : text
}

/** Minimum length of a content. One kanji is a word. */
const SHORTEST = 2

/** Reads the choice from a numbered list. Undefined if the text is about something else. */
export function readChoice(given: string, names: readonly string[], count: number): Choice | undefined {
  if (given.length > LONGEST) return undefined
  const { text } = orderText(given, names)
  const words = plainWords(text)
  if (ALL.test(words) || (count === 1 && YES.test(words))) return 'all'
  if (NONE.test(words)) return 'none'
  if (!NUMBERS.test(words)) return declines(text, names) ? 'none' : undefined
  const numbers = [...new Set(Array.from(words.matchAll(/\d+/g), ([digits]) => Number(digits)))]
  return numbers.every(number => number >= 1 && number <= count) ? numbers : undefined
}

/** Minimum probability that an answer declines the choice. */
const SURE = 0.95

function declines(text: string, names: readonly string[]): boolean {
  const act = speechActOf(text, { names, before: { text: '?', by: 'bot' } })
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
