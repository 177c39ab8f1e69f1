/** Places whose messages must be processed now, and when the next one must be. */
import type { Database, Following, LoggedMessage } from '../../api/index.ts'
import type { FollowedPlace } from './marks.ts'
import { described, HAS_CONTENT, IS_KEPT, type LogRow, toLogged, toldOf } from './read.ts'

export interface Due {
  /** Places that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
  /** The largest number of unprocessed messages of a place that is not full. */
  readonly most: number
}

/** Words of people. Otherwise a plugin would process what the bot itself has made. */
const IS_EVIDENCE = `not m.own and ($7 and ${HAS_CONTENT} or not m.author_bot and m.text <> '') and ${IS_KEPT}`

/**
 * The first messages `m` that come again or follow the mark `k`, that its readers may read, and that meet a condition. `offset 0` keeps the
 * condition out, and the difference hides a second limit of the number: otherwise Postgres expects few messages, tests all that follow the
 * mark, and sorts them.
 */
const unprocessed = (from: string, where: string, limit: string) => `(
      select f.* from (${toldOf('select k.conversation as id', 'kikimimi_v1.audience(k.conversation) a')}) e cross join lateral (
        select m.* from (
          (select m.* from kikimimi.follower_again g join kikimimi_v1.message m on m.seq = g.seq
            where g.follower = k.follower and g.conversation = k.conversation
              and g.seq <= k.upto and g.seq > e.after and g.seq <= e.upto and ${from} order by m.seq offset 0)
          union all
          (select m.* from kikimimi_v1.message m
            where m.conversation = k.conversation and m.seq > greatest(k.upto, e.after) and e.upto - m.seq >= 0 and ${from} order by m.seq offset 0)
        ) m where ${where} order by m.seq limit ${limit}
      ) f order by f.seq limit ${limit}
    )`

/**
 * Call it after {@link markNews}.
 *
 * @param only only this place
 */
export async function findDue(
  db: Database,
  follower: string,
  now: Date,
  { most, least = 1, lull, every, all = false }: Omit<Following, 'name' | 'run'>,
  only?: string,
): Promise<Due> {
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null; most: number }>(DUE, [
    ...[follower, now, lull ?? null, every?.messages ?? most + 1, least],
    ...[only ?? null, all, every?.ms ?? null],
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined, most: rows[0]?.most ?? 0 }
}

/**
 * `$2` is the time, `$3` and `$8` are milliseconds, and `$4` messages are enough. A failed batch is tried again, independent of new messages. A mark with nothing to read waits for
 * news, unless it has changed since it was read: an edit of a moment ago comes again.
 */
const DUE = `
  with marked as materialized (
    select k.follower, k.place, k.conversation, k.xmin as state, k.failures, k.failed_upto, k.retry_at, n.count, n.first, n.last
    from kikimimi.follower_mark k cross join lateral (
      select count(*) as count, min(received_at) as first, max(received_at) as last from ${unprocessed('not m.own', IS_EVIDENCE, '$4')} capped
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
      greatest(retry_at, case when count >= $4 or failed_upto is not null then first
        else least(last + $3 * interval '1 millisecond', first + $8 * interval '1 millisecond') end) as at
    from unread where count >= $5 or failed_upto is not null
  )
  select array_agg(place order by failures, first, place) filter (where at <= $2) as now, min(at) filter (where at > $2) as next,
    (select coalesce(max(count) filter (where count < $4), 0)::int from unread) as most
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
    select n.* from kikimimi.follower_mark k cross join lateral ${unprocessed(
      '($3::bigint is null or m.seq <= $3)',
      `${IS_KEPT} and ${HAS_CONTENT}`,
      '$4',
    )} n
    where k.follower = $1 and k.place = $2 and k.pending
    order by n.seq limit $4`)
