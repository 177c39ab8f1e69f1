// postgres: other processes change cached rows
import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { type Cached, cached } from './cached.ts'

/** Two processes that read the same table, and how often the table was read. */
async function two() {
  const scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  let now = Date.UTC(2026, 0, 5, 10)
  const clock = { ...systemClock, now: () => now }
  await db.query('create table public.small (word text)')
  let reads = 0
  const open = () =>
    cached({ db, clock, scope }, 'small', async () => {
      reads++
      const { rows } = await db.query<{ word: string }>('select word from public.small order by word')
      return rows.map(({ word }) => word)
    })
  const add = (to: Cached<readonly string[]>, word: string) =>
    to.write(() => db.query('insert into public.small values ($1)', [word]))
  return {
    ...{ db, add, one: await open(), other: await open() },
    reads: () => reads,
    pass: (ms: number) => {
      now += ms
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

test('a table is read once for many calls of `read`', async () => {
  await using t = await two()
  await Promise.all([t.one.read(), t.one.read()])
  expect(await t.one.read()).toEqual([])
  expect(t.reads()).toBe(1)
})

test('a change is known in this process at once, and in others after the notification', async () => {
  await using t = await two()
  expect([await t.one.read(), await t.other.read()]).toEqual([[], []])
  await t.add(t.one, 'train')
  expect(await t.one.read()).toEqual(['train'])
  await expect.poll(() => t.other.read()).toEqual(['train'])
})

test('after a failed change the table is read again', async () => {
  await using t = await two()
  await t.add(t.one, 'train')
  await expect(t.one.write(() => t.db.query('insert into public.nowhere values (1)'))).rejects.toThrow('nowhere')
  expect(await t.one.read()).toEqual(['train'])
})

test('a failed read is repeated', async () => {
  await using t = await two()
  await t.db.query('alter table public.small rename to gone')
  await expect(t.one.read()).rejects.toThrow('small')
  await t.db.query('alter table public.gone rename to small')
  expect(await t.one.read()).toEqual([])
})

test.runIf(testServer())('without a notification, others know a change after five seconds', async () => {
  await using t = await two()
  expect(await t.one.read()).toEqual([])
  await t.db.query('insert into public.small values ($1)', ['train'])
  t.pass(4_999)
  expect(await t.one.read()).toEqual([])
  t.pass(1)
  expect(await t.one.read()).toEqual(['train'])
})
