/**
 * Measures a bot in a member's seat.
 * The unit is the **utterance**: the lines of one person that follow each other within {@link PAUSE}, without a line of the
 * member between them. Lines are no good unit, because people answer a thought and not each of its lines: three lines get
 * one answer, so every considerate answer would have two misses. Batches are no good unit, because they depend on how long
 * the bot waits: a longer wait gives fewer and larger batches, and their metrics cannot be compared between bots.
 * Utterances are the same for every bot.
 * An utterance is **gold** when the member really answered a line of it. It is **spoken to** when the bot decided to say
 * something, addressed or not; a reaction does not count. An answer counts for the utterance of the message that triggered it
 * (`trace.trigger`), gold or not. This is the strict credit, and the headline. The lenient `batchCredit` counts an answer for the
 * latest gold utterance of the batch when that of the trigger is not gold.
 * A line of the member ends the batch before it, see `feed.ts`: no batch holds the real answer to one of its messages.
 * Context lines belong to no utterance.
 */
export interface Sums {
  /** The number of members in whose seats the bot was. */
  seats: number
  utterances: Verdicts
  /** The same utterances, by how they came to the bot. */
  kinds: Record<Kind, Verdicts>
  /** The same utterances, with the lenient credit. */
  batchCredit: Verdicts
  /** The number of batches. */
  batches: number
  /** Answers of the bot, and repeated answers to an utterance. */
  words: number
  repeated: number
  /** Batches that were answered, got a reaction, or were judged: the rules alone did not dismiss them. */
  considered: number
  /** Messages that the member really answered, and those of them in a considered batch. */
  goldMessages: number
  coveredMessages: number
  /** Counted messages of people, and the member's own. */
  heard: number
  own: number
  /** Answers of the bot before which another person had answered a message of the batch. */
  answeredBefore: number
  /** Unasked answers by their delay after the answered message, in tenths of a second: to partners of the member, and to others. */
  waits: Record<Wait, Record<number, number>>
  /** How often each rule gave points to a batch without a mention. */
  rules: Record<string, Fired>
  /** The number of such batches. */
  unasked: Fired
}

/** A longer pause separates two utterances. The adaptive debounce uses the same value. */
export const PAUSE = 60_000

/**
 * How an utterance comes to the bot. `addressed`: it mentions the member, or calls the member by name. `followUp`: its author and the
 * member answered each other within the last {@link FOLLOWS}. `unasked`: any other.
 */
export const KINDS = ['addressed', 'followUp', 'unasked'] as const

export type Kind = (typeof KINDS)[number]

/** Whose wait: a partner is the author of an utterance that is not `unasked`. */
export type Wait = 'partner' | 'stranger'

/** Milliseconds after an answer between two people in which a line of the other person counts as a follow-up. */
export const FOLLOWS = 10 * 60_000

/** Counts of units by whether the member answered, and whether the bot spoke. */
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
    kinds: { addressed: noVerdicts(), followUp: noVerdicts(), unasked: noVerdicts() },
    batchCredit: noVerdicts(),
    batches: 0,
    words: 0,
    repeated: 0,
    considered: 0,
    goldMessages: 0,
    coveredMessages: 0,
    heard: 0,
    own: 0,
    answeredBefore: 0,
    waits: { partner: {}, stranger: {} },
    rules: {},
    unasked: { gold: 0, other: 0 },
  }
}

const noVerdicts = (): Verdicts => ({ goldSpoken: 0, goldSilent: 0, otherSpoken: 0, otherSilent: 0 })

/** Each is between 0 and 1. Absent: there was nothing to measure. */
export const METRICS = {
  /** Of the utterances spoken to, those that the member answered. */
  precision: ({ utterances }: Sums) => precision(utterances),
  /** Of the utterances that the member answered, those spoken to. */
  recall: ({ utterances }: Sums) => recall(utterances),
  /** The harmonic mean of precision and recall. */
  f1: ({ utterances }: Sums) => f1(utterances),
  /** The mean of recall and interruption accuracy: 0.5 for always and for never. */
  balancedAccuracy: ({ utterances }: Sums) => balancedAccuracy(utterances),
  /** The share of the utterances without an answer of the member in which the bot was silent too. */
  interruptionAccuracy: ({ utterances }: Sums) => interruptionAccuracy(utterances),
  /** The share of the answered messages that are in a considered batch: the limit of a perfect judge. */
  coverage: ({ coveredMessages, goldMessages }: Sums) => share(coveredMessages, goldMessages),
  /** The share of the utterances that the member answered: the precision of speaking always. */
  baseRate: ({ utterances: { goldSpoken, goldSilent, otherSpoken, otherSilent } }: Sums) =>
    share(goldSpoken + goldSilent, goldSpoken + goldSilent + otherSpoken + otherSilent),
  /** Precision, recall, F1 and interruption accuracy with the lenient credit. */
  batchPrecision: ({ batchCredit }: Sums) => precision(batchCredit),
  batchRecall: ({ batchCredit }: Sums) => recall(batchCredit),
  batchF1: ({ batchCredit }: Sums) => f1(batchCredit),
  batchInterruptionAccuracy: ({ batchCredit }: Sums) => interruptionAccuracy(batchCredit),
  /** Of the utterances that the member answered, those in which the bot was silent. */
  missed: ({ utterances }: Sums) => missed(utterances),
  /** Of the utterances of a kind that the member answered, those in which the bot was silent. */
  addressedMissed: ({ kinds }: Sums) => missed(kinds.addressed),
  followUpMissed: ({ kinds }: Sums) => missed(kinds.followUp),
  unaskedMissed: ({ kinds }: Sums) => missed(kinds.unasked),
  /** Balanced accuracy of each kind. */
  addressedBalanced: ({ kinds }: Sums) => balancedAccuracy(kinds.addressed),
  followUpBalanced: ({ kinds }: Sums) => balancedAccuracy(kinds.followUp),
  unaskedBalanced: ({ kinds }: Sums) => balancedAccuracy(kinds.unasked),
  /** The share of the bot's answers to a person who had been answered already and had not finished. */
  repeated: ({ repeated, words }: Sums) => share(repeated, words),
  /** The share of the bot's answers before which another person had already answered a message of the batch. */
  answeredBefore: ({ answeredBefore, words }: Sums) => share(answeredBefore, words),
  /** The bot's share of all messages, if people had continued unchanged. */
  shareOfTalk: ({ words, heard }: Sums) => share(words, words + heard),
  /** The member's share of all messages. */
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

/** The mean over members, with equal weights. A member without the metric is left out. */
export function meanOf(all: readonly Metrics[]): Metrics {
  return Object.fromEntries(
    Object.keys(METRICS).flatMap(name => {
      const value = mean(all.map(metrics => Object.entries(metrics).find(([key]) => key === name)?.[1]))
      return value === undefined ? [] : [[name, round(value)]]
    }),
  )
}

/** The wait in seconds that a share `p` of the unasked answers, or of those to one kind of people, did not exceed. */
export function waitAt({ waits }: Sums, p: number, whose: readonly Wait[] = ['partner', 'stranger']): number | undefined {
  const sorted = whose
    .flatMap(one => Object.entries(waits[one]))
    .map(([tenths, count]) => ({ seconds: Number(tenths) / 10, count }))
    .sort((a, b) => a.seconds - b.seconds)
  let left = p * sorted.reduce((sum, { count }) => sum + count, 0)
  return sorted.find(({ count }) => {
    left -= count
    return left <= 0
  })?.seconds
}

/** How much more often the member answers when a rule applies than otherwise, in batches without a mention. */
export function liftOf({ gold, other }: Fired, { unasked }: Sums): number | undefined {
  const base = share(unasked.gold, unasked.gold + unasked.other)
  const here = share(gold, gold + other)
  return base && here !== undefined ? round(here / base) : undefined
}

export function addSums(to: Sums, { waits, rules, ...more }: Sums): void {
  addCounts(to, more)
  for (const whose of ['partner', 'stranger'] as const)
    for (const [tenths, count] of Object.entries(waits[whose]))
      to.waits[whose][Number(tenths)] = (to.waits[whose][Number(tenths)] ?? 0) + count
  for (const [rule, fired] of Object.entries(rules)) {
    to.rules[rule] ??= { gold: 0, other: 0 }
    addCounts(to.rules[rule], fired)
  }
}

/** Adds up the common fields, at any depth. */
function addCounts<T extends object>(to: T, more: Partial<T>): void {
  for (const key of Object.keys(more) as (keyof T)[]) {
    const [sum, count] = [to[key], more[key]]
    if (typeof sum === 'number' && typeof count === 'number') Object.assign(to, { [key]: sum + count })
    else if (typeof sum === 'object' && sum && typeof count === 'object' && count) addCounts(sum, count)
  }
}

function precision({ goldSpoken, otherSpoken }: Verdicts): number | undefined {
  return share(goldSpoken, goldSpoken + otherSpoken)
}

function missed({ goldSpoken, goldSilent }: Verdicts): number | undefined {
  return share(goldSilent, goldSpoken + goldSilent)
}

function balancedAccuracy(verdicts: Verdicts): number | undefined {
  const both = [recall(verdicts), interruptionAccuracy(verdicts)]
  return both.includes(undefined) ? undefined : mean(both)
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
