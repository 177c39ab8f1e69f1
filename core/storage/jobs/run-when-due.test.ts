// postgres: two processes share a schedule
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, test } from 'vitest'
import { definePlugin } from '../../api/index.ts'
import { startBot } from '../../bot/bot.ts'
import type { Bot } from '../../bot/bot-type.ts'
import { testBot } from '../../testing/test-bot.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { testPlatform } from '../../testing/test-platform.ts'
import { type DueBy, runWhenDue } from './run-when-due.ts'

const MINUTE = 60_000

/** A plugin with one list of times. A run takes those that are over. */
function watch(list: number[] = []) {
  const runs: number[] = []
  let dueBy: DueBy | undefined
  const plugin = definePlugin({
    name: 'watch',
    setup: ctx => {
      dueBy = runWhenDue(ctx, 'take', () => {
        const now = ctx.clock.now()
        runs.push(now)
        list.splice(0, list.length, ...list.filter(at => at > now))
        return list.length > 0 ? new Date(Math.min(...list)) : undefined
      })
    },
  })
  const add = async (at: number) => {
    list.push(at)
    await dueBy?.(new Date(at))
  }
  return { plugin, runs, list, add }
}

describe.each(['memory', 'pglite'] as const)('work that becomes due, with jobs in %s,', storage => {
  it('runs at its time, and the next one at the time of the next', async () => {
    const { plugin, runs, list, add } = watch()
    await using bot = await testBot({ plugins: [plugin], storage })
    const start = bot.clock.now()
    list.push(start + 7 * MINUTE)
    await add(start + 3 * MINUTE)
    await bot.pass('10m')
    expect(runs.map(at => (at - start) / MINUTE)).toEqual([3, 7])
  })

  it('runs earlier when something earlier comes, and again at the first time', async () => {
    const { plugin, runs, add } = watch()
    await using bot = await testBot({ plugins: [plugin], storage })
    const start = bot.clock.now()
    await add(start + 30 * MINUTE)
    await bot.pass('1m')
    await add(start + 2 * MINUTE)
    await bot.pass('40m')
    expect(runs.map(at => (at - start) / MINUTE)).toEqual([2, 30])
  })

  it('runs at its time when that is more than an hour away', async () => {
    const { plugin, runs, add } = watch()
    await using bot = await testBot({ plugins: [plugin], storage })
    const due = bot.clock.now() + 27 * 60 * MINUTE + 5_000
    await add(due)
    await bot.pass('28h')
    expect(runs).toContain(due)
  })
})

test('work that becomes due while the bot is away runs at the next start, and later work at its time', async () => {
  const { plugin, runs, list, add } = watch()
  await using bot = await testBot({ plugins: [plugin], storage: 'pglite' })
  const start = bot.clock.now()
  list.push(start + 9 * MINUTE)
  await add(start + 5 * MINUTE)
  await bot.restart()
  await bot.pass('10m')
  expect(runs.map(at => (at - start) / MINUTE)).toEqual([5, 9])
})

test('work is free while nothing is due', async () => {
  await using bot = await testBot({ plugins: [watch().plugin], storage: 'pglite' })
  await bot.pass('2h')
  const before = bot.db.statements
  await bot.pass('359m')
  // The clock of the test tells the database where it stops.
  expect(bot.db.statements - before).toBeLessThan(10)
})

test.runIf(testServer())('two processes run it once, and a run that one brings forward takes no run from the other', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const list: number[] = []
  const processes: ReturnType<typeof watch>[] = []
  let bot: Bot | undefined
  for (let at = 0; at < 2; at++) {
    const one = watch(list)
    processes.push(one)
    const config = { persona: { name: 'kiki' }, plugins: [one.plugin] }
    bot = scope.use(await startBot(config, { db, platforms: [testPlatform({ me: { id: 'bot', name: 'kiki' } })], env: {} }))
  }
  const [one, other] = processes
  const due = Date.now() + 3_000
  await Promise.all([one?.add(due), other?.add(due)])
  await other?.add(Date.now())
  const planned = async () => (await bot?.jobs.waiting('watch.take-at', { limit: 10 })) ?? []
  const runs = () => processes.flatMap(({ runs }) => runs)
  while (runs().length === 0 || (await planned()).length > 0) await sleep(50)
  while ((await bot?.jobs.state())?.due || (await bot?.jobs.state())?.active) await sleep(50)
  expect(runs().filter(at => at >= due)).toHaveLength(1)
  expect(runs()).toHaveLength(2)
})
