/**
 * What the bot did in a period, from the counters that the database keeps for each hour. They are added as float8, which is exact up to
 * 2^53: as bigint, Postgres adds them as numeric, and half a million rows take twice as long.
 */
import { type Database, Operator, type PluginContext } from 'kikimimi'
import { findChannels } from '../turns/choices.ts'
import type { ChannelLine, OverviewView } from './views.ts'

const HOUR = 60 * 60_000

/** Reasons of silence in the answer. */
const REASONS = 12
/** Channels in the answer. */
const CHANNELS = 12
/** Points of a series. */
const POINTS = 24

type Summed = 'turns' | 'messages' | 'errors'

export type OverviewApp = Pick<PluginContext, 'db' | 'clock' | 'use'>

/** The beginning of a period that ends with the current hour. */
export function startOf(hours: number, now: number): Date {
  return new Date((Math.floor(now / HOUR) + 1 - hours) * HOUR)
}

export async function overview({ db, clock, use }: OverviewApp, hours: number): Promise<OverviewView> {
  const since = startOf(hours, clock.now())
  const operator = use(Operator)
  const { rows } = await db.query<Record<Summed, number> & Pick<OverviewView['outcomes'][number], 'outcome'>>(
    `select outcome, sum(turns::float8) as turns, sum(messages::float8) as messages, sum(errors::float8) as errors
     from kikimimi_v1.turn_hour where hour >= $1 group by outcome order by 2 desc`,
    [since],
  )
  const total = (name: Summed) => rows.reduce((sum, row) => sum + row[name], 0)
  const { rows: silence } = await db.query<OverviewView['silence'][number]>(
    `select reason, sum(turns::float8) as turns from kikimimi_v1.turn_hour where hour >= $1 and outcome = 'silent'
     group by reason order by 2 desc, reason limit ${REASONS}`,
    [since],
  )
  const { rows: times } = await db.query<{ at: Date; turns: number; replies: number; errors: number }>(
    `select hour as at, sum(turns::float8) as turns, coalesce(sum(turns::float8) filter (where outcome = 'replied'), 0) as replies,
       sum(errors::float8) as errors
     from kikimimi_v1.turn_hour where hour >= $1 group by hour order by hour`,
    [since],
  )
  const latency = await latencyOf(db, since)
  const { active, due } = await operator.queue()
  return {
    since: since.toISOString(),
    totals: {
      turns: total('turns'),
      messages: total('messages'),
      errors: total('errors'),
      ...(await usedSince(db, since)),
    },
    outcomes: rows.map(({ outcome, turns }) => ({ outcome, turns })),
    silence,
    ...(latency && { latency }),
    hours: times.map(({ at, ...row }) => ({ at: at.toISOString(), ...row })),
    now: { active, due },
    health: {
      platforms: operator.platforms.flatMap(platform => {
        const why = platform.unready?.()
        return why ? { name: platform.name, why } : []
      }),
      paused: operator.breakers.map(({ model, plugin }) => ({ name: model ?? plugin ?? '', isModel: model !== undefined })),
      isOverloaded: operator.overload !== undefined,
    },
  }
}

/** Of all work, as on the page of costs. */
async function usedSince(db: Database, since: Date): Promise<Pick<OverviewView['totals'], 'tokens' | 'cost'>> {
  const { rows } = await db.query<Pick<OverviewView['totals'], 'tokens' | 'cost'>>(
    `select coalesce(sum((input_tokens + output_tokens)::float8), 0) as tokens, coalesce(sum(cost), 0) as cost
     from kikimimi_v1.model_use_work where hour >= $1`,
    [since],
  )
  return rows[0] ?? { tokens: 0, cost: 0 }
}

async function latencyOf(db: Database, since: Date): Promise<OverviewView['latency']> {
  const { rows } = await db.query<{ bucket: number; turns: number }>(
    `select bucket, sum(turns::float8) as turns from kikimimi_v1.turn_hour where hour >= $1 and bucket >= 0 group by bucket having sum(turns::float8) > 0 order by bucket`,
    [since],
  )
  const count = rows.reduce((sum, { turns }) => sum + turns, 0)
  if (count === 0) return undefined
  const at = (share: number) => {
    let passed = 0
    for (const { bucket, turns } of rows) {
      passed += turns
      if (passed >= share * count) return middleOf(bucket)
    }
    return middleOf(rows.at(-1)?.bucket ?? 0)
  }
  return { p50: at(0.5), p95: at(0.95), count }
}

/** The middle of a bucket of `turn_hour`, in milliseconds. */
function middleOf(bucket: number): number {
  return 2 ** ((bucket + 0.5) / 4) - 1
}

interface ChannelRow {
  readonly channel: string
  readonly turns: number
  readonly replies: number
}

/** The channels with the most turns in a period, or those that a text finds. */
export async function channelLines({ db, clock }: OverviewApp, hours: number, text: string): Promise<readonly ChannelLine[]> {
  const since = startOf(hours, clock.now())
  const wanted = text === '' ? null : (await findChannels(db, text)).map(({ conversation }) => conversation)
  const { rows } = await db.query<ChannelRow>(
    `select channel, sum(turns::float8) as turns, sum(replies::float8) as replies from kikimimi_v1.turn_count
     where hour >= $1 and ($2::text[] is null or channel = any($2)) group by channel having sum(turns::float8) > 0
     order by 2 desc, channel limit ${CHANNELS}`,
    [since, wanted],
  )
  const ids = rows.map(({ channel }) => channel)
  const { rows: parts } = await db.query<{ channel: string; part: number; turns: number }>(
    `select channel, floor(extract(epoch from hour - $1) / 3600 * ${POINTS} / $3::int)::int as part, sum(turns::float8) as turns
     from kikimimi_v1.turn_count where hour >= $1 and channel = any($2) group by 1, 2`,
    [since, ids, hours],
  )
  const { rows: named } = await db.query<Omit<ChannelLine['place'], 'conversation'> & { readonly id: string }>(
    'select id, platform, name, visibility from kikimimi_v1.conversation where id = any($1)',
    [ids],
  )
  return rows.map(({ channel, turns, replies }) => {
    const { platform, name, visibility } = named.find(({ id }) => id === channel) ?? {
      ...{ platform: decodeURIComponent(channel.split('/')[0] ?? ''), name: channel, visibility: 'private' as const },
    }
    const series = Array.from({ length: POINTS }, () => 0)
    for (const one of parts) if (one.channel === channel) series[one.part] = (series[one.part] ?? 0) + one.turns
    return { place: { conversation: channel, platform, name, visibility }, turns, replies, series }
  })
}
