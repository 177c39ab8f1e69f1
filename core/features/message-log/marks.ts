/** How far a follower has processed each conversation, and the failures of its places. */
import type { Database, Following, LoggedMessage } from '../../api/index.ts'
import { retryAt } from '../../models/batch-retry.ts'

/** On a server, transactions may commit out of order. The last messages are looked through again. */
const LATE = 500

/** A place in which messages are processed together. */
export interface FollowedPlace {
  readonly follower: string
  /** See `kikimimi_v1.place_of`. */
  readonly place: string
  readonly failures: number
  readonly refusals: number
  /** The last message of the batch that failed. */
  readonly failed_upto: number | null
  /** The state of the follower. */
  readonly version: number
}

/** The place of every conversation. Messages of a thread with readers of its own are not processed with its channel. */
const PLACES = `(select c.id, told.place, told.visibility from kikimimi.conversation c, lateral kikimimi_v1.place_of(c.id, null, null) told)`
const THREADS = `(
    select c.id, c.id as place, told.visibility from kikimimi.conversation c, lateral kikimimi_v1.place_of(c.id, null, null) told
    where c.thread is not null and rtrim(told.place, '+') <> c.id
  )`

/** A follower that is new begins with the messages from now on. */
export async function begin(db: Database, follower: string, again: Following['again']): Promise<void> {
  await db.query(
    `insert into kikimimi.follower (name, began, seq, again)
     select $1, last, last, $2 from (select coalesce(max(seq), 0) as last from kikimimi.message) m
     on conflict (name) do update set again = excluded.again where follower.again is distinct from excluded.again`,
    [follower, again ?? null],
  )
}

/** Marks the conversations with new messages of people. */
export async function markNews(
  db: Database,
  { name: follower, threads, all }: Pick<Following, 'name' | 'threads' | 'all'>,
): Promise<void> {
  const places = threads ? THREADS : PLACES
  const { seq, latest } = await readPosition(db, follower, '')
  if (latest <= seq) return
  await db.transaction(async () => {
    // One process at a time.
    const { seq, latest } = await readPosition(db, follower, 'for update')
    await db.query(newsIn(places), [follower, db.kind === 'postgres' ? Math.max(0, seq - LATE) : seq, all ?? false])
    await db.query(movedIn(places), [follower])
    await db.query('update kikimimi.follower set seq = $2 where name = $1', [follower, latest])
  })
}

async function readPosition(db: Database, follower: string, lock: '' | 'for update') {
  const { rows } = await db.query<{ seq: number; latest: number }>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi.message) as latest from kikimimi.follower where name = $1 ${lock}`,
    [follower],
  )
  const { seq = 0, latest = 0 } = rows[0] ?? {}
  return { seq, latest }
}

const newsIn = (places: string) => `
  insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
  select f.name, p.id, p.place, p.visibility, f.began, true
  from (select distinct conversation from kikimimi.message where seq > $2 and not own and ($3 or not author_bot)) n
    join ${places} p on p.id = n.conversation, kikimimi.follower f
  where f.name = $1
  on conflict (follower, conversation) do update set pending = true`

/** Other people can read a conversation now. */
const movedIn = (places: string) => `
  update kikimimi.follower_mark k set place = p.place, visibility = p.visibility from ${places} p
  where k.follower = $1 and k.pending and p.id = k.conversation and (p.place, p.visibility) is distinct from (k.place, k.visibility)`

export async function findPlace(db: Database, follower: string, place: string): Promise<FollowedPlace> {
  const { rows } = await db.query<FollowedPlace>(
    `select coalesce(max(failures), 0) as failures, coalesce(max(refusals), 0) as refusals, max(failed_upto) as failed_upto,
       (select version from kikimimi.follower where name = $1) as version
     from kikimimi.follower_mark where follower = $1 and place = $2`,
    [follower, place],
  )
  return { failures: 0, refusals: 0, failed_upto: null, version: 0, ...rows[0], follower, place }
}

/** Moves the marks past a batch. Returns false if they have moved since, or a person was erased. Call it in a transaction. */
export async function moveMarks(
  db: Database,
  { follower, place, version }: FollowedPlace,
  read: readonly LoggedMessage[],
): Promise<boolean> {
  const { rows } = await db.query('select 1 from kikimimi.follower where name = $1 and version = $2 for share', [
    follower,
    version,
  ])
  if (rows.length === 0) return false
  const seqs = [read.map(({ conversation }) => conversation.id), read.map(({ seq }) => seq)]
  // All or none: a mark that moves without the result of the batch would lose its messages.
  const { rows: unprocessed } = await db.query(
    `select 1 from kikimimi.follower_mark k join unnest($3::text[], $4::bigint[]) as n(conversation, seq) on n.conversation = k.conversation
     where k.follower = $1 and k.place = $2 and (n.seq > k.upto or exists (
       select 1 from kikimimi.follower_again g where g.follower = $1 and g.conversation = n.conversation and g.seq = n.seq
     )) for update of k`,
    [follower, place, ...seqs],
  )
  if (unprocessed.length < read.length) return false
  await db.query(
    `with processed as (
       select * from unnest($2::text[], $3::bigint[]) as n(conversation, seq)
     ), repeated as (
       delete from kikimimi.follower_again g using processed n
       where g.follower = $1 and g.conversation = n.conversation and g.seq = n.seq
     )
     update kikimimi.follower_mark k set upto = greatest(k.upto, n.last)
     from (select conversation, max(seq) as last from processed group by conversation) n
     where k.follower = $1 and k.conversation = n.conversation`,
    [follower, ...seqs],
  )
  await db.query(
    `update kikimimi.follower_mark set failures = 0, refusals = 0, failed_upto = null, retry_at = null
     where follower = $1 and place = $2 and failures > 0`,
    [follower, place],
  )
  return true
}

/** Stores that a batch failed, and the time of the next attempt. */
export async function keepFailure(
  db: Database,
  { follower, place, failures, refusals }: FollowedPlace,
  { isRefused, upto }: { readonly isRefused: boolean; readonly upto: number },
  now: Date,
): Promise<void> {
  await db.query(
    `update kikimimi.follower_mark set failures = $3, refusals = $4, failed_upto = $5, retry_at = $6
     where follower = $1 and place = $2 and pending`,
    [follower, place, failures + 1, refusals + Number(isRefused), upto, retryAt(failures, now)],
  )
}

/** Discards what is in progress. */
export async function discardResults(db: Database): Promise<void> {
  await db.query('update kikimimi.follower set version = version + 1')
}

/** Deletes the marks of conversations that have left the log, and messages to come again that have left it. */
export async function dropOld(db: Database): Promise<void> {
  await db.query('delete from kikimimi.follower_again g where not exists (select 1 from kikimimi.message m where m.seq = g.seq)')
  await db.query(
    `delete from kikimimi.follower_mark k where not pending
       and not exists (select 1 from kikimimi.latest l where l.conversation = k.conversation)`,
  )
}

/** What each follower and index has to do. */
export async function readFollowers(db: Database | undefined) {
  if (!db) return []
  const { rows } = await db.query<{ name: string; waiting: number; again: number; failing: number }>(
    `select f.name, greatest((select max(seq) from kikimimi.message) - f.seq, 0)::int as waiting,
       (select count(*)::int from kikimimi.follower_again g where g.follower = f.name) as again,
       (select count(*)::int from kikimimi.follower_mark k where k.follower = f.name and k.pending and k.failures > 0) as failing
     from kikimimi.follower f order by f.name`,
  )
  return rows
}
