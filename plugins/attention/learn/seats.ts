/** The messages of a channel as its busy people saw them: each person takes the place of the bot, and the label is what the person did. */
import { setImmediate } from 'node:timers/promises'
import type { Message } from 'kikimimi'
import { ANSWER_WITHIN_MS, type Line, linesOf, WINDOW } from '../links.ts'
import { signsIn } from '../signs.ts'
import type { Example } from './example.ts'

/** A message of the channel, and what is known afterwards of the messages that it answers. */
export interface Said {
  readonly message: Message
  readonly conversation: string
  /** Ids of the messages that it answers. Absent: they are derived from whom it addresses. */
  readonly answers?: readonly string[]
}

/** A message in a seat. */
export interface SeatExample extends Example {
  /** The message itself was answered, and not only another one of the same utterance. */
  readonly isAnswered: boolean
  readonly isCall: boolean
  /** Consecutive messages of a person within a minute are one utterance. */
  readonly utterance: string
}

/** Number of busiest people whose seats count. */
const SEATS = 8
/** Minimum number of messages of such a person. */
const LEAST_MESSAGES = 20
/** Working memory of a bot: {@link WINDOW} messages of this age. */
const REMEMBERED_MS = 30 * 60_000
/** A person who addresses another one answers the last message of that person within this time. */
const ADDRESSED_WITHIN_MS = 10 * 60_000
/** A longer pause separates two utterances. */
const PAUSE_MS = 60_000
/**
 * A person counts as present from {@link COMES_MS} before each of the own messages to {@link STAYS_MS} after it. Messages during an
 * absence are no examples, because the person did not decide about them.
 */
const STAYS_MS = 60 * 60_000
const COMES_MS = 10 * 60_000

/** Examples in all seats, in the order of time in each. */
export async function seatExamples(said: readonly Said[], signal?: AbortSignal): Promise<readonly SeatExample[]> {
  const talks = [...Map.groupBy(said, ({ conversation }) => conversation).values()].map(talkOf)
  const examples: SeatExample[] = []
  for (const person of busiest(said)) {
    for (const talk of talks) {
      if (!talk.people.has(person)) continue
      // A channel of 20,000 messages takes seconds. The bot works in between.
      await setImmediate()
      signal?.throwIfAborted()
      examples.push(...inSeat(talk, person))
    }
  }
  return examples
}

function busiest(said: readonly Said[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { message } of said) {
    if (message.own || message.author.bot) continue
    counts.set(message.author.id, (counts.get(message.author.id) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= LEAST_MESSAGES)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, SEATS)
    .map(([person]) => person)
}

interface Talk {
  readonly conversation: string
  readonly lines: readonly Line[]
  readonly people: ReadonlySet<string>
  /** Ids of the messages that each line answers. */
  readonly answers: readonly (readonly string[])[]
}

function talkOf(said: readonly Said[]): Talk {
  const lines = linesOf(said.map(({ message }) => message))
  return {
    conversation: said[0]?.conversation ?? '',
    lines,
    people: new Set(lines.map(({ message }) => message.author.id)),
    answers: said.map(({ answers }, at) => answers ?? answersOf(lines, at)),
  }
}

/** The messages that a line probably answers. */
function answersOf(lines: readonly Line[], at: number): readonly string[] {
  const line = lines[at]
  if (!line) return []
  const found: string[] = []
  const wanted = new Set(line.to)
  for (let index = at - 1; index >= Math.max(0, at - WINDOW); index--) {
    const { message } = lines[index] as Line
    const agoMs = line.message.at.getTime() - message.at.getTime()
    if (line.to.size === 0 && message.author.id !== line.message.author.id) {
      return line.after !== undefined && agoMs <= ANSWER_WITHIN_MS ? [message.id] : []
    }
    if (agoMs > ADDRESSED_WITHIN_MS) break
    if (wanted.delete(message.author.id)) found.push(message.id)
  }
  return found
}

function inSeat({ conversation, lines, answers }: Talk, person: string): SeatExample[] {
  const isOwn = ({ message }: Line) => message.author.id === person
  const isCall = ({ to }: Line) => to.has(person)
  const answered = new Set(lines.flatMap((line, at) => (isOwn(line) ? (answers[at] ?? []) : [])))
  const isPresent = presence(lines.filter(isOwn).map(({ message }) => message.at.getTime()))
  const utterances = utterancesOf(lines, isOwn)
  const gold = new Set(lines.flatMap(({ message }, at) => (answered.has(message.id) ? [utterances[at]] : [])))

  const examples: SeatExample[] = []
  let first = 0
  let lastReplyAt: Date | undefined
  for (const [at, line] of lines.entries()) {
    const { message } = line
    while (at - first >= WINDOW || message.at.getTime() - (lines[first] as Line).message.at.getTime() > REMEMBERED_MS) first++
    if (isOwn(line)) {
      lastReplyAt = message.at
      continue
    }
    if (message.own || message.author.bot || !isPresent(message.at.getTime())) continue
    const utterance = utterances[at]
    examples.push({
      signs: signsIn(lines, at, { me: person, first, isOwn, isCall, ...(lastReplyAt && { lastReplyAt }) }),
      label: gold.has(utterance),
      isAnswered: answered.has(message.id),
      isCall: isCall(line),
      utterance: `${person} ${conversation} ${utterance}`,
      ...{ weight: 1, person, at: message.at },
    })
  }
  return examples
}

/** @param times of the person's own messages, in order */
function presence(times: readonly number[]): (at: number) => boolean {
  let next = 0
  return at => {
    while (next < times.length && (times[next] as number) <= at) next++
    return (
      at - (times[next - 1] ?? Number.NEGATIVE_INFINITY) <= STAYS_MS || (times[next] ?? Number.POSITIVE_INFINITY) - at <= COMES_MS
    )
  }
}

/** The number of the utterance of each line. A line of the reader ends all. */
function utterancesOf(lines: readonly Line[], isOwn: (line: Line) => boolean): readonly number[] {
  const open = new Map<string, { readonly number: number; last: number }>()
  let count = 0
  return lines.map(line => {
    const { author, at } = line.message
    if (isOwn(line)) open.clear()
    const going = open.get(author.id)
    const current = going && at.getTime() - going.last <= PAUSE_MS ? going : { number: count++, last: 0 }
    current.last = at.getTime()
    open.set(author.id, current)
    return current.number
  })
}
