/**
 * The signs by which a message is weighed: who wrote it, when, and to whom. None depends on a language or a platform except the
 * three that read the text: whether it is a question, whether it only takes note, and whom it names. Times and counts are on a log scale, because
 * a minute matters in a fast channel as much as an hour in a slow one.
 */
import type { Message, Turn } from 'kikimimi'
import { type Line, linesOf } from './links.ts'

export const SIGNS = [
  'toOthers',
  'sinceBot',
  'messagesSinceBot',
  'rightAfterBot',
  'sinceExchange',
  'exchanges',
  'turns',
  'othersWithBot',
  'continues',
  'closing',
  'question',
] as const

export type Sign = (typeof SIGNS)[number]

export type Signs = Readonly<Record<Sign, number>>

/** A longer time counts as this one. */
const DAY_SECONDS = 24 * 60 * 60

/** The number of messages after which an exchange counts half. */
const HALF_LIFE = 20

/** Messages since the bot's words, if there are none in the history, beyond its length. */
const BEYOND = 20

/** A cache, because each message of a batch has the same history. */
const linesIn = new WeakMap<readonly Message[], readonly Line[]>()

/** The signs of a message of the turn, from the conversation before it. */
export function signsOf({ history, lastReplyAt, me }: Pick<Turn, 'history' | 'lastReplyAt' | 'me'>, message: Message): Signs {
  const lines = linesIn.get(history) ?? linesOf(history)
  linesIn.set(history, lines)
  const at = lines.findIndex(line => line.message.id === message.id)
  const reader = {
    ...{ me: me.id, first: 0 },
    isOwn: ({ message }: Line) => message.own,
    isCall: ({ message }: Line) => message.addressed !== undefined,
    ...(lastReplyAt && { lastReplyAt }),
  }
  // A message that is older than the working memory stands alone.
  return at < 0 ? signsIn(linesOf([message]), 0, reader) : signsIn(lines, at, reader)
}

/** Who reads a conversation: the bot, or a person in its place. */
export interface Reader {
  /** The id of the reader. */
  readonly me: string
  /** The index of the first line that the reader remembers. */
  readonly first: number
  /** When the reader last wrote. Absent: never. */
  readonly lastReplyAt?: Date
  isOwn(line: Line): boolean
  /** Whether a line of another person addresses the reader. */
  isCall(line: Line): boolean
}

/** Exchanges of the author of a message, recent ones with a higher weight. */
interface Exchanges {
  withReader: number
  withOthers: number
  afterReader: number
  afterOthers: number
  /** Calls of other people. */
  others: number
  last?: Line
}

/** The signs of the line `at`, for a reader. */
export function signsIn(lines: readonly Line[], at: number, reader: Reader): Signs {
  const line = lines[at] as Line
  const found: Exchanges = { withReader: 0, withOthers: 0, afterReader: 0, afterOthers: 0, others: 0 }
  let own: Line | undefined
  let messages = 0
  for (let index = at - 1; index >= reader.first; index--) {
    const one = lines[index] as Line
    if (reader.isOwn(one)) own ??= one
    else if (!own) messages++
    addExchange(found, one, line.message.author.id, reader, 2 ** ((index - at + 1) / HALF_LIFE))
  }
  if (!own) messages += BEYOND

  const secondsSince = (then: Date | undefined) =>
    then ? Math.min(DAY_SECONDS, Math.max(0, (line.message.at.getTime() - then.getTime()) / 1_000)) : DAY_SECONDS
  return {
    toOthers: !reader.isCall(line) && (line.toAll || line.to.size > 0) ? 1 : 0,
    sinceBot: log(Math.min(secondsSince(own?.message.at), secondsSince(reader.lastReplyAt))),
    messagesSinceBot: log(messages),
    rightAfterBot: 1 / (1 + messages),
    sinceExchange: log(secondsSince(found.last?.message.at)),
    exchanges: share(found.withReader, found.withOthers),
    turns: share(found.afterReader, found.afterOthers),
    othersWithBot: log(found.others),
    continues: line.after === reader.me ? 1 : 0,
    closing: line.closing ? 1 : 0,
    question: line.question ? 1 : 0,
  }
}

/** Counts an earlier line, if it belongs to an exchange of this author. */
function addExchange(found: Exchanges, one: Line, author: string, reader: Reader, weight: number): void {
  const { partners, after } = one
  if (reader.isOwn(one)) {
    if (partners.has(author)) {
      found.withReader += weight
      found.last ??= one
    } else if (partners.size === 0 && after === author) found.afterReader += weight
    return
  }
  const isCall = reader.isCall(one)
  if (one.message.author.id !== author) {
    if (isCall) found.others += weight
    if (partners.has(author)) found.withOthers += weight
    else if (after === author) found.afterOthers += weight
    return
  }
  if (isCall || partners.has(reader.me)) {
    found.withReader += weight
    found.last ??= one
  } else if (partners.size > 0) found.withOthers += weight
  else if (after === reader.me) found.afterReader += weight
  else if (after !== undefined) found.afterOthers += weight
}

function log(count: number): number {
  return Math.log2(1 + count)
}

/** The share of one count, near 0.2 without any. */
function share(one: number, other: number): number {
  return (one + 0.2) / (one + other + 1)
}
