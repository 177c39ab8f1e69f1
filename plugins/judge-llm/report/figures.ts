/** How the judge does in each channel: what its verdicts are worth, and what they cost. */
import { type Awaitable, type Database, service } from 'kikimimi'
import type { Coefficients } from '../combine.ts'
import { RETRIED_MS } from '../measure/standing.ts'

/** A share as a count of a count. */
export interface Share {
  readonly hits: number
  readonly of: number
}

export interface Bin {
  readonly from: number
  readonly to: number
  /** Judged turns with an outcome in this bin of the probability with the verdict. */
  readonly turns: number
  /** Mean probability, 0…1. */
  readonly predicted: number
  /** The share in which an answer was welcome, or would have been, 0…1. */
  readonly seen: number
}

export interface Figures {
  /** The id of the channel, and its name. */
  readonly channel: string
  readonly name: string
  /** Verdicts in the last 60 days, and those with an outcome that people showed. */
  readonly calls: number
  readonly known: number
  /** Of the turns in which an answer was welcome, or would have been: the verdict was to speak. */
  readonly truePositives: Share
  /** Of the turns in which it was not: the verdict was to speak. */
  readonly falsePositives: Share
  /** The mean of the true positive rate and the true negative rate. Absent: one of them is unknown. */
  readonly balancedAccuracy?: number
  /** Of the turns in which an answer was, or would have been, welcome: the bot said nothing. `unasked`: no follow-up. */
  readonly missed: { readonly followUp: Share; readonly unasked: Share }
  /** Five bins of the probability with the verdict. */
  readonly calibration: readonly Bin[]
  readonly tokens: number
  /** In the currency of the prices in bot.config.ts. Absent: the model has no price. */
  readonly cost?: number
  /** What was learned. Absent: no outcome was counted yet. */
  readonly learned?: {
    readonly coefficients: Coefficients
    /** 95 % interval of c. */
    readonly low: number
    readonly high: number
    readonly votes: number
    readonly people: number
    /** What the verdict adds to the log likelihood of a vote, in nats, with its 95 % interval. */
    readonly gain: number
    readonly gainLow: number
    readonly gainHigh: number
  }
  /** When a paused judge is asked again. Absent: it is not paused. */
  readonly pausedUntil?: Date
  /** Prompts of which something was missing. */
  readonly prompts: { readonly few: Share; readonly noTarget: Share; readonly noOwn: Share }
}

export interface JudgeFigures {
  /** @param channel the id of a channel. Nothing: no verdict was given there. */
  of(channel: string): Awaitable<Figures | undefined>
  /** The verdicts of a channel, by the message that each turn was about: −1…1, negative for silence. Replays decide with them. */
  verdicts(channel: string): Awaitable<ReadonlyMap<string, number>>
}

export const JudgeFigures = service<JudgeFigures>('judge-figures', '@kikimimi/judge-llm')

/** A prompt with fewer lines around the message than this shows too little. */
export const FEW = 5
const BINS = 5
/** 95 %. */
const Z = 1.96

interface Row {
  readonly channel: string
  readonly name: string | null
  readonly verdict: number
  readonly after: number
  readonly spoke: boolean | null
  readonly follow_up: boolean
  readonly lines: number
  readonly has_target: boolean
  readonly has_own: boolean
  readonly tokens: number
  readonly cost: number | null
  /** The sum of the votes. */
  readonly value: number | null
}

/** By name. @param channel the id of a channel; absent: all */
export async function figuresOf(db: Database, channel?: string): Promise<readonly Figures[]> {
  const { rows } = await db.query<Row>(
    `select o.channel, c.name, o.verdict, o.after, o.spoke, o.follow_up, o.lines, o.has_target, o.has_own,
       o.input_tokens + o.output_tokens as tokens, o.cost,
       (select sum(v.value) from judge_llm.vote v where v.turn = o.turn) as value
     from judge_llm.outcome o left join kikimimi_v1.conversation c on c.id = o.channel
     where $1::text is null or o.channel = $1 order by c.name, o.channel, o.at`,
    [channel ?? null],
  )
  const { rows: learned } = await db.query<Learned>(
    `select channel, coefficients, deviation, votes, people, gain, gain_low, gain_high, paused_at
     from judge_llm.channel where $1::text is null or channel = $1`,
    [channel ?? null],
  )
  return [...Map.groupBy(rows, row => row.channel).values()].map(calls =>
    figuresIn(
      calls,
      learned.find(({ channel }) => channel === calls[0]?.channel),
    ),
  )
}

function figuresIn(calls: readonly Row[], learned: Learned | undefined): Figures {
  const known = calls.filter(({ value }) => value !== null && value !== 0)
  const welcome = known.filter(({ value }) => Number(value) > 0)
  const unwelcome = known.filter(({ value }) => Number(value) < 0)
  const yes = ({ verdict }: Row) => verdict > 0
  const [truePositives, falsePositives] = [shareOf(welcome, yes), shareOf(unwelcome, yes)]
  const isMissed = ({ spoke }: Row) => spoke === false
  const [first] = calls
  const costs = calls.flatMap(({ cost }) => cost ?? [])
  return {
    channel: first?.channel ?? '',
    name: first?.name ?? first?.channel ?? '',
    calls: calls.length,
    known: known.length,
    ...{ truePositives, falsePositives },
    ...(welcome.length > 0 &&
      unwelcome.length > 0 && {
        balancedAccuracy: (truePositives.hits / truePositives.of + 1 - falsePositives.hits / falsePositives.of) / 2,
      }),
    missed: {
      followUp: shareOf(
        welcome.filter(row => row.follow_up),
        isMissed,
      ),
      unasked: shareOf(
        welcome.filter(row => !row.follow_up),
        isMissed,
      ),
    },
    calibration: Array.from({ length: BINS }, (_, bin) => binOf(known, bin)),
    tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(learned && { learned: learnedOf(learned) }),
    ...(learned?.paused_at && { pausedUntil: new Date(learned.paused_at.getTime() + RETRIED_MS) }),
    prompts: {
      few: shareOf(calls, ({ lines }) => lines < FEW),
      noTarget: shareOf(calls, row => !row.has_target),
      noOwn: shareOf(calls, row => !row.has_own),
    },
  }
}

function shareOf(rows: readonly Row[], isHit: (row: Row) => boolean): Share {
  return { hits: rows.filter(isHit).length, of: rows.length }
}

function binOf(known: readonly Row[], bin: number): Bin {
  const rows = known.filter(({ after }) => Math.min(BINS - 1, Math.floor(after * BINS)) === bin)
  const mean = (values: readonly number[]) =>
    values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length
  return {
    ...{ from: bin / BINS, to: (bin + 1) / BINS, turns: rows.length },
    predicted: mean(rows.map(({ after }) => after)),
    seen: mean(rows.map(({ value }) => Number(Number(value) > 0))),
  }
}

interface Learned {
  readonly channel: string
  readonly coefficients: Coefficients
  readonly deviation: number
  readonly votes: number
  readonly people: number
  readonly gain: number
  readonly gain_low: number
  readonly gain_high: number
  readonly paused_at: Date | null
}

function learnedOf({
  coefficients,
  deviation,
  votes,
  people,
  gain,
  gain_low,
  gain_high,
}: Learned): NonNullable<Figures['learned']> {
  return {
    ...{ coefficients, votes, people, gain, gainLow: gain_low, gainHigh: gain_high },
    low: coefficients.c - Z * deviation,
    high: coefficients.c + Z * deviation,
  }
}

/** See {@link JudgeFigures.verdicts}. */
export async function verdictsIn(db: Database, channel: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ message: string; verdict: number }>(
    'select message, verdict from judge_llm.outcome where channel = $1 order by at',
    [channel],
  )
  return new Map(rows.map(({ message, verdict }) => [message, verdict]))
}
