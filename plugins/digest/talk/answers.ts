/** Which lines answer a question or agree to a proposal, with or without a reply mark. */
import { probabilityOf, speechActOf } from '@kikimimi/speech-acts'
import type { Line } from './lines.ts'
import { does, READ } from './signs.ts'

/** Messages of others after one that can refer to it. */
const AFTER = 14
/** Messages after it that are looked at. */
const LOOKED = 4 * AFTER
const MINUTE = 60_000
/** A message refers to one before within this time without a reply mark; a question without a word in common within the shorter time. */
const WITHIN = { any: 90 * MINUTE, question: 3 * MINUTE }
/** The time after which a message refers half as likely to one before it: so many pauses of the room, within these limits. */
const PAUSES = 5
const HALF = { least: 5 * MINUTE, most: 15 * MINUTE }
/** What a word in common says, when it is in so many messages of the room or fewer, and otherwise. */
const RARE = 4
const IN_COMMON = { rare: 0.4, other: 0.15 }
/** Where more messages than this share name whom they are for, one that names no one says less by its place. */
const CALLING = 0.3
/** The author goes on within so many messages. */
const GOES_ON = 3
/** From these points on, from 0 to 1, a message refers to the one before. */
const REFERS = 0.35

/** The messages of one channel or thread, oldest first. */
export class Room {
  readonly lines: readonly Line[]
  readonly #at: ReadonlyMap<string, number>
  /** How much the place of a message says, from 0 to 1. */
  readonly #nearness: number
  readonly #half: number
  /** In how many messages each word is. */
  readonly #counts = new Map<string, number>()
  readonly #responses = new Map<number, readonly Line[]>()

  constructor(lines: readonly Line[]) {
    this.lines = lines
    this.#at = new Map(lines.map(({ id }, at) => [id, at]))
    for (const { words } of this.lines) for (const word of words.keys()) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1)
    const calls = lines.filter(({ to }) => to.size > 0).length
    this.#nearness = calls / lines.length > CALLING ? 0.5 : 1
    const pauses = lines.slice(1).map((one, at) => one.at.getTime() - (lines[at]?.at.getTime() ?? 0))
    const pause = pauses.sort((one, other) => one - other)[pauses.length >> 1] ?? 0
    this.#half = Math.min(Math.max(PAUSES * pause, HALF.least), HALF.most)
  }

  /** How many rare words the two messages have in common. */
  inCommon(one: Line, other: Line): number {
    return [...one.words.keys()].filter(word => other.words.has(word) && (this.#counts.get(word) ?? 0) <= RARE).length
  }

  /** The messages of others that refer to the one at this index. */
  responses(index: number): readonly Line[] {
    const known = this.#responses.get(index) ?? this.#find(index)
    this.#responses.set(index, known)
    return known
  }

  #find(index: number): readonly Line[] {
    const first = this.lines[index]
    if (!first) return []
    const found: Line[] = []
    /** The last message of the author about it, and the messages of others since. */
    let last = first
    let between = 0
    let others = 0
    /** A message has opened another subject. */
    let isOther = false
    for (const line of this.lines.slice(index + 1, index + 1 + LOOKED)) {
      if (line.author.id === first.author.id) {
        isOther ||= isNew(line, first)
        if (!isOther) [last, between] = [line, 0]
        continue
      }
      if (this.#refers(line, { first, last, index, between, isOther })) found.push(line)
      else isOther ||= line.asks
      between++
      if (++others >= AFTER) break
    }
    return found
  }

  #refers(line: Line, { first, last, index, between, isOther }: Sight): boolean {
    const to = line.replyTo === undefined ? undefined : this.#at.get(line.replyTo)
    if (to !== undefined)
      return to === index || (to > index && to - index <= GOES_ON && this.lines[to]?.author.id === first.author.id)
    const age = line.at.getTime() - first.at.getTime()
    if (age > WITHIN.any) return false
    if (line.to.size > 0) return line.to.has(first.author.id)
    const shared = [...line.words.keys()].filter(word => first.words.has(word))
    if (line.asks && shared.length === 0 && (between > 0 || age > WITHIN.question)) return false
    const recent = 2 ** (-(line.at.getTime() - last.at.getTime()) / this.#half)
    const place = (isOther ? 0.2 : 1 / (1 + between / 3)) * (this.#isWithOther(line, first) ? 0.3 : 1)
    const near = this.#nearness * recent * place
    const sums = shared.map(word => ((this.#counts.get(word) ?? 0) <= RARE ? IN_COMMON.rare : IN_COMMON.other))
    const common = Math.min(
      sums.reduce((sum, one) => sum + one, 0),
      2 * IN_COMMON.rare,
    )
    const wanted = first.to.has(line.author.id) ? 0.3 : 0
    /** @param form how much the message has the form of an answer, from 0 to 1 */
    const points = (form: number) => near * (0.55 + 0.45 * form) + common * (0.5 + 0.5 * form) + wanted
    // The speech act takes most of the time.
    if (points(1) < REFERS || points(0) >= REFERS) return points(0) >= REFERS
    if (does('assents', line)) return true
    const act = speechActOf(line.text.slice(0, READ), { names: [], before: { text: first.text.slice(0, READ), by: 'other' } })
    return points(probabilityOf(act, ['answered', 'nod', 'retraction'])) >= REFERS
  }

  /** Whether the author has just spoken to another person. */
  #isWithOther({ id, author, at }: Line, first: Line): boolean {
    const index = this.#at.get(id) ?? 0
    const before = this.lines
      .slice(Math.max(0, index - AFTER), index)
      .findLast(one => one.author.id === author.id && at.getTime() - one.at.getTime() < HALF.least)
    return before !== undefined && before.to.size > 0 && !before.to.has(first.author.id)
  }
}

interface Sight {
  readonly first: Line
  readonly last: Line
  readonly index: number
  readonly between: number
  readonly isOther: boolean
}

/** Whether a message opens another subject than the first one. */
export function isNew({ asks, words }: Line, first: Line): boolean {
  return asks && ![...words.keys()].some(word => first.words.has(word))
}
