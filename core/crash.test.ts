import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { type Database, openDatabase } from './database.ts'
import { createLogger } from './log.ts'
import { inspect } from './testing/crash/findings.ts'
import { playRounds } from './testing/crash/rounds.ts'
import { openTestDatabase } from './testing/test-database.ts'

// For real, nine minutes with both databases: KIKIMIMI_CRASH_ROUNDS=20 npm test -- core/crash.test.ts
const { KIKIMIMI_CRASH_ROUNDS = '2', KIKIMIMI_CRASH_SEED = '1', TEST_DATABASE_URL } = process.env
const rounds = Number(KIKIMIMI_CRASH_ROUNDS)
const seed = Number(KIKIMIMI_CRASH_SEED)
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

/** Where the data is, and how to look into it when the bot has ended. */
type Home = (scratch: string) => Promise<{ readonly database: string; open(): Promise<Database> }>

const folder: Home = async scratch => {
  const database = join(scratch, 'data')
  return { database, open: () => openDatabase(database, { log, clock: systemClock }) }
}

const server: Home = async () => {
  const db = await openTestDatabase()
  return { database: 'url' in db ? db.url : '', open: async () => db }
}

describe.each([
  { database: 'a folder', home: folder, there: true },
  { database: 'a Postgres server', home: server, there: TEST_DATABASE_URL !== undefined },
])('a bot with its data in $database, killed at random moments,', { timeout: 60_000 * (rounds + 1) }, ({ home, there }) => {
  it.skipIf(!there).each([
    { answers: 'every call once where doubles are dropped', idempotent: true },
    { answers: 'no call twice where they are not', idempotent: false },
  ])('records each message once, judges what was pending, and answers $answers', async ({ idempotent }) => {
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-crash-'))
    const journal = join(scratch.path, 'journal')
    const { database, open } = await home(scratch.path)
    const course = await playRounds({ database, journal, idempotent, rounds, messages: 500, seed })
    const db = await open()
    const { figures, wrong } = await inspect(db, course, journal, idempotent)
    await db.close()
    process.stderr.write(`${JSON.stringify(figures)}\n`)
    expect(wrong, `seed ${seed}; a message is named by its round and number`).toEqual([])
  })
})
