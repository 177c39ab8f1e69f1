/** Places that must be processed now, and when the next one must be. */
import type { Database } from 'kikimimi'
import { AFTER_MARK, AUDIENCE, EVIDENCE } from './batch.ts'
import type { Options } from './options.ts'

export interface Due {
  /** Places that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
  /** The largest number of unprocessed messages of a place that has no more than `maxMessages`. */
  readonly most: number
}

/**
 * Call it after the log has been scanned.
 *
 * @param only only this place
 */
export async function duePlaces(db: Database, now: Date, options: Options, only?: string): Promise<Due> {
  const { lull, maxMessages, minMessages } = options
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null; most: number }>(DUE, [
    now,
    lull,
    maxMessages,
    minMessages,
    only ?? null,
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined, most: rows[0]?.most ?? 0 }
}

/**
 * `$1` is the time, and `$2` milliseconds. A failed batch is tried again, independent of new messages. A mark with nothing to read waits for
 * news.
 */
const DUE = `
  with marked as materialized (
    select p.place, p.conversation, n.count, n.first, n.last
    from reflection.progress p cross join lateral ${AUDIENCE} cross join lateral (
      select count(*) as count, min(received_at) as first, max(received_at) as last
      from (select x.received_at from ${AFTER_MARK('not x.own')} where ${EVIDENCE} order by x.seq limit $3 + 1) capped
    ) n
    where p.pending and ($5::text is null or p.place = $5)
  ), read as (
    update reflection.progress p set pending = false from marked m where m.count = 0 and p.conversation = m.conversation and p.pending
  ), unread as (
    select place, sum(count) as count, min(first) as first, max(last) as last from marked where count > 0 group by place
  ), each as (
    select place, failures, first,
      greatest(retry_at, case when count > $3 or failed_upto is not null then first else last + $2 * interval '1 millisecond' end) as at
    from unread join reflection.place on place.id = unread.place
    where count >= $4 or count > $3 or (count > 0 and failed_upto is not null)
  )
  select array_agg(place order by failures, first, place) filter (where at <= $1) as now, min(at) filter (where at > $1) as next,
    (select coalesce(max(count) filter (where count <= $3), 0)::int from unread) as most
  from each`
