/** Repeating work, as a plugin declares it. */
import { testBot } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import { definePlugin } from '../../api/index.ts'
import type { Schedule } from '../../base/schedule.ts'

function noting(schedule: Schedule) {
  const ran: string[] = []
  const plugin = definePlugin({
    name: 'clock',
    setup: ctx => ctx.every('strike', schedule, () => void ran.push(new Date(ctx.clock.now()).toISOString().slice(0, 16))),
  })
  return { plugin, ran }
}

const NEW_YORK = { cron: '30 1 * * *', timeZone: 'America/New_York' }

it('a time of the day comes once a day, also on the days on which the clocks change', async () => {
  const { plugin, ran } = noting(NEW_YORK)
  await using bot = await testBot({ plugins: [plugin], at: new Date('2026-10-31T12:00:00Z') })
  await bot.pass('3d')
  expect(ran).toEqual(['2026-11-01T05:30', '2026-11-02T06:30', '2026-11-03T06:30'])
})

it('a time at which no process ran is made up for once, and a changed time replaces the old one', async () => {
  const { plugin, ran } = noting(NEW_YORK)
  await using bot = await testBot({ plugins: [plugin], at: new Date('2026-06-01T04:00:00Z'), storage: 'pglite' })
  await bot.restart('2d')
  await bot.pass('1m')
  expect(ran).toEqual(['2026-06-03T04:00'])
  const later = noting({ ...NEW_YORK, cron: '0 2 * * *' })
  await bot.reload({ plugins: [later.plugin] })
  await bot.pass('1d')
  expect([ran.length, later.ran]).toEqual([1, ['2026-06-03T06:00']])
})
