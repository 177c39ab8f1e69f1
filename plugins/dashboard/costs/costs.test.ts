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
  for (const day of ['2026-03-29', '2026-10-25']) {
    // The clocks of Berlin change.
    const { steps } = await costs(page, { from: `${day}T00:00:00+01:00`, to: `${day}T12:00:00Z`, zone: 'Europe/Berlin' })
    expect(steps.map(at => Date.parse(at) - Date.parse(steps[0] ?? ''))).toEqual(steps.map((_, n) => n * HOUR))
  }
  // Postgres has this name without summer time.
  const summer = await costs(page, { from: '2026-07-01T00:00:00Z', to: '2026-07-09T00:00:00Z', zone: 'CET' })
  expect(summer.steps[1]).toBe('2026-07-01T22:00:00.000Z')
  const { day } = utc.forecast
  expect(day.expectedTokens - day.tokens).toBeCloseTo(new Date().getUTCHours() < 20 ? sum : 0, 6)
})

test('the sums are those of the calls, whatever they are grouped and filtered by, also once hours are changed and deleted', async () => {
  await using page = await openPage()
  const today = new Date()
  today.setUTCHours(0, 0, 0, 0)
  const at = (hours: number) => new Date(today.getTime() - 10 * DAY + hours * HOUR)
  const names = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`)
  // 12 places in 9 days of several zones, with and without prices.
  await page.db.query(
    `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
     select h, p, r, 'plugin ' || r, m, 1 + length(p), 0, 100 + extract(hour from h), 7, 10, case when m = 'model0' then 0.25 end
     from unnest($1::timestamptz[]) h, unnest($2::text[]) p, unnest($3::text[]) r, unnest($4::text[]) m`,
    [Array.from({ length: 30 }, (_, n) => at(7 * n)), names('test/team/c', 12), names('role', 2), names('model', 3)],
  )
  const changes = [
    'select 1',
    `update kikimimi.model_use set calls = calls + 1, input_tokens = input_tokens + 1000, cost = coalesce(cost, 0) + 0.5 where place = 'test/team/c3'`,
    `delete from kikimimi.model_use where hour < '${at(20).toISOString()}'`,
    `delete from kikimimi.model_use where place = 'test/team/c5' and role = 'role1'`,
  ]
  for (const change of changes) {
    await page.db.query(change)
    for (const columns of ['hour, place', 'hour, role, plugin, model']) {
      const view = `kikimimi_v1.model_use_${columns.endsWith('place') ? 'place' : 'work'}`
      const { rows } = await page.db.query(
        `select * from (
           select ${columns}, sum(calls) as calls, sum(failed) as failed, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
             round(sum(ms)::numeric, 6) as ms, round(sum(cost)::numeric, 6) as cost from kikimimi.model_use group by ${columns}
         ) u full join (
           select ${columns}, calls, failed, input_tokens, output_tokens, round(ms::numeric, 6) as ms, round(cost::numeric, 6) as cost from ${view}
         ) s using (${columns})
         where (u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost)
           is distinct from (s.calls, s.failed, s.input_tokens, s.output_tokens, s.ms, s.cost)`,
      )
      expect(rows).toEqual([])
    }
  }
  const range = { from: at(24).toISOString(), to: at(9 * 24).toISOString() }
  for (const zone of ['UTC', 'Asia/Tokyo', 'Asia/Kolkata', 'America/New_York'])
    for (const by of ['place', 'role', 'model'])
      for (const only of [{}, { place: 'test/team/c3' }, { role: 'role1' }, { place: 'test/team/c3', model: 'model0' }]) {
        const view = await costs(page, { ...range, zone, by, ...only })
        const conditions = Object.entries(only).map(([column, value]) => `and ${column} = '${value}'`)
        const { rows } = await page.db.query<{ at: Date; tokens: number; cost: number; calls: number }>(
          `select date_trunc('day', hour, $3) as at, sum(input_tokens + output_tokens)::float8 as tokens, coalesce(sum(cost), 0) as cost,
             sum(calls)::float8 as calls from kikimimi.model_use where hour >= $1 and hour < $2 ${conditions.join(' ')} group by 1 order by 1`,
          [range.from, range.to, zone],
        )
        expect(view.total.calls).toBe(rows.reduce((sum, { calls }) => sum + calls, 0))
        const each = Map.groupBy(view.series, point => view.steps[point.at])
        expect([...each].map(([at, points]) => [at, points.reduce((sum, { tokens }) => sum + tokens, 0)])).toEqual(
          rows.map(({ at, tokens }) => [at.toISOString(), tokens]),
        )
        expect([...each.values()].map(points => points.reduce((sum, { cost }) => sum + cost, 0))).toEqual(
          rows.map(({ cost }) => expect.closeTo(cost)),
        )
        expect(new Set(view.series.map(({ key }) => key))).toEqual(new Set(view.groups.map(({ key }) => key)))
      }
}, 60_000)

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
