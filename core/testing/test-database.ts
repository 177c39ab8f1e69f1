import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../base/clock.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { openDatabase } from '../storage/database/database.ts'
import type { PgliteDatabase } from '../storage/database/pglite.ts'
import type { PostgresDatabase } from '../storage/database/postgres.ts'

export interface TestDatabaseOptions {
  readonly clock?: Clock
  readonly log?: Logger
}

/** An empty database that `close` removes: in memory, or on the server of TEST_DATABASE_URL where that is set. */
export async function openTestDatabase({
  clock = systemClock,
  log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock }),
}: TestDatabaseOptions = {}): Promise<PgliteDatabase | PostgresDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return openDatabase('memory', { clock, log })

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
