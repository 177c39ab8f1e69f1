/** Places whose messages must be processed now, and when the next one must be. */
import type { Database, Following, LoggedMessage } from '../../api/index.ts'
import type { FollowedPlace } from './marks.ts'
import { described, HAS_CONTENT, IS_KEPT, IS_TOLD, type LogRow, toLogged } from './read.ts'

export interface Due {
  /** Places that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
  /** The largest number of unprocessed messages of a place that has no more than a batch. */
  readonly most: number
}

/** Who reads the conversation of the mark `k`: `a`. */
const READERS = 'kikimimi_v1.audience(k.conversation) a'

/** Words of people. Otherwise a plugin would process what the bot itself has made. */
const IS_EVIDENCE = `not m.own and not m.author_bot and m.text <> '' and ${IS_KEPT} and ${IS_TOLD}`

/**
 * The messages `m` that come again and those after the mark `k`, in the order of the log, of which a statement takes the first that meet a
 * condition. `offset 0` keeps the condition out: otherwise Postgres may test it on all that follow the mark, and sort them.
 */
const unprocessed = (where: string) => `(
      (select m.* from kikimimi.follower_again g join kikimimi_v1.message m on m.seq = g.seq
        where g.follower = k.follower and g.conversation = k.conversation and g.seq <= k.upto and ${where} order by m.seq offset 0)
      union all
      (select m.* from kikimimi_v1.message m where m.conversation = k.conversation and m.seq > k.upto and ${where} order by m.seq offset 0)
    ) m`

/**
 * Call it after {@link markNews}.
 *
 * @param only only this place
 */
export async function findDue(
  db: Database,
  follower: string,
  now: Date,
  { most, least = 1, lull }: Pick<Following, 'most' | 'least' | 'lull'>,
  only?: string,
): Promise<Due> {
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null; most: number }>(DUE, [
    ...[follower, now, lull, most, least],
    only ?? null,
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined, most: rows[0]?.most ?? 0 }
}

/**
 * `$2` is the time, and `$3` milliseconds. A failed batch is tried again, independent of new messages. A mark with nothing to read waits for
 * news, unless it has changed since it was read: an edit of a moment ago comes again.
 */
const DUE = `
  with marked as materialized (
    select k.follower, k.place, k.conversation, k.xmin as state, k.failures, k.failed_upto, k.retry_at, n.count, n.first, n.last
    from kikimimi.follower_mark k cross join lateral ${READERS} cross join lateral (
      select count(*) as count, min(received_at) as first, max(received_at) as last from (
        select m.received_at from ${unprocessed('not m.own')} where ${IS_EVIDENCE} order by m.seq limit $4 + 1
      ) capped
    ) n
    where k.follower = $1 and k.pending and ($6::text is null or k.place = $6)
  ), read as (
    update kikimimi.follower_mark k set pending = false, failures = 0, refusals = 0, failed_upto = null, retry_at = null
    from marked m where m.count = 0 and k.follower = $1 and k.conversation = m.conversation and k.pending and k.xmin = m.state
  ), kept as (
    delete from kikimimi.follower_again g using marked m where m.count = 0 and g.follower = m.follower and g.conversation = m.conversation
  ), unread as (
    select place, sum(count) as count, min(first) as first, max(last) as last, max(failures) as failures,
      max(failed_upto) as failed_upto, max(retry_at) as retry_at
    from marked where count > 0 group by place
  ), each as (
    select place, failures, first,
      greatest(retry_at, case when count > $4 or failed_upto is not null then first else last + $3 * interval '1 millisecond' end) as at
    from unread where count >= $5 or failed_upto is not null
  )
  select array_agg(place order by failures, first, place) filter (where at <= $2) as now, min(at) filter (where at > $2) as next,
    (select coalesce(max(count) filter (where count <= $4), 0)::int from unread) as most
  from each`

/** The next messages of a place; after a failure the same ones. More than a batch, if there are. */
export async function readNext(
  db: Database,
  { follower, place, failed_upto }: FollowedPlace,
  limit: number,
): Promise<LoggedMessage[]> {
  const { rows } = await db.query<LogRow>(NEXT, [follower, place, failed_upto, limit])
  return rows.map(toLogged)
}

const NEXT = described(`
    select n.* from kikimimi.follower_mark k cross join lateral ${READERS} join lateral (
      select m.* from ${unprocessed('($3::bigint is null or m.seq <= $3)')}
      where ${IS_KEPT} and ${HAS_CONTENT} and ${IS_TOLD} order by m.seq limit $4
    ) n on true
    where k.follower = $1 and k.place = $2 and k.pending
    order by n.seq limit $4`)
