/**
 * How well a bot did in a member's place.
 *
 * The unit is the **batch**: the people's messages since the last look, which the bot answers once or not at all.
 * That is what people see: one message too many or one missing, whether three lines led to it or one. Counted by
 * message instead, a burst of five with one question would give four wrong answers to whoever answered it once.
 * A batch is **positive** when the member really answered a message of it, **spoken to** when the bot decided
 * to react or to say something, addressed or not. Batches of context lines alone are no units.
 */
export interface Sums {
  /** Members in whose place the bot was. */
  seats: number
  /** Batches, by whether the member answered (`gold`) and whether the bot spoke. */
  goldSpoken: number
  goldSilent: number
  otherSpoken: number
  otherSilent: number
  /** Batches that were spoken to or that a judge was asked about: rules alone did not dismiss them. */
  considered: number
  /** Messages that the member really answered, and those of them in a considered batch. */
  goldMessages: number
  coveredMessages: number
  /** People's messages, and the member's own lines, that count. */
  heard: number
  own: number
  /** Batches spoken to when another person had already answered one of their messages. */
  answeredBefore: number
  /** Unasked answers by how long after the message that set them off, in tenths of a second. */
  waits: Record<number, number>
  /** How often each rule gave points to a batch that nobody addressed to the bot, by whether the member answered. */
  rules: Record<string, Fired>
  /** Such batches altogether. */
  unasked: Fired
}

export interface Fired {
  gold: number
  other: number
}

export function noSums(): Sums {
  return {
    seats: 0,
    goldSpoken: 0,
    goldSilent: 0,
    otherSpoken: 0,
    otherSilent: 0,
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

/** Each is between 0 and 1, and absent when there was nothing to measure it on. */
export const METRICS = {
  /** Of the batches spoken to, those that the member answered. */
  precision: ({ goldSpoken, otherSpoken }: Sums) => share(goldSpoken, goldSpoken + otherSpoken),
  /** Of the batches that the member answered, those spoken to. */
  recall,
  /** The harmonic mean of precision and recall. */
  f1: ({ goldSpoken, goldSilent, otherSpoken }: Sums) => share(2 * goldSpoken, 2 * goldSpoken + goldSilent + otherSpoken),
  /** The mean of recall and interruption accuracy: 0.5 for always and for never. */
  balancedAccuracy(sums: Sums) {
    const both = [recall(sums), interruptionAccuracy(sums)]
    return both.includes(undefined) ? undefined : mean(both)
  },
  /** Of the batches that the member did not answer, those in which the bot was silent: it was so when it should be. */
  interruptionAccuracy,
  /** Of the messages that the member answered, those in a batch that was spoken to or judged. What a perfect judge could reach. */
  coverage: ({ coveredMessages, goldMessages }: Sums) => share(coveredMessages, goldMessages),
  /** Of the batches, those that the member answered: the precision of speaking always. */
  baseRate: ({ goldSpoken, goldSilent, otherSpoken, otherSilent }: Sums) =>
    share(goldSpoken + goldSilent, goldSpoken + goldSilent + otherSpoken + otherSilent),
  /** Of the batches spoken to, those of which another person had answered a message before the bot would. */
  answeredBefore: ({ answeredBefore, goldSpoken, otherSpoken }: Sums) => share(answeredBefore, goldSpoken + otherSpoken),
  /** The bot's messages among all, had people gone on as they did. */
  shareOfTalk: ({ goldSpoken, otherSpoken, heard }: Sums) => share(goldSpoken + otherSpoken, goldSpoken + otherSpoken + heard),
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

/** The wait in seconds that a share `p` of the unasked answers did not exceed. */
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

export function addSums(to: Sums, { waits, rules, unasked, ...counts }: Sums): void {
  for (const [key, count] of Object.entries(counts) as [keyof typeof counts, number][]) to[key] += count
  for (const [tenths, count] of Object.entries(waits)) to.waits[Number(tenths)] = (to.waits[Number(tenths)] ?? 0) + count
  for (const [rule, fired] of Object.entries(rules)) {
    to.rules[rule] ??= { gold: 0, other: 0 }
    add(to.rules[rule], fired)
  }
  add(to.unasked, unasked)
}

function add(to: Fired, { gold, other }: Fired): void {
  to.gold += gold
  to.other += other
}

function recall({ goldSpoken, goldSilent }: Sums): number | undefined {
  return share(goldSpoken, goldSpoken + goldSilent)
}

function interruptionAccuracy({ otherSpoken, otherSilent }: Sums): number | undefined {
  return share(otherSilent, otherSpoken + otherSilent)
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
