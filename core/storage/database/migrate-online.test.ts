// postgres: migrations beside other sessions
/** Migrations with steps, beside other sessions of the server. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../api/index.ts'
import { systemClock } from '../../base/clock.ts'
import { connectTestDatabase, openTestDatabase, testServer } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'
import type { PostgresDatabase } from './postgres.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let opened: AsyncDisposableStack
let folder: string
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  db = opened.adopt(await openTestDatabase(), one => one.close())
  folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-online-'))).path
  await write('001-item.sql', 'create table shop.item (id int); insert into shop.item select generate_series(1, 100);')
  await run()
})
afterEach(() => opened.disposeAsync())

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const run = (on: Database = db) => migrate(on, 'shop', pathToFileURL(`${folder}/`), systemClock)
const indexes = async () =>
  (
    await db.query(`select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'shop.item'::regclass`)
  ).rows

it('an index that a failed build left is built again', async () => {
  await db.query('insert into shop.item values (7)')
  await write(
    '002-once.sql',
    '-- kikimimi: online\n-- step: concurrently\ncreate unique index concurrently item_once on shop.item (id)',
  )
  await expect(run()).rejects.toMatchObject({ code: 'MIGRATION_FAILED' })
  await db.query('delete from shop.item where id = 7')
  expect(await run()).toEqual(['002-once.sql'])
  expect(await indexes()).toEqual([{ name: 'item_once', valid: true }])
})

describe.skipIf(!testServer())('on a server', () => {
  const other = async () =>
    opened.adopt((await connectTestDatabase((db as PostgresDatabase).url)) as PostgresDatabase, one => one.close())

  /** A transaction of another session that has read the table, and its end. */
  async function reader(sql = 'select count(*) from shop.item'): Promise<() => Promise<void>> {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = (await other()).transaction(async one => {
      await one.script(`set transaction isolation level repeatable read; ${sql}`)
      begun.resolve()
      await ended.promise
    })
    await begun.promise
    const end = async () => {
      ended.resolve()
      await done
    }
    opened.defer(end)
    return end
  }

  const insert = async () =>
    (await other()).transaction(one => one.script(`set local lock_timeout = '5s'; insert into shop.item (id) values (101)`))

  /** Until another session runs it. */
  const waits = async (sql: string) => {
    const watching = await other()
    const asked = `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%${sql}%'
      and pid <> pg_backend_pid()`
    while ((await watching.query(asked)).rowCount === 0) await pause(10)
  }

  it.each([
    ['of an online migration', '-- kikimimi: online\n-- step\nalter table shop.item add price int'],
    ['of a migration', 'alter table shop.item add price int'],
  ])('a change %s that waits for a reader holds off no writer', async (_, sql) => {
    const end = await reader()
    await write('002-price.sql', sql)
    const migrating = run()
    await waits('add price int')
    await insert()
    await end()
    expect(await migrating).toEqual(['002-price.sql'])
  })

  it('an index that a killed process had begun to build holds off no writer, and is built once', async () => {
    const sql = 'create index concurrently item_id on shop.item (id)'
    await write('002-index.sql', `-- kikimimi: online\n-- step: concurrently\n${sql}`)
    const end = await reader()
    // What the server goes on with when the process that asked for it is gone.
    const orphan = (await other()).script(sql)
    await waits('create index')
    const { rows: begun } = await (await other()).query(`select 'shop.item_id'::regclass::oid as oid`)
    const migrating = run()
    await waits('pg_stat_progress_create_index')
    await insert()
    await end()
    await orphan
    expect(await migrating).toEqual(['002-index.sql'])
    expect((await db.query(`select 'shop.item_id'::regclass::oid as oid`)).rows).toEqual(begun)
    expect(await indexes()).toEqual([{ name: 'item_id', valid: true }])
  })

  const STEPS = `-- kikimimi: online
    -- step: concurrently
    create index concurrently item_id on shop.item (id)
    -- step
    create table shop.more (id int)`.replaceAll(/^ +/gm, '')

  it('a step may take longer than a transaction may be idle', async () => {
    await (db as PostgresDatabase).addToSession([`set idle_in_transaction_session_timeout = '4s'`])
    const end = await reader()
    await write('002-steps.sql', STEPS)
    const migrating = run()
    await waits('create index')
    await pause(4_500)
    await end()
    expect(await migrating).toEqual(['002-steps.sql'])
  })

  it('a process that has lost the lock leaves the next steps to others', async () => {
    const end = await reader()
    await write('002-steps.sql', STEPS)
    const migrating = run()
    const refused = expect(migrating).rejects.toThrow(
      '[shop] 002-steps.sql: the connection with the lock of the upgrade is lost. Start again: it continues.',
    )
    await waits('create index')
    await (await other()).query(`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`)
    await end()
    await refused
    expect(await run()).toEqual(['002-steps.sql'])
  })
})
