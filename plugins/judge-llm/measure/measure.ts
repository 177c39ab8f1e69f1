/** Measures the judge of a channel after new votes, and pauses it where its verdicts tell less than they cost. */
import type { PluginContext } from 'kikimimi'
import { RETRIED_MS, SAMPLE } from './standing.ts'
import { type JudgedVote, LEAST_GAIN, startingGain, tellsLittle, type Worth, worthOf } from './worth.ts'

const DAY = 24 * 60 * 60_000
/** Calls of this time are measured, and kept. */
export const KEPT_MS = 60 * DAY
/** So many of the last votes. */
const MOST = 3_000

/** A judge is paused after this many calls, and votes of this many people, if its verdicts tell little: see {@link tellsLittle}. */
const LEAST_CALLS = 50
const LEAST_VOTES = 20
const LEAST_PEOPLE = 3
/** Votes of a sample with which a paused judge can come back, of as many people. */
const LEAST_SAMPLED = 5

type Ctx = Pick<PluginContext, 'db' | 'clock' | 'log'>

interface Row extends JudgedVote {
  readonly model: string
  readonly prompt: string
}

interface Known {
  readonly model: string
  readonly prompt: string
  readonly measured_from: Date
  readonly paused_at: Date | null
}

/** Deletes what is older than it may be, and measures every channel, also where the last call of a sample has no outcome. */
export async function measureAll(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const { db, clock } = ctx
  await db.query('delete from judge_llm.outcome where at <= $1', [new Date(clock.now() - KEPT_MS)])
  await db.query(
    'delete from judge_llm.channel c where not exists (select 1 from judge_llm.outcome o where o.channel = c.channel)',
  )
  const { rows } = await db.query<{ channel: string }>('select distinct channel from judge_llm.outcome order by channel')
  await measureEach(ctx, new Set(rows.map(({ channel }) => channel)), signal)
}

export async function measureEach(ctx: Ctx, channels: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  for (const channel of channels) {
    signal.throwIfAborted()
    // A channel that fails does not keep the others from learning.
    try {
      await measure(ctx, channel)
    } catch (error) {
      signal.throwIfAborted()
      ctx.log.warn('could not measure the judge in a channel', { channel, error })
    }
  }
}

/** Learns the coefficients of a channel, and decides whether its judge is paused. */
async function measure({ db, clock, log }: Ctx, channel: string): Promise<void> {
  const now = new Date(clock.now())
  const since = new Date(clock.now() - KEPT_MS)
  const { rows: all } = await db.query<Row>(
    `select * from (
       select o.turn, o.at, o.prior, o.verdict, o.model, o.prompt, v.person, v.value
       from judge_llm.vote v join judge_llm.outcome o on o.turn = v.turn
       where o.channel = $1 and o.at > $2 and v.value <> 0 order by o.at desc, o.turn, v.person limit ${MOST}
     ) latest order by at, turn, person`,
    [channel, since],
  )
  const { rows: latest } = await db.query<Pick<Known, 'model' | 'prompt'>>(
    'select model, prompt from judge_llm.outcome where channel = $1 order by at desc limit 1',
    [channel],
  )
  const [judge] = latest
  if (!judge) return
  const { rows } = await db.query<Known>(
    'select model, prompt, measured_from, paused_at from judge_llm.channel where channel = $1',
    [channel],
  )
  // What was learned about another model or prompt does not count.
  const known = rows.find(({ model, prompt }) => model === judge.model && prompt === judge.prompt)
  const isOwn = ({ model, prompt }: Row) => model === judge.model && prompt === judge.prompt
  const after = (from: Date) => all.filter(row => isOwn(row) && row.at > from)

  const sampledFrom = known?.paused_at && new Date(known.paused_at.getTime() + RETRIED_MS)
  if (known && sampledFrom) {
    const { calls, open } = await callsSince(sampledFrom)
    if (calls < SAMPLE || open > 0) return
    const sample = after(sampledFrom)
    const gain = startingGain(sample, worthOf([], all).alone)
    const isWorth = sample.length >= LEAST_SAMPLED && peopleIn(sample) >= LEAST_PEOPLE && gain.mean > LEAST_GAIN
    if (!isWorth) {
      await db.query('update judge_llm.channel set at = $2, paused_at = $2 where channel = $1', [channel, now])
      return
    }
    log.info(`the judge is asked again in ${channel}: ${calls} sampled verdicts told more than the points alone`)
    return store(worthOf(sample, all), { measuredFrom: sampledFrom, isPaused: false })
  }

  const measuredFrom = known?.measured_from ?? since
  const votes = after(measuredFrom)
  if (votes.length === 0) return
  const worth = worthOf(votes, all)
  const { calls } = await callsSince(measuredFrom)
  const isPaused =
    calls >= LEAST_CALLS && votes.length >= LEAST_VOTES && worth.people >= LEAST_PEOPLE && tellsLittle(worth.gain, votes.length)
  if (isPaused) {
    log.info(
      `the judge is paused in ${channel} for 7 days: ${calls} verdicts of ${judge.model} told no more than the points alone, so the points decide`,
    )
  }
  return store(worth, { measuredFrom, isPaused })

  async function callsSince(from: Date): Promise<{ readonly calls: number; readonly open: number }> {
    const { rows } = await db.query<{ calls: number; open: number }>(
      `select count(*)::int as calls, count(*) filter (where counted_at is null and spoke is not null)::int as open
       from judge_llm.outcome where channel = $1 and at > $2 and model = $3 and prompt = $4`,
      [channel, from, judge?.model, judge?.prompt],
    )
    return rows[0] ?? { calls: 0, open: 0 }
  }

  async function store(
    { coefficients, deviation, alone, votes, people, gain }: Worth,
    { measuredFrom, isPaused }: { readonly measuredFrom: Date; readonly isPaused: boolean },
  ): Promise<void> {
    await db.query(
      `insert into judge_llm.channel (channel, at, model, prompt, coefficients, deviation, alone, votes, people,
         gain, gain_low, gain_high, measured_from, paused_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       on conflict (channel) do update set at = excluded.at, model = excluded.model, prompt = excluded.prompt,
         coefficients = excluded.coefficients, deviation = excluded.deviation, alone = excluded.alone, votes = excluded.votes,
         people = excluded.people, gain = excluded.gain, gain_low = excluded.gain_low, gain_high = excluded.gain_high,
         measured_from = excluded.measured_from, paused_at = excluded.paused_at`,
      [
        ...[channel, now, judge?.model, judge?.prompt, JSON.stringify(coefficients), deviation, JSON.stringify(alone)],
        ...[votes, people, gain.mean, gain.low, gain.high, measuredFrom, isPaused ? now : null],
      ],
    )
  }
}

function peopleIn(votes: readonly JudgedVote[]): number {
  return new Set(votes.map(({ person }) => person)).size
}
