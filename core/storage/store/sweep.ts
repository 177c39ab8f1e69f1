/** Retention: deletes old rows in short transactions, so that the bot records and answers meanwhile. */
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../api/index.ts'
import { untilUnlocked } from '../database/until-unlocked.ts'

/** Rows of one statement: tens of milliseconds, also on the embedded database, where all other work waits. */
const BATCH = 2_000

export async function sweep(db: Database, messagesBefore: Date, tracesBefore: Date): Promise<void> {
  await dropMonths(db, 'message', messagesBefore)
  await dropMonths(db, 'trace', tracesBefore)
  await dropMonths(db, 'turn_facet', tracesBefore)
  await inBatches(db, OLD_MESSAGES, [messagesBefore])
  await db.query('delete from kikimimi.readers_before where upto < (select min(seq) from kikimimi.message)')
  await inBatches(db, OLD_DELIVERIES, [messagesBefore])
  await inBatches(db, OLD_TRACES, [tracesBefore])
  await inBatches(db, OLD_MARKS, [messagesBefore])
  await inBatches(db, OLD_PLACES, [messagesBefore])
  await inBatches(db, OLD_GAPS, [messagesBefore])
  await inBatches(db, OLD_COUNTS, [tracesBefore])
  // Some hundred rows an hour.
  await db.query(`delete from kikimimi.turn_hour where hour < date_trunc('hour', $1::timestamptz)`, [tracesBefore])
  await sweepSources(db)
}

/** Returns the time of the oldest prompt that is left. */
export async function sweepPrompts(db: Database, before: Date): Promise<Date | undefined> {
  await inBatches(db, OLD_PROMPTS, [before])
  const { rows } = await db.query<{ oldest: Date | null }>('select min(at) as oldest from kikimimi.prompt')
  return rows[0]?.oldest ?? undefined
}

/** Adds the partitions of the coming months. Without one, messages go to a partition for all others, and move later. */
export async function addMonths(db: Database, now: Date): Promise<void> {
  await withShortLocks(db, `select kikimimi.add_months($1, $1::timestamptz + interval '2 months')`, [now])
}

/** Whole months leave a table. No statement reads their tables from then on. */
export async function detachMonths(db: Database, table: 'message' | 'trace' | 'turn_facet', before: Date): Promise<void> {
  await withShortLocks(db, 'select kikimimi.detach_months($1, $2)', [table, before])
}

/** Messages are recorded meanwhile, although a session reads the table for long. */
async function withShortLocks(db: Database, sql: string, params: readonly unknown[]): Promise<void> {
  await untilUnlocked(shortLocks =>
    db.transaction(async () => {
      await db.script(shortLocks)
      await db.query(sql, params)
    }),
  )
}

/** Whole months leave the log in one moment. What plugins have of them is deleted after that, and continues after a crash. */
async function dropMonths(db: Database, table: 'message' | 'trace' | 'turn_facet', before: Date): Promise<void> {
  await detachMonths(db, table, before)
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'kikimimi'::regnamespace and relkind = 'r' and relname ~ $1 order by relname`,
    [`^${table}_gone_\\d{4}_\\d\\d_\\d\\d$`],
  )
  for (const { name } of rows) {
    // Not while the month leaves the log: that holds off all other work.
    if (table === 'message') await db.query(uncount(name))
    while (
      table === 'message' &&
      (await db.query<{ count: number }>('select kikimimi.purge_month($1, $2) as count', [name, BATCH])).rows[0]?.count
    )
      await setImmediate()
    await db.script(`drop table if exists ${name}`)
  }
}

/** The counters of authors in a month that has left the log. */
const uncount = (month: string) => `
  delete from kikimimi.author a using (
    select distinct split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month from ${month}
  ) g
  where a.platform = g.platform and a.id = g.author_id and a.month = g.month`

async function inBatches(db: Database, sql: string, params: readonly unknown[]): Promise<void> {
  while ((await db.query(`${sql} limit ${BATCH})`, params)).rowCount > 0) {
    // PGlite answers within the tick.
    await setImmediate()
  }
}

const OLD_MESSAGES = `
  delete from kikimimi.message where seq in (select seq from kikimimi.message where received_at < $1 order by received_at`
const OLD_DELIVERIES =
  'delete from kikimimi.delivery where nonce in (select nonce from kikimimi.delivery where at < $1 order by at'
const OLD_TRACES = 'delete from kikimimi.trace where turn in (select turn from kikimimi.trace where at < $1 order by at'
const OLD_PROMPTS =
  'delete from kikimimi.prompt where (turn, call) in (select turn, call from kikimimi.prompt where at < $1 order by at'
const OLD_MARKS = `
  delete from kikimimi.left_out where (channel, id) in (select channel, id from kikimimi.left_out where at < $1 order by at`
const OLD_PLACES = `
  delete from kikimimi.latest where conversation in (
    select conversation from kikimimi.latest where hour <= $1 and received_at < $1 order by hour`
const OLD_GAPS = `
  delete from kikimimi.unread_since where conversation in (
    select conversation from kikimimi.unread_since where since < $1 order by since`
const OLD_COUNTS = `
  delete from kikimimi.turn_count where (channel, hour) in (
    select channel, hour from kikimimi.turn_count where hour < date_trunc('hour', $1::timestamptz) order by hour`

/** What turns were made from goes with the last of their trace, their deliveries and their messages. */
async function sweepSources(db: Database): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const { rows }: { rows: { last: string | null }[] } = await db.query(
      `with next as (
         select distinct thing from (
           select thing from kikimimi.source where owner = 'kikimimi' and thing > $1 order by thing limit ${BATCH}
         ) page
       ), gone as (
         delete from kikimimi.source s using next n
         where s.owner = 'kikimimi' and s.thing = n.thing and not exists (select 1 from kikimimi.trace t where t.turn = n.thing)
           and not exists (select 1 from kikimimi.message m where m.turn = n.thing)
           and not exists (select 1 from kikimimi.delivery d where d.turn = n.thing)
       )
       select max(thing) as last from next`,
      [after],
    )
    after = rows[0]?.last ?? null
    await setImmediate()
  }
}
