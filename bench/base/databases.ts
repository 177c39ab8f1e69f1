/** Databases that are deleted after a measurement. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, systemClock } from 'kikimimi'
import pg from 'pg'
import { openDatabase } from '../../core/storage/database/database.ts'
import { benchLog } from './talk.ts'

/** PGlite in a folder, like `npm start`. */
export async function inFolder<T>(run: (target: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'kikimimi-bench-'))
  try {
    return await run(join(dir, 'data'))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * A separate database on the server, dropped afterwards.
 * @param template the database of which it is a copy
 */
export async function onServer<T>(server: string, run: (target: string) => Promise<T>, template = 'template1'): Promise<T> {
  const name = `kikimimi_bench_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  try {
    return await run(Object.assign(new URL(server), { pathname: name }).href)
  } finally {
    await administer(server, `drop database if exists ${name} with (force)`)
  }
}

export async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Opens a database for a moment. */
export async function on<T>(url: string, run: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url, { clock: systemClock, log: benchLog })
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}
