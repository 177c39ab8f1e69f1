/**
 * What the verdicts of a judge are worth in one channel: the coefficients, and what they add to the points. Learned like the weights of
 * the plugin attention: shrunk to a start, without the worst fitting votes, each person with limited weight, and only as far as the
 * votes agree without any one person.
 */
import { type Change, capped, learnChange } from '@kikimimi/attention/change'
import { deviations, lossAt, noDifference, type Prepared } from '@kikimimi/attention/fit'
import { type Coefficients, logOdds, START } from '../combine.ts'
import { ALONE } from './standing.ts'

/** What one person said about one judged turn. */
export interface JudgedVote {
  readonly turn: string
  readonly person: string
  readonly at: Date
  /** −1…1. Positive: an answer was, or would have been, welcome. */
  readonly value: number
  /** The calibrated probability of the points. */
  readonly prior: number
  /** −1…1. */
  readonly verdict: number
}

export interface Worth {
  readonly coefficients: Coefficients
  /** The standard deviation of c. */
  readonly deviation: number
  /** Without the verdict. */
  readonly alone: Coefficients
  readonly votes: number
  readonly people: number
  readonly gain: Gain
}

/** What the verdict adds to the log likelihood of a vote, in nats, with the 95 % interval. */
export interface Gain {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * Verdicts that add less than this to the log likelihood of a vote, in nats, are not worth their price. It is what a judge with a true
 * positive rate of 60 % and a false positive rate of 30 % adds where 12 % of the turns want an answer; one with 70 % and 20 % adds 0.06.
 */
export const LEAST_GAIN = 0.02
/** From this number of votes on, the mean gain decides, whatever its interval. */
const MANY_VOTES = 200

/** Whether verdicts tell little: with a certainty of 97.5 %, or by the mean of many votes. */
export function tellsLittle({ mean, high }: Gain, votes: number): boolean {
  return high < LEAST_GAIN || (votes >= MANY_VOTES && mean < LEAST_GAIN)
}

/** Fewer people, or fewer votes, change nothing. */
const LEAST_PEOPLE = 3
const LEAST_VOTES = 20
/** Penalties of a change by one unit: 1 is a normal distribution with the standard deviation 1 around the start. */
const STRENGTHS = [1, 4, 16, 64]
/** A verdict never counts against what it says. */
const BOUNDS = { a: [-2, 2], b: [0.25, 2], c: [0, 6] } as const
/** 95 %. */
const Z = 1.96

/**
 * @param votes about turns in which this judge was asked, in the order of time
 * @param all the same of every judge, for the points alone
 */
export function worthOf(votes: readonly JudgedVote[], all: readonly JudgedVote[]): Worth {
  const own = prepare(votes, START, ({ prior, verdict }) => [logOdds(prior), verdict, 1])
  const points = prepare(all, ALONE, ({ prior }) => [logOdds(prior), 1])
  const [change, changeAlone] = [learned(own), learned(points)]
  const [b = 0, c = 0, a = 0] = change?.agreed ?? []
  const [bAlone = 0, aAlone = 0] = changeAlone?.agreed ?? []
  const weights = change?.weights ?? capped(own.examples)
  // More trust in the verdicts takes agreement. Less trust does not: at worst the points decide, as without a judge.
  const trust = Math.min(c, change?.all[1] ?? 0)
  const at = Float64Array.of(b, trust, a)
  return {
    coefficients: within({ a: START.a + a, b: START.b + b, c: START.c + trust }),
    deviation: deviations(own, weights, change?.strength ?? (STRENGTHS[0] as number), at)[1] ?? 0,
    alone: { ...within({ a: ALONE.a + aAlone, b: ALONE.b + bAlone, c: 0 }), c: 0 },
    votes: votes.length,
    people: new Set(votes.map(({ person }) => person)).size,
    gain: gainOf(own, weights, (index, person) => {
      const other = all.indexOf(votes[index] as JudgedVote)
      const without = lossAt(points, other, changeAlone?.without(person) ?? noDifference(points))
      return without - lossAt(own, index, change ? forwards(change.without(person)) : noDifference(own))
    }),
  }
}

/** What a judge with the coefficients of the start adds to the points, for the few votes of a sample. */
export function startingGain(votes: readonly JudgedVote[], alone: Coefficients): Gain {
  const row = ({ prior, verdict }: JudgedVote) => [logOdds(prior), verdict, 1]
  const [own, points] = [prepare(votes, { ...alone, c: START.c }, row), prepare(votes, alone, row)]
  const none = noDifference(own)
  return gainOf(own, capped(own.examples), index => lossAt(points, index, none) - lossAt(own, index, none))
}

function prepare(votes: readonly JudgedVote[], near: Coefficients, row: (vote: JudgedVote) => readonly number[]): Prepared {
  const rows = votes.map(row)
  return {
    examples: votes.map(({ value, person, at }) => ({ label: value > 0, weight: Math.abs(value), person, at })),
    odds: Float64Array.from(votes, ({ prior, verdict }) => near.a + near.b * logOdds(prior) + near.c * verdict),
    rows: Float64Array.from(rows.flat()),
    width: rows[0]?.length ?? row(NO_VOTE).length,
  }
}

const NO_VOTE: JudgedVote = { turn: '', person: '', at: new Date(0), value: 0, prior: 0.5, verdict: 0 }

function learned(prepared: Prepared): Change | undefined {
  const people = new Set(prepared.examples.map(({ person }) => person)).size
  return people < LEAST_PEOPLE || prepared.examples.length < LEAST_VOTES ? undefined : learnChange(prepared, STRENGTHS)
}

function within({ a, b, c }: Coefficients): Coefficients {
  const clamp = (value: number, [low, high]: readonly [number, number]) =>
    Math.round(10_000 * Math.max(low, Math.min(high, value))) / 10_000
  return { a: clamp(a, BOUNDS.a), b: clamp(b, BOUNDS.b), c: clamp(c, BOUNDS.c) }
}

/** The change without what would count a verdict against what it says. */
function forwards(change: Float64Array): Float64Array {
  const [b = 0, c = 0, a = 0] = change
  return Float64Array.of(b, Math.max(c, -START.c), a)
}

/**
 * The weighted mean of the gains of votes, with the interval of a mean. Each vote is measured without what its author taught, and the
 * person who speaks most against the verdicts is left out, so that nobody alone makes them worthless.
 */
function gainOf({ examples }: Prepared, weights: Float64Array, gainAt: (index: number, person: string) => number): Gain {
  const gains = examples.map(({ person }, index) => ({ person, weight: weights[index] ?? 0, gain: gainAt(index, person) }))
  const against = [...Map.groupBy(gains, ({ person }) => person)]
    .map(([person, own]) => ({ person, sum: own.reduce((sum, { weight, gain }) => sum + weight * gain, 0) }))
    .reduce((worst, one) => (one.sum < worst.sum ? one : worst), { person: '', sum: 0 })
  const rest = gains.filter(({ person }) => person !== against.person)
  return meanOf(rest.length > 0 ? rest : gains)
}

function meanOf(gains: readonly { readonly weight: number; readonly gain: number }[]): Gain {
  const total = gains.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return { mean: 0, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const mean = gains.reduce((sum, { weight, gain }) => sum + weight * gain, 0) / total
  const spread = gains.reduce((sum, { weight, gain }) => sum + weight * (gain - mean) ** 2, 0) / total
  const count = total ** 2 / gains.reduce((sum, { weight }) => sum + weight ** 2, 0)
  const half = Z * Math.sqrt(spread / count)
  return { mean, low: mean - half, high: mean + half }
}
