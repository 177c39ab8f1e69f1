/** Places that must be processed now. */
import type { Database } from 'kikimimi'
import { EVIDENCE } from './batch.ts'
import type { Options } from './options.ts'

/**
 * Due places: longest wait first, failed ones last. Call it after the log has been
 * scanned.
 *
 * @param only only this place
 */
export async function duePlaces(db: Database, now: Date, options: Options, only?: string): Promise<readonly string[]> {
  await db.query(NOTHING_LEFT)
  const { lull, maxMessages, minMessages } = options
  const { rows } = await db.query<{ place: string }>(DUE, [
    now,
    new Date(now.getTime() - lull),
    maxMessages,
    minMessages,
    only ?? null,
  ])
  return rows.map(({ place }) => place)
}

/** Messages of people that were not processed. */
const UNREAD = `kikimimi_v1.message x where x.conversation = p.conversation and x.seq > p.upto and ${EVIDENCE}`

const NOTHING_LEFT = `
  update reflection.progress p set pending = false where pending and not exists (select 1 from ${UNREAD})`

/** A failed batch is tried again, independent of new messages. */
const DUE = `
  with unread as (
    select p.place, sum(n.count) as count, min(n.first) as first, max(n.last) as last
    from reflection.progress p cross join lateral (
      select count(*) as count, min(received_at) as first, max(received_at) as last
      from (select x.received_at from ${UNREAD} order by x.seq limit $3 + 1) capped
    ) n
    where p.pending and ($5::text is null or p.place = $5) group by p.place
  )
  select place from unread join reflection.place on place.id = unread.place
  where (retry_at is null or retry_at <= $1)
    and (count > $3 or (count >= $4 and last <= $2) or (count > 0 and failed_upto is not null))
  order by failures, first, place`
