/** The figures of the page are those of the counters, and the counters are those of the calls. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { scriptedModel } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { heard } from '../testing/channel.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import type { CostsView } from './views.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const budget = { day: { money: 2 }, prices: { scripted: { input: 1, output: 4 } } }

/** Uses a model in the background, for a conversation and for none. */
const worker = definePlugin({
  name: 'worker',
  setup: ({ models }) => ({
    after: async turn => {
      const request = { system: '', messages: [{ role: 'user' as const, text: 'sum up' }] }
      // A job is in no turn.
      setImmediate(async () => {
        await models.text('summary', { ...request, conversation: turn.conversation })
        await models.text('reflection', request)
      })
    },
  }),
})

async function costs(page: TestPage, query: Record<string, string> = {}): Promise<CostsView> {
  const [from, to] = [new Date(Date.now() - DAY), new Date(Date.now() + HOUR)].map(at => at.toISOString())
  const answer = await page.api(`costs?${new URLSearchParams({ from: from ?? '', to: to ?? '', ...query })}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as CostsView
}

test('calls of turns and of background work are counted, and each total is the sum of its parts', async () => {
  const models = { chat: scriptedModel('At ten.') }
  await using page = await openPage({ plugins: [addressing(), judgeRules(), reply(), worker], config: { budget, models } })
  await heard(page, 'kiki, when does the train leave?')
  await expect.poll(async () => (await costs(page)).total.calls).toBe(3)

  const { total, groups, series, steps, step, limits, forecast } = await costs(page)
  expect(groups.map(({ key, name, calls }) => [key, name, calls])).toEqual([
    ['test/team/dev', '#dev', 2],
    ['', '', 1],
  ])
  expect([step, limits]).toEqual(['hour', { money: 2 }])
  const counted = await page.db.query<{ calls: number; tokens: number; cost: number }>(
    `select sum(calls)::int as calls, sum(input_tokens + output_tokens)::int as tokens, sum(cost) as cost from kikimimi_v1.model_use`,
  )
  const spent = await page.db.query<{ tokens: number; money: number }>(
    `select tokens::int as tokens, money from kikimimi.spending where scope = '' and period = 'day'`,
  )
  const tokens = total.inputTokens + total.outputTokens
  expect(counted.rows).toEqual([{ calls: 3, tokens, cost: expect.closeTo(total.cost ?? 0) }])
  expect(spent.rows).toEqual([{ tokens, money: expect.closeTo(total.cost ?? 0) }])
  expect(series.reduce((sum, one) => sum + one.tokens, 0)).toBe(tokens)
  expect(series.every(({ at }) => new Date(steps[at] ?? '').getTime() > Date.now() - 2 * HOUR)).toBe(true)
  expect([forecast.day.tokens, forecast.month.tokens]).toEqual([tokens, tokens])

  const byPlugin = await costs(page, { by: 'plugin' })
  expect(byPlugin.groups.map(({ key, calls }) => [key, calls]).toSorted()).toEqual([
    ['reply', 1],
    ['worker', 2],
  ])
  const only = await costs(page, { by: 'role', place: 'test/team/dev', plugin: 'worker' })
  expect(only.groups.map(({ key, calls }) => [key, calls])).toEqual([['summary', 1]])
  expect(only.place).toBe('#dev')
})

test('small groups are one, days are those of the zone, and a forecast goes on like the last days', async () => {
  await using page = await openPage()
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  // 20:00 UTC is the next day in Tokyo.
  const at = (daysAgo: number, hour: number) => new Date(today.getTime() - daysAgo * DAY + hour * HOUR)
  for (let n = 0; n < 12; n++)
    for (const daysAgo of [1, 2, 3, 4, 5, 6, 7]) await add(page, at(daysAgo, 20), `test/team/c${n}`, 100 - n)
  const range = { from: at(7, 0).toISOString(), to: at(0, 0).toISOString() }
  const utc = await costs(page, { ...range, zone: 'UTC' })
  const sum = 12 * 100 - 66
  expect(utc.groups).toHaveLength(9)
  expect(utc.groups.at(-1)).toMatchObject({ key: null, inputTokens: 7 * (92 + 91 + 90 + 89) })
  expect(utc.total.inputTokens).toBe(7 * sum)
  expect(utc.steps).toEqual([7, 6, 5, 4, 3, 2, 1].map(days => at(days, 0).toISOString()))
  const tokyo = await costs(page, { ...range, zone: 'Asia/Tokyo' })
  expect(tokyo.steps).toHaveLength(8)
  expect(tokyo.steps[0]).toBe(at(8, 15).toISOString())
  expect([...new Set(tokyo.series.map(one => one.at))].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  const { day } = utc.forecast
  expect(day.expectedTokens - day.tokens).toBeCloseTo(new Date().getUTCHours() < 20 ? sum : 0, 6)
})

test.each([
  ['to=2026-01-01T00:00:00Z', 'from'],
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'with an end after its beginning'],
  ['from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'at most 400 days'],
  ['from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&zone=Mars/Base', 'a time zone such as Asia/Tokyo'],
  ['from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&by=hour;drop', 'by'],
])('%s is refused', async (query, why) => {
  await using page = await openPage()
  const answer = await page.api(`costs?${query}`)
  expect(answer.status).toBe(400)
  expect(JSON.stringify(await answer.json())).toContain(why)
})

async function add(page: TestPage, hour: Date, place: string, tokens: number): Promise<void> {
  await page.db.query(
    `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms)
     values ($1, $2, 'chat', 'reply', 'scripted', 1, 0, $3, 0, 10)`,
    [hour, place, tokens],
  )
}
