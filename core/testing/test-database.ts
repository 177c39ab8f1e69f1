import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { openDatabase } from '../storage/database/database.ts'
import { migrate } from '../storage/database/migrate.ts'
import type { PgliteDatabase } from '../storage/database/pglite/database.ts'
import type { PostgresDatabase } from '../storage/database/postgres.ts'
import { silentLog } from './test-log.ts'

export interface TestDatabaseOptions {
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Default: none. */
  readonly log?: Logger
  /**
   * Folders of migrations by plugin: `{ facts: new URL('./migrations/', import.meta.url) }`. When given, the tables of the kernel
   * are created as well, before these. Default: what a new database has: PGlite has the tables of the kernel, a server has none.
   */
  readonly migrations?: Readonly<Record<string, URL>>
}

/** A database that `close` removes: in memory, or on the server of TEST_DATABASE_URL where that is set. */
export async function openTestDatabase({
  clock = systemClock,
  log = silentLog,
  migrations,
}: TestDatabaseOptions = {}): Promise<PgliteDatabase | PostgresDatabase> {
  const db = await openEmpty(clock, log)
  if (!migrations) return db
  try {
    await migrate(db, 'kikimimi', new URL('../storage/migrations/', import.meta.url), clock)
    for (const [plugin, folder] of Object.entries(migrations)) await migrate(db, plugin, folder, clock)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/**
 * Opens a database without creating one: by the URL of a server, as a second process of the bot does, or `memory` for an
 * empty PGlite. `close` only closes the connection.
 *
 */
export function connectTestDatabase(
  target: string,
  { clock = systemClock, log = silentLog }: Omit<TestDatabaseOptions, 'migrations'> = {},
): Promise<PgliteDatabase | PostgresDatabase> {
  return openDatabase(target, { clock, log })
}

/**
 * The server on which tests create and drop databases: TEST_DATABASE_URL. Undefined when tests run on PGlite. Tests read
 * the variable only through this function. `npm run test:postgres` runs the files that begin with `// postgres: REASON`.
 */
export function testServer(): string | undefined {
  globalThis.kikimimiAskedForServer = true
  return process.env.TEST_DATABASE_URL || undefined
}

async function openEmpty(clock: Clock, log: Logger): Promise<TestDatabase> {
  const server = testServer()
  if (!server) {
    const db = await openDatabase('memory', { clock, log })
    // Tables of tests are so small that a plan for each value takes longer than the rows.
    await db.script('set plan_cache_mode = force_generic_plan')
    return db
  }

  const name = `kikimimi_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name}`)
  const db = await openDatabase(Object.assign(new URL(server), { pathname: name }).href, { clock, log })
  const close = db.close.bind(db)
  return Object.assign(db, {
    async close() {
      await close()
      await administer(server, `drop database if exists ${name} with (force)`)
    },
  })
}

type TestDatabase = PgliteDatabase | PostgresDatabase

declare global {
  /** Kept on `globalThis`: the modules of a test file are loaded again for the next file in the process. */
  var kikimimiTestDatabase: Promise<TestDatabase> | undefined
  /** Whether the test file has asked for a server: see scripts/test-file.ts. */
  var kikimimiAskedForServer: boolean | undefined
}

let server: Promise<TestDatabase> | undefined

afterAll(async () => {
  const db = await server
  server = undefined
  await db?.close()
})

/**
 * The database that test bots use one after the other, because opening one takes longer than a test. PGlite is opened once
 * per process, and closed with it. On a server, each test file has its own database.
 */
export function sharedTestDatabase(): Promise<TestDatabase> {
  if (testServer()) {
    server ??= openTestDatabase()
    return server
  }
  globalThis.kikimimiTestDatabase ??= openTestDatabase()
  return globalThis.kikimimiTestDatabase
}

async function administer(server: string, sql: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
