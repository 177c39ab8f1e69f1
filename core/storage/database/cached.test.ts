import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { type Cached, cached } from './cached.ts'

/** Two processes that ask for the same table, and how often it was read. */
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

test('a table is read once, however often it is asked for', async () => {
  await using t = await two()
  await Promise.all([t.one.read(), t.one.read()])
  expect(await t.one.read()).toEqual([])
  expect(t.reads()).toBe(1)
})

test('a change is known here at once, and elsewhere when it is heard of', async () => {
  await using t = await two()
  expect([await t.one.read(), await t.other.read()]).toEqual([[], []])
  await t.add(t.one, 'train')
  expect(await t.one.read()).toEqual(['train'])
  await expect.poll(() => t.other.read()).toEqual(['train'])
})

test('a change that failed is no change, and what is there is read again', async () => {
  await using t = await two()
  await t.add(t.one, 'train')
  await expect(t.one.write(() => t.db.query('insert into public.nowhere values (1)'))).rejects.toThrow('nowhere')
  expect(await t.one.read()).toEqual(['train'])
})

test('what could not be read is read again', async () => {
  await using t = await two()
  await t.db.query('alter table public.small rename to gone')
  await expect(t.one.read()).rejects.toThrow('small')
  await t.db.query('alter table public.gone rename to small')
  expect(await t.one.read()).toEqual([])
})

test.runIf(testServer())('of a change that nobody tells, the others know after five seconds', async () => {
  await using t = await two()
  expect(await t.one.read()).toEqual([])
  await t.db.query('insert into public.small values ($1)', ['train'])
  t.pass(4_999)
  expect(await t.one.read()).toEqual([])
  t.pass(1)
  expect(await t.one.read()).toEqual(['train'])
})
