/** Several processes of one bot share its mutes: a server only, for the embedded database has one process. */
import { readFile } from 'node:fs/promises'
import { openTestDatabase, VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { createMutes } from './mutes.ts'

const HOUR = 60 * 60_000

test.runIf(process.env.TEST_DATABASE_URL)('the others know within a second', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  await db.script(`create schema quiet; ${await readFile(new URL('./migrations/001-quiet.sql', import.meta.url), 'utf8')}`)
  const [one, other] = [createMutes(db, clock), createMutes(db, clock)]
  const pass = (ms: number) => clock.advance(clock.now() + ms, { settle: async () => {} })

  expect([await one.holds('general'), await other.holds('general')]).toEqual([false, false])
  await one.mute('general', clock.now() + HOUR)
  expect(await one.holds('general')).toBe(true)
  await pass(1_000)
  expect(await other.holds('general')).toBe(true)

  await other.lift('general')
  expect(await other.holds('general')).toBe(false)
  await pass(1_000)
  expect(await one.holds('general')).toBe(false)

  // Between two looks nobody asks the database, however many ask here.
  const before = db.statements
  await Promise.all(Array.from({ length: 100 }, (_, index) => one.holds(`c${index}`)))
  expect(db.statements).toBe(before)
  await pass(1_000)
  await Promise.all(Array.from({ length: 100 }, (_, index) => one.holds(`c${index}`)))
  expect(db.statements).toBe(before + 1)

  // What has passed is swept by whoever mutes next.
  await one.mute('general', clock.now() + HOUR)
  await pass(2 * HOUR)
  await other.mute('random', clock.now() + HOUR)
  expect((await db.query('select channel from quiet.mute')).rows).toEqual([{ channel: 'random' }])
})
