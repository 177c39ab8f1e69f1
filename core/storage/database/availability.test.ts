// postgres: a server can be unavailable
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sleep, systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { KERNEL_MIGRATIONS } from '../kernel-migrations.ts'
import { createAvailability } from './availability.ts'
import { migrate } from './migrate.ts'
import type { OpenDatabase } from './open-database.ts'
import { createOutageLog } from './outage-log.ts'

let db: OpenDatabase
let scope: AsyncDisposableStack
const lines: string[] = []
const log = createLogger({ level: 'info', format: 'lines', write: line => void lines.push(line.slice(9)), clock: systemClock })

beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  scope = new AsyncDisposableStack()
})
afterAll(async () => {
  await scope.disposeAsync()
  await db.close()
})

const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

it('costs one statement for many callers, also while that one gets no answer', { timeout: 20_000 }, async () => {
  const availability = createAvailability({ db, clock: systemClock, log, scope, fail: () => {} })
  const callers = () => Promise.all(Array.from({ length: 50 }, () => availability.unready()))
  const before = db.statements
  expect(new Set(await callers())).toEqual(new Set([undefined]))
  expect(db.statements - before).toBe(1)

  // The tables are locked for longer than the check waits: on PGlite by any transaction, which has its one connection.
  const release = Promise.withResolvers<void>()
  const holding = db.transaction(async () => {
    await db.query('lock table kikimimi.message in access exclusive mode')
    await release.promise
  })
  await expect
    .poll(() => availability.unready(), { timeout: 5_000 })
    .toMatch(/^database: (?:no answer for|another session locks)/)
  const held = db.statements
  const answers = await callers()
  expect(answers.every(why => why?.startsWith('database: '))).toBe(true)
  expect(db.statements - held).toBeLessThanOrEqual(1)
  release.resolve()
  await holding
  await expect.poll(() => availability.unready(), { timeout: 5_000 }).toBeUndefined()
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2)
  expect(lines[0]).toMatch(/^warn the database is unavailable: .*New messages wait/)
  expect(lines[1]).toMatch(/^warn the database is available again after [\d.]+ s; 0 messages have waited/)
})

it('a warning that repeats the reason of an outage is left out of the log, and others are not', () => {
  const seen: string[] = []
  const given = createLogger({ level: 'warn', format: 'lines', write: line => void seen.push(line.slice(9)), clock: systemClock })
  const quiet = createOutageLog(given, { repeats: warning => warning.includes(away.message) }).child('facts')
  quiet.warn(`could not count messages: ${away.message}`)
  quiet.warn('could not count messages', { error: away })
  quiet.warn('the model took too long')
  quiet.error(`a message is lost: ${away.message}`)
  expect(seen).toEqual(['warn [facts] the model took too long\n', `error [facts] a message is lost: ${away.message}\n`])
})

it('a failure that is over at once is one line', { timeout: 20_000 }, async () => {
  lines.length = 0
  const availability = createAvailability({ db, clock: systemClock, log, scope, fail: () => {} })
  db.onFailure(away)
  expect(availability.repeats(away.message)).toBe(true)
  expect(await availability.unready()).toBeUndefined()
  await expect.poll(() => availability.repeats(away.message), { timeout: 10_000 }).toBe(false)
  expect(lines).toEqual([
    expect.stringContaining('warn lost connections to the database, and opened new ones: it cannot be reached'),
  ])
})

it('a failure inside of a transaction is told with its own reason', { timeout: 20_000 }, async () => {
  lines.length = 0
  createAvailability({ db, clock: systemClock, log, scope, fail: () => {} })
  const full = `do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`
  await db
    .transaction(async () => {
      await db.query(full).catch(() => {})
      await sleep(systemClock, 100)
    })
    .catch(() => {})
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2)
  expect(lines[0]).toMatch(/^error the database is unavailable: its disk is full/)
})
