/** The figures of the overview are sums of the tables, and those of the turns that its links show. */
import { VirtualClock } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import type { ChannelView } from '../channels/views.ts'
import { keepTurns, type ManyTurn, manyTurns } from '../testing/many-turns.ts'
import { openPage, storeOf, type TestPage } from '../testing/open-page.ts'
import type { TurnLine } from '../turns/views.ts'
import type { ChannelLine, OverviewView } from './views.ts'

const HOUR = 3_600_000
const PICTURE = new URL('../page/overview/week.js', import.meta.url)
const NOW = Date.UTC(2026, 3, 4, 10, 25)

async function get<T>(bot: TestPage, path: string): Promise<T> {
  const answer = await bot.api(path)
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as T
}

/** The number of turns of all pages. */
async function count(bot: TestPage, given: Record<string, string>): Promise<number> {
  let found = 0
  for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
    const query = new URLSearchParams({ ...given, limit: '200', ...(before !== undefined && { before }) })
    const page: { turns: TurnLine[]; next?: string } = await get(bot, `turns/search?${query}`)
    found += page.turns.length
    before = page.next
  }
  return found
}

test('every total is the sum of the tables, and the number of turns that its link shows', async () => {
  await using bot = await openPage({ clock: new VirtualClock(NOW) })
  const turns = manyTurns(600, NOW - 12 * 24 * HOUR, 28 * 60_000)
  await keepTurns(storeOf(bot), turns)
  for (const [daysAgo, cost] of [
    [0, 0.25],
    [3, 0.5],
    [20, 1],
  ] as const) {
    await bot.db.query(
      `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
       values (kikimimi.hour_of($1), '', 'chat', 'reply', 'gauge', 1, 0, 900, 100, 5, $2)`,
      [new Date(NOW - daysAgo * 24 * HOUR), cost],
    )
  }
  const { repliesInWeek }: { repliesInWeek(hours: OverviewView['hours']): number[] } = await import(PICTURE.href)
  for (const hours of [24, 168, 720]) {
    const since = new Date(Math.floor(NOW / HOUR) * HOUR + HOUR - hours * HOUR).toISOString()
    const inside = turns.filter(({ trace }) => trace.at >= since)
    const seen = await get<OverviewView>(bot, `overview?hours=${hours}`)
    const { rows: used } = await bot.db.query<{ tokens: number; cost: number }>(
      `select sum(input_tokens + output_tokens)::int as tokens, sum(cost) as cost from kikimimi.model_use where hour >= $1`,
      [since],
    )
    expect(seen.since).toBe(since)
    expect(seen.totals).toEqual({
      turns: inside.length,
      messages: inside.length,
      errors: inside.filter(({ trace }) => trace.problems.length > 0).length,
      tokens: used[0]?.tokens,
      cost: expect.closeTo(used[0]?.cost ?? 0, 9),
    })
    const { rows } = await bot.db.query(
      `select count(*)::int as turns, sum(jsonb_array_length(data->'messages'))::int as messages
       from kikimimi.trace where at >= $1`,
      [since],
    )
    expect(rows).toEqual([{ turns: seen.totals.turns, messages: seen.totals.messages }])

    expect(await count(bot, { since })).toBe(seen.totals.turns)
    expect(await count(bot, { since, error: 'true' })).toBe(seen.totals.errors)
    for (const { outcome, turns } of seen.outcomes)
      expect([outcome, await count(bot, { since, outcome })]).toEqual([outcome, turns])
    for (const { reason, turns } of seen.silence)
      expect([reason, await count(bot, { since, outcome: 'silent', reason })]).toEqual([reason, turns])
    expect(seen.silence.reduce((sum, { turns }) => sum + turns, 0)).toBe(await count(bot, { since, outcome: 'silent' }))

    const sum = (name: 'turns' | 'replies' | 'errors') => seen.hours.reduce((total, hour) => total + hour[name], 0)
    const replied = inside.filter(({ trace }) => trace.outcome === 'replied')
    expect([sum('turns'), sum('replies'), sum('errors')]).toEqual([seen.totals.turns, replied.length, seen.totals.errors])
    // Berlin changes its clocks in this time, and the hours of India begin between those of UTC.
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
      vi.stubEnv('TZ', zone)
      const week = repliesInWeek(seen.hours)
      vi.unstubAllEnvs()
      expect(week.reduce((total, one) => total + one, 0)).toBe(replied.length)
      const cells = week.flatMap((replies, hour) => (replies > 2 ? { hour, replies } : []))
      for (const { hour, replies } of cells) {
        const filters = { since, outcome: 'replied', week: `${hour} ${zone}` }
        expect([filters, await count(bot, filters)]).toEqual([filters, replies])
      }
    }

    const took = ({ trace }: ManyTurn) => Object.values(trace.ms).reduce((total, ms) => total + ms, 0)
    const sorted = replied.map(took).toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
    expect(seen.latency?.count).toBe(replied.length)
    for (const [share, shown] of [
      [0.5, seen.latency?.p50 ?? 0],
      [0.95, seen.latency?.p95 ?? 0],
    ] as const)
      expect(Math.abs(Math.log2((shown + 1) / (at(share) + 1)))).toBeLessThanOrEqual(0.125 + 1e-9)

    const { channels } = await get<{ channels: ChannelLine[] }>(bot, `overview/channels?hours=${hours}`)
    expect(channels.reduce((total, { turns }) => total + turns, 0)).toBe(seen.totals.turns)
    for (const { place, turns, replies, series } of channels) {
      const channel = place.conversation
      expect([turns, replies]).toEqual([
        await count(bot, { since, channel }),
        await count(bot, { since, channel, outcome: 'replied' }),
      ])
      expect(series.reduce((total, one) => total + one, 0)).toBe(turns)
    }
  }
  const { rows: today } = await bot.db.query(
    `select kikimimi.channel_of(conversation) as channel, count(*)::int as turns, (count(*) filter (where outcome = 'replied'))::int as replies
     from kikimimi.trace where kikimimi.hour_of(at) > $1 group by 1 order by 1`,
    [new Date(NOW - 24 * HOUR)],
  )
  const { channels: listed } = await get<{ channels: ChannelView[] }>(bot, 'channels')
  expect(
    listed
      .map(({ place, turns, replies }) => ({ channel: place.conversation, turns, replies }))
      .filter(({ turns }) => turns > 0)
      .toSorted((a, b) => (a.channel < b.channel ? -1 : 1)),
  ).toEqual(today)
  const { rows: said } = await bot.db.query(
    `select author_id as id, count(*)::int as messages from kikimimi.message where not own and deleted_at is null group by 1 order by 1`,
  )
  const { people } = await get<{ people: { id: string; messages: number }[] }>(bot, 'people')
  expect(people.map(({ id, messages }) => ({ id, messages })).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(said)

  const { channels } = await get<{ channels: ChannelLine[] }>(bot, 'overview/channels?hours=720&text=de')
  expect(channels.map(({ place }) => place.name)).toEqual(['dev'])
  expect((await bot.api('overview?hours=5')).status).toBe(400)
}, 240_000)

test('without a login there are no figures', async () => {
  await using bot = await openPage({ password: 'correct horse battery' })
  expect((await bot.api('overview')).status).toBe(401)
  expect((await bot.api('overview/channels')).status).toBe(401)
})
