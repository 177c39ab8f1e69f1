// postgres: leases between processes
import { type LentDatabase, lendTestDatabase, VirtualClock } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import discord from '../index.ts'
import { createLeases, type Leases } from './leases.ts'

let lent: LentDatabase
let clock: VirtualClock

beforeEach(async () => {
  clock = new VirtualClock(new Date('2026-01-05T12:00:00Z'))
  lent = await lendTestDatabase([discord()])
})
afterEach(() => lent[Symbol.asyncDispose]())

const process = (wanted = 5) => createLeases(lent.db, clock, wanted)
const pass = (seconds: number) => clock.advance(clock.now() + seconds * 1_000, { settle: async () => {} })

/** The shards of each process after all have renewed. */
async function shares(...processes: readonly Leases[]): Promise<readonly (readonly number[])[]> {
  for (const one of processes) await one.renew()
  const found: (readonly number[])[] = []
  for (const one of processes) found.push((await one.renew()).own)
  return found
}

describe('shards', () => {
  test('are shared evenly', async () => {
    const [one, two, three] = [process(), process(), process()]
    expect(await shares(one)).toEqual([[0, 1, 2, 3, 4]])
    expect(await shares(one, two)).toEqual([
      [0, 1, 2],
      [3, 4],
    ])
    expect(await shares(one, two, three)).toEqual([[0, 1], [3, 4], [2]])
  })

  test('stay if a new process gets none', async () => {
    const [one, two, three] = [process(2), process(2), process(2)]
    expect(await shares(one, two, three)).toEqual([[0], [1], []])
  })

  test('of a dead process move within 20 s, and return when it wakes up', async () => {
    const [one, two] = [process(), process()]
    await shares(one, two)
    await pass(19)
    expect((await two.renew()).own).toEqual([3, 4])
    await pass(1)
    expect((await two.renew()).own).toEqual([0, 1, 2, 3, 4])
    expect(await shares(one, two)).toEqual([
      [3, 4],
      [0, 1, 2],
    ])
  })

  test('of a stopped process are free at once', async () => {
    const [one, two] = [process(), process()]
    await shares(one, two)
    await one.giveBack()
    expect((await two.renew()).own).toEqual([0, 1, 2, 3, 4])
  })

  test('are as many as the oldest process wants', async () => {
    const [one, two] = [process(2), process(4)]
    expect(await shares(one, two)).toEqual([[0], [1]])
    await one.giveBack()
    expect(await two.renew()).toMatchObject({ count: 4, own: [0, 1, 2, 3] })
  })

  test('belong to one process each, with any number of new processes', async () => {
    const processes = Array.from({ length: 6 }, () => process(4))
    for (const _ of [1, 2, 3]) await Promise.all(processes.map(one => one.renew()))
    const held = await shares(...processes)
    expect(held.flat().toSorted()).toEqual([0, 1, 2, 3])
    expect(held.map(({ length }) => length).toSorted()).toEqual([0, 0, 1, 1, 1, 1])
  })
})

test('of one bucket identify every five seconds, in any process', async () => {
  const [one, two] = [process(), process()]
  expect([await one.takeTurn(0), await two.takeTurn(0), await one.takeTurn(0)]).toEqual([0, 5_100, 5_100])
  expect(await two.takeTurn(1)).toBe(0)
  await pass(5)
  expect(await two.takeTurn(0)).toBe(100)
  await pass(0.1)
  expect([await two.takeTurn(0), await one.takeTurn(0)]).toEqual([0, 5_100])
})

describe('a clock that is an hour fast', () => {
  const hour = 60 * 60_000

  test('blocks no identify after it is corrected', async () => {
    const one = process()
    clock.set(clock.now() + hour)
    expect(await one.takeTurn(0)).toBe(0)
    clock.set(clock.now() - hour)
    expect([await one.takeTurn(0), await process().takeTurn(0)]).toEqual([0, 5_100])
  })

  test('delays no takeover from a dead process, and takes no shards from a live one', async () => {
    const fast = new VirtualClock(clock.now() + hour)
    const [one, two] = [createLeases(lent.db, fast, 5), process()]
    for (let seconds = 0; seconds < 60; seconds += 5) {
      expect((await one.renew()).own).toEqual([0, 1, 2, 3, 4])
      expect((await two.renew()).own).toEqual([])
      await pass(5)
      fast.set(clock.now() + hour)
    }
    await pass(10)
    expect((await two.renew()).own).toEqual([])
    await pass(5)
    expect((await two.renew()).own).toEqual([0, 1, 2, 3, 4])
  })
})

describe('the limit of requests', () => {
  const LIMIT = 50
  const parts = async (...processes: readonly Leases[]) => {
    const found: number[] = []
    for (const one of processes) found.push((await one.renew()).perSecond)
    return found
  }

  test('is divided evenly, and never exceeded while processes come and go', async () => {
    const [one, two, three] = [process(), process(), process()]
    const now = new Map<Leases, number>()
    const renew = async (...some: readonly Leases[]) => {
      for (const each of some) {
        now.set(each, (await each.renew()).perSecond)
        expect([...now.values()].reduce((sum, each) => sum + each)).toBeLessThanOrEqual(LIMIT)
      }
    }
    await renew(one)
    expect(now.get(one)).toBe(45)
    await renew(two, one, two, three, two, three, one, three, two)
    expect(await parts(one, two, three)).toEqual([15, 15, 15])
    await two.giveBack()
    now.delete(two)
    await renew(one, three, one, three)
    expect(await parts(one, three)).toEqual([22, 22])
  })

  test('that grows is used one renewal later', async () => {
    const [one, two] = [process(), process()]
    await parts(one, two, one)
    expect(await parts(two, two)).toEqual([5, 22])
  })
})

test('the number of shards grows in all processes, and does not shrink', async () => {
  const [one, two] = [process(2), process(2)]
  await shares(one, two)
  await two.atLeast(4)
  await two.atLeast(3)
  expect(await shares(one, two)).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect((await one.renew()).count).toBe(4)
})
