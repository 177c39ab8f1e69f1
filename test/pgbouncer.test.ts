// postgres: a server behind PgBouncer
/** PgBouncer in transaction mode between the bot and its server. */
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock, VirtualClock } from '../core/base/clock.ts'
import { openDatabase } from '../core/storage/database/database.ts'
import { migrate } from '../core/storage/database/migrate.ts'
import type { OpenDatabase } from '../core/storage/database/open-database.ts'
import { KERNEL_MIGRATIONS } from '../core/storage/kernel-migrations.ts'
import { createSqlStore } from '../core/storage/store/sql.ts'
import { databaseContract } from '../core/testing/database-contract.ts'
import { type PgBouncer, pgBouncerProgram, startPgBouncer } from '../core/testing/pgbouncer.ts'
import { storeContract } from '../core/testing/store-contract.ts'
import { startScene } from './liveness/scene.ts'
import { silent, until } from './support.ts'

const [program, server] = [pgBouncerProgram(), testServer()]
const missing = program ? (server ? undefined : 'TEST_DATABASE_URL is not set') : 'pgbouncer is not installed'
if (missing) process.stderr.write(`Not tried here: a bot behind PgBouncer. Why: ${missing}.\n`)

describe.skipIf(missing !== undefined)('behind PgBouncer in transaction mode', () => {
  let opened: AsyncDisposableStack
  let pooler: PgBouncer
  beforeAll(async () => {
    opened = new AsyncDisposableStack()
    pooler = opened.use(await startPgBouncer(program ?? '', server ?? ''))
  })
  afterAll(() => opened.disposeAsync())

  /** An empty database, and its URL past the pooler. */
  async function make(): Promise<{ readonly db: OpenDatabase; readonly url: string }> {
    const direct = await openTestDatabase()
    if (direct.kind !== 'postgres') throw new Error('not a server')
    const deps = { log: silent, clock: systemClock, postgres: { directUrl: direct.url } }
    const db = await openDatabase(pooler.through(direct.url), deps)
    const close = db.close.bind(db)
    return {
      url: direct.url,
      db: Object.assign(db, {
        close: async () => {
          await close()
          await direct.close()
        },
      }),
    }
  }

  databaseContract('a database', async () => (await make()).db)

  // The time of the messages.
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
  let stored: OpenDatabase | undefined
  afterAll(() => stored?.close())
  storeContract('a store', async () => {
    if (!stored) {
      stored = (await make()).db
      await migrate(stored, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
    }
    await stored.script(
      'truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.trace, kikimimi.forgetting, kikimimi.source cascade',
    )
    return createSqlStore(stored, silent, clock)
  })

  test('each connection has the time zone UTC, also when another client of the pooler has set its own', async () => {
    const { db } = await make()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    const zones = () => Promise.all(Array.from({ length: 20 }, () => db.query<{ TimeZone: string }>('show timezone')))
    expect(new Set((await zones()).flatMap(({ rows }) => rows.map(row => row.TimeZone)))).toEqual(new Set(['UTC']))
  })

  test('notifications arrive, over the direct connection', async () => {
    const { db } = await make()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    const heard: string[] = []
    await db.listen('news', payload => heard.push(payload))
    await db.query(`select pg_notify('news', 'hello')`)
    await until(() => heard.length === 1)
    expect(heard).toEqual(['hello'])
  })

  test('a statement that runs for long is left alone', { timeout: 30_000 }, async () => {
    const { db } = await make()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    const { rows } = await db.query(`select pg_sleep(6), 'done' as slept`)
    expect(rows).toMatchObject([{ slept: 'done' }])
  })

  test('a whole bot on two platforms answers each call once, in a freeze of the pooler too', { timeout: 120_000 }, async () => {
    const { db, url } = await make()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    await using scene = await startScene(pooler.through(url), { directUrl: url })
    const told = await scene.play({ ms: 8_000, begin: () => scene.link.break('freeze'), end: () => scene.link.heal() })
    expect(told).toMatchObject({ lost: 0, answeredOnce: told.calls, answeredTwice: 0, untruthful: 0 })
    expect(told.unreadyAfter).toBeLessThan(5_000)
  })
})
