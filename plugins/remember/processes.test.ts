// postgres: other processes know opt-outs
/** Processes of one bot learn of an opt-out at once. Needs a Postgres server. */
import { readFile } from 'node:fs/promises'
import { openTestDatabase, testServer, VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { createOptOuts } from './opt-outs.ts'

test.runIf(testServer())('other processes know it at once', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  // This test has no message log. The trigger functions are attached to no table.
  const kernel = `create schema kikimimi_v1;
    create function kikimimi_v1.before_message_edit(regproc) returns void language sql as '';
    create function kikimimi_v1.before_message_reaction(regproc) returns void language sql as '';`
  const migration = await readFile(new URL('./migrations/001-remember.sql', import.meta.url), 'utf8')
  await db.script(`${kernel} create schema remember; ${migration}`)
  const [one, other] = [
    await createOptOuts({ db, clock, scope }, async () => {}),
    await createOptOuts({ db, clock, scope }, async () => {}),
  ]
  const alice = { platform: 'test', id: 'alice' }
  const at = (minutes: number) => new Date(clock.now() + minutes * 60_000)

  expect([await one.holds(alice), await other.holds(alice)]).toEqual([false, false])
  await one.begin([alice], at(0))
  expect(await one.holds(alice)).toBe(true)
  await expect.poll(() => other.holds(alice)).toBe(true)
  await other.end([alice], at(10))
  expect(await other.holds(alice)).toBe(false)
  await expect.poll(() => one.holds(alice)).toBe(false)
  expect([await one.covers([alice], at(5)), await one.covers([alice], at(15))]).toEqual([true, false])
})
