/**
 * How well a bot did in a member's place.
 *
 * The unit is the **utterance**: the lines of one person that follow each other within {@link PAUSE}, with no line of the
 * member in between. Not the line, for people answer a thought and not each line of it: whoever sends three lines gets
 * one answer, and counted by line every considerate answer has two misses. And not the batch of messages that the bot
 * looks at, for that depends on how long it waits: what waits longer has fewer and fuller batches, and figures that say
 * nothing next to another's. Utterances are the same for every bot. Batches are counted besides, as `batches`.
 *
 * An utterance is **gold** when the member really answered a line of it. It is **spoken to** when the bot decided to
 * say something, addressed or not; a reaction interrupts nobody and answers nobody. A word answers one utterance, however
 * many the batch holds: that of the message which the answer is for (`turn.message`), or where that one is not gold,
 * the latest gold one of the batch, for what exactly is said is another's decision. Context lines belong to none.
 */
export interface Sums {
  /** Members in whose place the bot was. */
  seats: number
  utterances: Verdicts
  /** A batch is gold when the member answered a message of it, spoken to when the bot said something then. */
  batches: Verdicts
  /** Words of the bot, and those of them to an utterance that it had spoken to already. */
  words: number
  repeated: number
  /** Batches that were spoken or reacted to, or that a judge was asked about: rules alone did not dismiss them. */
  considered: number
  /** Messages that the member really answered, and those of them in a considered batch. */
  goldMessages: number
  coveredMessages: number
  /** People's messages, and the member's own lines, that count. */
  heard: number
  own: number
  /** Words of the bot before which another person had answered a message of the batch. */
  answeredBefore: number
  /** Unasked words by how long after the message that they are for, in tenths of a second. */
  waits: Record<number, number>
  /** How often each rule gave points to a batch that nobody addressed to the bot. */
  rules: Record<string, Fired>
  /** Such batches altogether. */
  unasked: Fired
}

/** A longer pause is no pause within a thought: the rhythm of a talk is measured by the same. */
export const PAUSE = 60_000

/** Units by whether the member answered, and whether the bot spoke. */
export interface Verdicts {
  goldSpoken: number
  goldSilent: number
  otherSpoken: number
  otherSilent: number
}

export interface Fired {
  gold: number
  other: number
}

export function noSums(): Sums {
  return {
    seats: 0,
    utterances: noVerdicts(),
    batches: noVerdicts(),
    words: 0,
    repeated: 0,
    considered: 0,
    goldMessages: 0,
    coveredMessages: 0,
    heard: 0,
    own: 0,
    answeredBefore: 0,
    waits: {},
    rules: {},
    unasked: { gold: 0, other: 0 },
  }
}

const noVerdicts = (): Verdicts => ({ goldSpoken: 0, goldSilent: 0, otherSpoken: 0, otherSilent: 0 })

/** Each is between 0 and 1, and absent when there was nothing to measure it on. */
export const METRICS = {
  /** Of the utterances spoken to, those that the member answered. */
  precision: ({ utterances: { goldSpoken, otherSpoken } }: Sums) => share(goldSpoken, goldSpoken + otherSpoken),
  /** Of the utterances that the member answered, those spoken to. */
  recall: ({ utterances }: Sums) => recall(utterances),
  /** The harmonic mean of precision and recall. */
  f1: ({ utterances }: Sums) => f1(utterances),
  /** The mean of recall and interruption accuracy: 0.5 for always and for never. */
  balancedAccuracy({ utterances }: Sums) {
    const both = [recall(utterances), interruptionAccuracy(utterances)]
    return both.includes(undefined) ? undefined : mean(both)
  },
  /** Of the utterances that the member did not answer, those to which the bot said nothing: it was silent when it should be. */
  interruptionAccuracy: ({ utterances }: Sums) => interruptionAccuracy(utterances),
  /** Of the messages that the member answered, those in a considered batch: what a perfect judge could reach. */
  coverage: ({ coveredMessages, goldMessages }: Sums) => share(coveredMessages, goldMessages),
  /** Of the utterances, those that the member answered: the precision of speaking always. */
  baseRate: ({ utterances: { goldSpoken, goldSilent, otherSpoken, otherSilent } }: Sums) =>
    share(goldSpoken + goldSilent, goldSpoken + goldSilent + otherSpoken + otherSilent),
  /** F1 and interruption accuracy with batches as the unit. */
  f1ByBatch: ({ batches }: Sums) => f1(batches),
  interruptionAccuracyByBatch: ({ batches }: Sums) => interruptionAccuracy(batches),
  /** Of the bot's words, those to somebody who had been spoken to and had not finished. */
  repeated: ({ repeated, words }: Sums) => share(repeated, words),
  /** Of the bot's words, those before which another person had already answered a message of the batch. */
  answeredBefore: ({ answeredBefore, words }: Sums) => share(answeredBefore, words),
  /** The bot's messages among all, had people gone on as they did. */
  shareOfTalk: ({ words, heard }: Sums) => share(words, words + heard),
  /** The member's messages among all. */
  memberShareOfTalk: ({ own, heard }: Sums) => share(own, own + heard),
} satisfies Record<string, (sums: Sums) => number | undefined>

export type Metrics = { readonly [Name in keyof typeof METRICS]?: number }

export function metricsOf(sums: Sums): Metrics {
  return Object.fromEntries(
    Object.entries(METRICS).flatMap(([name, measure]) => {
      const value = measure(sums)
      return value === undefined ? [] : [[name, round(value)]]
    }),
  )
}

/** Over members, each with the same weight; one for whom a metric is absent has no say in it. */
export function meanOf(all: readonly Metrics[]): Metrics {
  return Object.fromEntries(
    Object.keys(METRICS).flatMap(name => {
      const value = mean(all.map(metrics => Object.entries(metrics).find(([key]) => key === name)?.[1]))
      return value === undefined ? [] : [[name, round(value)]]
    }),
  )
}

/** The wait in seconds that a share `p` of the unasked words did not exceed. */
export function waitAt({ waits }: Sums, p: number): number | undefined {
  const sorted = Object.entries(waits)
    .map(([tenths, count]) => ({ seconds: Number(tenths) / 10, count }))
    .sort((a, b) => a.seconds - b.seconds)
  let left = p * sorted.reduce((sum, { count }) => sum + count, 0)
  return sorted.find(({ count }) => {
    left -= count
    return left <= 0
  })?.seconds
}

/** How much oftener the member answers when a rule fires than otherwise in batches that nobody addressed to the bot. */
export function liftOf({ gold, other }: Fired, { unasked }: Sums): number | undefined {
  const base = share(unasked.gold, unasked.gold + unasked.other)
  const here = share(gold, gold + other)
  return base && here !== undefined ? round(here / base) : undefined
}

export function addSums(to: Sums, { waits, rules, ...more }: Sums): void {
  addCounts(to, more)
  for (const [tenths, count] of Object.entries(waits)) to.waits[Number(tenths)] = (to.waits[Number(tenths)] ?? 0) + count
  for (const [rule, fired] of Object.entries(rules)) {
    to.rules[rule] ??= { gold: 0, other: 0 }
    addCounts(to.rules[rule], fired)
  }
}

/** Adds up what both have, at any depth. */
function addCounts<T extends object>(to: T, more: Partial<T>): void {
  for (const key of Object.keys(more) as (keyof T)[]) {
    const [sum, count] = [to[key], more[key]]
    if (typeof sum === 'number' && typeof count === 'number') Object.assign(to, { [key]: sum + count })
    else if (typeof sum === 'object' && sum && typeof count === 'object' && count) addCounts(sum, count)
  }
}

function recall({ goldSpoken, goldSilent }: Verdicts): number | undefined {
  return share(goldSpoken, goldSpoken + goldSilent)
}

function interruptionAccuracy({ otherSpoken, otherSilent }: Verdicts): number | undefined {
  return share(otherSilent, otherSpoken + otherSilent)
}

function f1({ goldSpoken, goldSilent, otherSpoken }: Verdicts): number | undefined {
  return share(2 * goldSpoken, 2 * goldSpoken + goldSilent + otherSpoken)
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter(value => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
