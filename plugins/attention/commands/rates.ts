/** How people took the answers of the bot, by the hashes of weights and prompt. */
import type { Database } from 'kikimimi'

/** 95 %. */
const Z = 1.96

export interface Rate {
  readonly weights: string
  readonly prompt: string
  readonly last: Date
  /** Answers with a clear outcome, and those of them that were welcome. */
  readonly known: number
  readonly welcome: number
  /** Answers without one. */
  readonly unknown: number
}

/** Latest first. @param channel absent: all */
export async function ratesOf(db: Database, channel: string | undefined): Promise<readonly Rate[]> {
  const { rows } = await db.query<Rate>(
    `select weights, prompt, max(at) as last, count(*) filter (where value <> 0)::int as known,
       count(*) filter (where value > 0)::int as welcome, count(*) filter (where value = 0)::int as unknown
     from (
       select o.weights, o.prompt, o.at, coalesce((select sum(v.value) from attention.vote v where v.turn = o.turn), 0) as value
       from attention.outcome o where o.spoke and o.counted_at is not null and ($1::text is null or o.channel = $1)
     ) each group by weights, prompt order by last desc, weights, prompt`,
    [channel ?? null],
  )
  return rows
}

export interface Interval {
  readonly share: number
  readonly low: number
  readonly high: number
}

/** The score interval of Wilson (1927). */
export function wilson(hits: number, count: number): Interval {
  if (count === 0) return { share: 0, low: 0, high: 1 }
  const share = hits / count
  const middle = (share + Z ** 2 / (2 * count)) / (1 + Z ** 2 / count)
  const half = (Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))) / (1 + Z ** 2 / count)
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** The interval of a difference of two shares, of two Wilson intervals (Newcombe 1998, method 10). */
export function difference(one: Interval, other: Interval): Interval {
  const share = one.share - other.share
  return {
    share,
    low: share - Math.hypot(one.share - one.low, other.high - other.share),
    high: share + Math.hypot(one.high - one.share, other.share - other.low),
  }
}
