// postgres: a mute reaches other processes
/** Several processes of one bot share its mutes. Needs a Postgres server: the embedded database allows one process. */
import { readFile } from 'node:fs/promises'
import { systemClock } from 'kikimimi'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { createMutes } from './mutes.ts'

const HOUR = 60 * 60_000

async function processes() {
  const scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  await db.script(`create schema quiet; ${await readFile(new URL('./migrations/001-quiet.sql', import.meta.url), 'utf8')}`)
  let now = Date.UTC(2026, 0, 5, 10)
  const clock = { ...systemClock, now: () => now }
  const join = () => createMutes({ db, clock, scope })
  const pass = (ms: number) => {
    now += ms
  }
  return { db, clock, join, pass, [Symbol.asyncDispose]: () => scope.disposeAsync() }
}

test.runIf(testServer())('other processes see the mute, even if the clock is set back', async () => {
  await using on = await processes()
  const { db, clock, pass } = on
  const [one, other] = [await on.join(), await on.join()]
  expect([await one.holds('general'), await other.holds('general')]).toEqual([false, false])
  pass(-HOUR)
  await one.mute('general', clock.now() + HOUR)
  expect(await one.holds('general')).toBe(true)
  await expect.poll(() => other.holds('general')).toBe(true)

  await other.lift('general')
  expect(await other.holds('general')).toBe(false)
  await expect.poll(() => one.holds('general')).toBe(false)

  // The database gets no query for each question: at most one refresh falls due meanwhile.
  const before = db.statements
  await Promise.all(Array.from({ length: 100 }, (_, index) => one.holds(`c${index}`)))
  expect(db.statements - before).toBeLessThanOrEqual(1)

  // The next mute deletes expired mutes.
  await one.mute('general', clock.now() + HOUR)
  pass(2 * HOUR)
  await other.mute('random', clock.now() + HOUR)
  expect((await db.query('select channel from quiet.mute')).rows).toEqual([{ channel: 'random' }])
})

test('a mute is kept if another process reads for the first time while it is written', async () => {
  await using on = await processes()
  const mutes = await on.join()
  const muted = mutes.mute('general', on.clock.now() + HOUR)
  await Promise.all([mutes.holds('general'), mutes.holds('random')])
  await muted
  expect(await mutes.holds('general')).toBe(true)
})
