// postgres: an upgrade beside running processes
/** Tables of the last release without months and counters, whose upgrade runs in steps while others write. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { conversationId, systemClock } from 'kikimimi'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../core/storage/database/database.ts'
import { migrate, readMigrations } from '../core/storage/database/migrate.ts'
import type { OpenDatabase } from '../core/storage/database/open-database.ts'
import { KERNEL_MIGRATIONS } from '../core/storage/kernel-migrations.ts'
import { createSqlStore } from '../core/storage/store/sql.ts'
import { pgBouncerProgram, startPgBouncer } from '../core/testing/pgbouncer.ts'
import { silent } from './support.ts'

const ONLINE = ['012-counters.sql', '013-months.sql', '030-months.sql']
const MESSAGES = 5_000

let opened: AsyncDisposableStack
beforeEach(() => {
  opened = new AsyncDisposableStack()
})
afterEach(() => opened.disposeAsync())

/** The tables of before, with messages and traces. */
async function former(db: OpenDatabase): Promise<void> {
  const names = (await readMigrations('kikimimi', KERNEL_MIGRATIONS)).filter(({ name }) => name < '011')
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock, new Map(names.map(({ name, checksum }) => [name, checksum])))
  await db.query(
    `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, at, received_at)
     select 'test/team/c' || n % 20, 'test/team/c' || n % 20, n, 'p' || n % 7, 'P' || n % 7 || case when n % 9 = 0 then ' (away)' else '' end, false,
       n % 3 = 0 or n % 20 = 0 and n > 1000, false, 'said', '[]', '[]', at, at
     from (select n, timestamptz '2026-01-01' + n * interval '1 hour' as at from generate_series(1, $1::int) n) drawn`,
    [MESSAGES],
  )
  await db.query(
    `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
     select id, conversation, at, case when seq % 3 = 0 then 'replied' else 'silent' end, id, '{}' from kikimimi.message where seq % 10 = 0`,
  )
}

async function home(): Promise<{ readonly target: string; open(): Promise<OpenDatabase> }> {
  const server = testServer() ? opened.adopt(await openTestDatabase(), one => one.close()) : undefined
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-online-')))
  const target = server && 'url' in server ? server.url : join(folder.path, 'data')
  return { target, open: () => openDatabase(target, { clock: systemClock, log: silent }) }
}

/** @param last text of the statement after which it waits to be killed */
function start(target: string, last?: string): ChildProcess {
  const args = [
    join(import.meta.dirname, 'upgrade/migrating.ts'),
    target,
    fileURLToPath(KERNEL_MIGRATIONS),
    'kikimimi',
    ...(last === undefined ? [] : [last]),
  ]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly told: string }> {
  child.stdout?.resume()
  const [told, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
  return { code, told }
}

const SHAPE = `
  select indexdef as one from pg_indexes where schemaname = 'kikimimi'
  union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'kikimimi'::regnamespace and not t.tgisinternal
  union all select 'invalid: ' || indexrelid::regclass from pg_index where not indisvalid
  union all select 'unfinished: ' || name from kikimimi.migration_step
  order by 1`

/** The rows of the counters that are not as counted from the log, and those that are missing. */
const WRONG = `
  with author as (
    select split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month,
      (array_agg(author_name order by seq desc))[1] as name, bool_or(author_bot) as bot, array_agg(distinct lower(author_name)) as names,
      count(*) as messages, max(seq) as last_seq, (array_agg(at order by seq desc))[1] as last_at,
      (array_agg((at at time zone 'UTC')::date order by seq desc))[1] as last_day
    from kikimimi.message where not own and deleted_at is null group by 1, 2, 3
  ), latest as (
    select conversation, split_part(conversation, '/', 1) as platform, max(seq) as seq,
      (array_agg(received_at order by seq desc))[1] as received_at,
      (array_agg(id order by own, seq desc))[1] as heard, (array_agg(seq order by own, seq desc))[1] as heard_seq,
      (array_agg(received_at order by own, seq desc))[1] as heard_at, bool_and(own) as heard_own
    from kikimimi.message group by 1
  ), turn_count as (
    select kikimimi.channel_of(conversation) as channel, kikimimi.hour_of(at) as hour, count(*) as turns,
      count(*) filter (where outcome = 'replied') as replies
    from kikimimi.trace group by 1, 2
  ), differing as (
    select to_jsonb(a) as one from (select * from author except
      select platform, id, month, name, bot, array(select unnest(names) order by 1), messages, last_seq, last_at, last_day from kikimimi.author) a
    union all select to_jsonb(l) from (select * from latest except
      select conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own from kikimimi.latest) l
    union all select to_jsonb(t) from (select * from turn_count except select channel, hour, turns, replies from kikimimi.turn_count) t
  )
  select one from differing
  union all select to_jsonb(n) from (select
    (select count(*) from author) - (select count(*) from kikimimi.author) as people,
    (select count(*) from latest) - (select count(*) from kikimimi.latest) as places,
    (select count(*) from turn_count) - (select count(*) from kikimimi.turn_count) as hours,
    (select count(*) from kikimimi.trace where facets is null) as unsearchable) n
  where n <> (0::bigint, 0::bigint, 0::bigint, 0::bigint)`

async function counted(db: OpenDatabase): Promise<void> {
  expect((await db.query('select count(*) from kikimimi.message')).rows).toEqual([{ count: MESSAGES }])
  expect((await db.query('select count(*) from kikimimi.trace')).rows).toEqual([{ count: MESSAGES / 10 }])
  expect((await db.query(WRONG)).rows).toEqual([])
}

/** A message is deleted, one is erased, and one is said again as by somebody with another name. */
const change = (deleted: number, erased: number, repeated: number) => `
  delete from kikimimi.message where seq = ${deleted};
  update kikimimi.message set deleted_at = now() where seq = ${erased};
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, at, received_at)
    select conversation, channel, id || 'b', author_id, 'B', false, false, false, 'said', '[]', '[]', at, received_at
    from kikimimi.message where seq = ${repeated}`

/** What happens to the log after a start was killed in a step: before the messages of before are counted, and after it. */
const CHANGES: Readonly<Record<string, string>> = {
  'create table kikimimi.author_before': change(10, 11, 12),
  'drop table kikimimi.author': `${change(4_001, 4_004, 4_003)}; update kikimimi.message set deleted_at = null where seq = 11`,
}

it('a start that is killed in a step is continued by the next one', async () => {
  const { target, open } = await home()
  const old = await open()
  await former(old)
  await old.close()
  const markers = [
    'message_reply on kikimimi.message',
    'create table kikimimi.author_before',
    'drop table kikimimi.author',
    'kikimimi.index_on(200)',
    'lock table kikimimi.message, kikimimi.trace',
    `delete from pgboss.job where name = 'turn'`,
  ]
  for (const marker of markers) {
    const child = start(target, marker)
    const exited = once(child, 'exit')
    let out = ''
    for await (const sql of child.stdout ?? []) {
      out += sql
      if (out.includes(marker)) child.kill('SIGKILL')
    }
    expect([marker, ...(await exited)]).toEqual([marker, null, 'SIGKILL'])
    const changes = CHANGES[marker]
    if (changes === undefined) continue
    const db = await open()
    await db.script(changes)
    await db.close()
  }
  expect((await ended(start(target))).code).toBe(0)
  const db = opened.adopt(await open(), one => one.close())
  await db.script(change(4_021, 4_024, 4_023))
  await counted(db)
  const fresh = opened.adopt(await openTestDatabase({ migrations: {} }), one => one.close())
  expect((await db.query(SHAPE)).rows).toEqual((await fresh.query(SHAPE)).rows)
})

it('numbers of messages go on after the highest that was given, and the future is no obstacle', async () => {
  const db = opened.adopt(await openTestDatabase(), one => one.close())
  await former(db)
  await db.script(`
    delete from kikimimi.message where seq > 10;
    insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data) values ('t', 'test/team/c0', '2099-01-01', 'silent', 'm', '{}');
    update kikimimi.message set at = '2099-01-01' where seq = 10`)
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  const place = { platform: 'test', workspace: 'team', channel: 'c0', name: 'c0', visibility: 'public' as const }
  const author = { id: 'alice', name: 'Alice' }
  const said = { id: 'new', author, text: 'hello', at: new Date(), mentions: [], attachments: [], own: false }
  await createSqlStore(db, silent, systemClock).record({ ...place, id: conversationId(place) }, said, new Date())
  expect((await db.query(`select seq from kikimimi.message where id = 'new'`)).rows).toEqual([{ seq: MESSAGES + 1 }])
  expect((await db.query(`select 1 from kikimimi.trace where at > now() + interval '3 months'`)).rows).toEqual([])
})

const program = pgBouncerProgram()
describe.skipIf(!testServer())('three processes that start at once', () => {
  it.each(program ? [false, true] : [false])('migrate once (through PgBouncer: %s)', async pooled => {
    const { target, open } = await home()
    const db = opened.adopt(await open(), one => one.close())
    await former(db)
    const pooler = pooled ? opened.use(await startPgBouncer(program ?? '', target)) : undefined
    const processes = Array.from({ length: 3 }, () => ended(start(pooler ? pooler.through(target) : target)))
    const results = await Promise.all(processes)
    expect(results.map(({ code, told }) => (code === 0 ? code : told))).toEqual([0, 0, 0])
    const ran = results.flatMap(({ told }) => JSON.parse(told) as string[])
    expect(ran.filter(name => ONLINE.includes(name)).sort()).toEqual(ONLINE)
    expect(new Set(ran).size).toBe(ran.length)
    await counted(db)
  })
})
