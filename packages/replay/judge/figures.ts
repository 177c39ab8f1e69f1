/** How right a judge was in the places of members. */
import { seededRandom } from 'kikimimi/host'

/** One turn for which the judge was asked. */
export interface JudgedTurn {
  /** Whether the member really answered a message of the batch. */
  readonly gold: boolean
  /** Whether the model said yes, and how sure it was, 0…1. Absent: it failed. */
  readonly verdict?: { readonly respond: boolean; readonly confidence: number }
  /** Whether the bot spoke with the verdict. */
  readonly spoke: boolean
  /** Whether the bot spoke by the points alone, without a judge. */
  readonly spokeAlone: boolean
}

export interface JudgeFigures {
  readonly turns: number
  readonly answered: number
  /** The share of the answered turns to which the model said yes, and of the others. Absent: there were none. */
  readonly truePositives?: number
  readonly falsePositives?: number
  /** The mean of the true positive rate and the true negative rate. */
  readonly balancedAccuracy?: number
  /** By the confidence of the verdict in "yes", in five bins: how sure the model was, and how often the member answered. */
  readonly calibration: readonly {
    readonly from: number
    readonly turns: number
    readonly predicted: number
    readonly seen: number
  }[]
  /** F1 of the bot with the verdicts, and by the points alone, on the same turns, each with its 95 % interval. */
  readonly f1: Interval
  readonly f1Alone: Interval
}

export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

const BINS = 5
/** Resamples of the bootstrap (Efron, 1979). */
const RESAMPLES = 1_000

/** @param turns those with a verdict count; the others are left out */
export function figuresOf(turns: readonly JudgedTurn[]): JudgeFigures {
  const known = turns.flatMap(({ verdict, ...turn }) => (verdict ? [{ ...turn, ...verdict }] : []))
  const truePositives = shareOf(known.filter(({ gold }) => gold))
  const falsePositives = shareOf(known.filter(({ gold }) => !gold))
  const both = truePositives !== undefined && falsePositives !== undefined
  const sure = known.map(turn => ({ ...turn, sure: turn.respond ? turn.confidence : 1 - turn.confidence }))
  return {
    turns: known.length,
    answered: known.filter(({ gold }) => gold).length,
    ...(truePositives !== undefined && { truePositives }),
    ...(falsePositives !== undefined && { falsePositives }),
    ...(both && { balancedAccuracy: round((truePositives + 1 - falsePositives) / 2) }),
    calibration: Array.from({ length: BINS }, (_, bin) => {
      const inBin = sure.filter(({ sure }) => Math.min(BINS - 1, Math.floor(BINS * sure)) === bin)
      return {
        from: bin / BINS,
        turns: inBin.length,
        predicted: meanOf(inBin.map(({ sure }) => sure)),
        seen: meanOf(inBin.map(({ gold }) => Number(gold))),
      }
    }),
    f1: interval(known, ({ spoke }) => spoke),
    f1Alone: interval(known, ({ spokeAlone }) => spokeAlone),
  }
}

type Known = Omit<JudgedTurn, 'verdict'>

function interval(turns: readonly Known[], spoke: (turn: Known) => boolean): Interval {
  const random = seededRandom(1)
  const resampled = Array.from({ length: RESAMPLES }, () =>
    f1(
      turns.map(() => turns[Math.floor(random() * turns.length)] as Known),
      spoke,
    ),
  ).sort((a, b) => a - b)
  const at = (share: number) => round(resampled[Math.min(RESAMPLES - 1, Math.floor(share * RESAMPLES))] ?? 0)
  return { value: round(f1(turns, spoke)), low: at(0.025), high: at(0.975) }
}

function f1(turns: readonly Known[], spoke: (turn: Known) => boolean): number {
  const spoken = turns.filter(spoke)
  const hits = spoken.filter(({ gold }) => gold).length
  const answered = turns.filter(({ gold }) => gold).length
  return spoken.length + answered === 0 ? 0 : (2 * hits) / (spoken.length + answered)
}

function shareOf(turns: readonly { readonly respond: boolean }[]): number | undefined {
  return turns.length === 0 ? undefined : round(turns.filter(({ respond }) => respond).length / turns.length)
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : round(values.reduce((sum, value) => sum + value, 0) / values.length)
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
