// postgres: the figures of a server and of other processes
import { hostname } from 'node:os'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { definePlugin, startBot } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { scriptedModel, testPlatform, testServer, VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { heard } from '../testing/channel.ts'
import { broken, careless } from '../testing/health.ts'
import { openPage, quietLog, type TestPage } from '../testing/open-page.ts'
import type { HealthView, MeasurementView } from './views.ts'

const plugins = [addressing(), judgeRules(), reply()]

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>
const health = (page: TestPage) => json<HealthView>(page.api('health'))

const limits = { hour: { tokens: 10_000 }, day: { tokens: 100_000, money: 2 }, channel: { day: { tokens: 20_000 } } }
const budget = { ...limits, prices: { scripted: { input: 1, output: 4 } } }

test('health shows calls of models, and problems', async () => {
  await using page = await openPage({ plugins: [broken, ...plugins], model: 'At ten.' })
  await heard(page, 'kiki, when does the train leave?')
  expect(await health(page)).toMatchObject({
    platforms: [
      { name: 'playground', why: null },
      { name: 'test', why: null },
    ],
    breakers: [],
    models: [{ role: 'chat', model: 'scripted', calls: 1, failed: 0 }],
    budget: [],
    problems: [{ plugin: 'broken', stage: 'score', message: 'no score today', times: 1 }],
  })
})

test('what is valid in bot.config.ts and cannot work is shown, also after a reload', async () => {
  const late = definePlugin({ name: 'late', setup: () => ({ respond: () => undefined }) })
  await using page = await openPage({ plugins: [...plugins, late] })
  const told = expect.stringContaining('[late] is not asked in the stage respond, because [reply] before it always')
  expect((await health(page)).warnings).toEqual([told])
  await page.reload(plugins)
  expect((await health(page)).warnings).toEqual([])
})

test('a plugin that keeps failing is shown while its circuit is open', async () => {
  await using page = await openPage({ plugins: [broken, ...plugins], model: 'At ten.' })
  for (const text of ['kiki, hello', 'kiki, are you there?', 'kiki, when does the train leave?']) await heard(page, text)
  const { breakers } = await health(page)
  expect(breakers).toMatchObject([{ plugin: 'broken', stage: 'score', why: 'no score today' }])
  const [{ since = '', until = '' } = {}] = breakers
  expect(Date.parse(until) - Date.parse(since)).toBe(60_000)
})

test('the budget is shown with its use', async () => {
  await using page = await openPage({ plugins, config: { budget, models: { chat: scriptedModel('At ten.') } } })
  await heard(page, 'kiki, when does the train leave?')
  const { budget: shown, models } = await health(page)
  const [call] = models
  const tokens = (call?.inputTokens ?? 0) + (call?.outputTokens ?? 0)
  expect(tokens).toBeGreaterThan(0)
  const spent = { tokens, money: expect.closeTo(call?.cost ?? 0) }
  expect(shown).toEqual([
    { period: 'hour', until: expect.any(String), limits: { tokens: 10_000 }, spent },
    { period: 'day', until: expect.any(String), limits: { tokens: 100_000, money: 2 }, spent },
    { period: 'day', channel: 'dev', until: expect.any(String), limits: { tokens: 20_000 }, spent },
  ])
})

test('failed jobs are shown by name for a day, with an error without message texts', async () => {
  await using page = await openPage({ plugins: [...plugins, careless] })
  await page.say('bob', 'kiki, hello')
  const row = { retrying: 0, last: expect.any(String) }
  await expect
    .poll(async () => (await health(page)).queue.failed)
    .toEqual([
      { kind: 'careless.tidy', deadLetters: 2, why: 'broom 2 is gone', ...row },
      { kind: 'careless.read', deadLetters: 1, why: 'SyntaxError', ...row },
    ])
})

test('a database query that times out is given up, and the next one runs anew', async () => {
  const clock = new VirtualClock()
  await using page = await openPage({ plugins, clock })
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = page.db.transaction(async () => {
    await page.db.script('lock table kikimimi.trace')
    locked.resolve()
    await promise
  })
  await locked.promise
  const answer = page.api('health')
  let status = 0
  void answer.then(given => {
    status = given.status
  })
  // It may not have arrived yet.
  await expect
    .poll(async () => {
      await clock.advance(clock.now() + 10_000, { settle: async () => {} })
      return status
    })
    .toBe(500)
  expect(page.log).toEqual(['the page asked for something that failed "the health of the bot could not be read within 10 s"'])
  letGo()
  await holding
  expect((await page.api('health')).status).toBe(200)
})

test('response times count from the message to the bot, and each stage has its own', async () => {
  await using page = await openPage({ plugins, model: 'At ten.' })
  expect((await health(page)).latency).toEqual({ stages: [] })
  for (const text of ['kiki, hello', 'the train leaves at ten', 'kiki, are you there?']) await heard(page, text)
  const { answer, stages } = (await health(page)).latency
  expect(answer).toMatchObject({ count: 2 })
  expect(answer?.p50).toBeGreaterThan(0)
  expect(answer?.p95).toBeGreaterThanOrEqual(answer?.p50 ?? Number.POSITIVE_INFINITY)
  expect(stages.map(({ stage, count }) => [stage, count])).toEqual([
    ['score', 3],
    ['decide', 3],
    ['context', 3],
    ['respond', 3],
  ])
})

test('the page shows the process, its database, and versions', async () => {
  const own = definePlugin({ name: 'quiet', setup: () => {} })
  await using page = await openPage({ plugins: [...plugins, own] })
  await heard(page, 'kiki, hello')
  const { process: here, database, versions } = await health(page)
  expect(here).toMatchObject({ host: hostname(), pid: process.pid, others: expect.any(Number) })
  expect(Math.abs(Date.parse(here.upSince) - (Date.now() - process.uptime() * 1_000))).toBeLessThan(5_000)
  expect(database).toMatchObject({
    kind: testServer() ? 'Postgres' : 'PGlite',
    version: expect.stringMatching(/^\d+/),
    pgvector: expect.stringMatching(/^\d+\.\d+/),
    migrations: expect.any(Number),
    oldestTrace: expect.any(String),
  })
  expect(database.bytes).toBeGreaterThan(1_000_000)
  expect(versions.node).toBe(process.version)
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/)
  // A plugin of the user has no version, even if a package has its name.
  expect(versions.plugins).toEqual(
    expect.arrayContaining([{ name: 'dashboard', version }, { name: 'judge-rules', version }, { name: 'quiet' }]),
  )
})

test.skipIf(!testServer())('another process on the same database is counted', async () => {
  await using page = await openPage({ plugins })
  const alone = (await health(page)).process.others
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const beside = definePlatform({ name: 'other', setup: () => ({ platform }) })
  const config = { persona: { name: 'kiki' }, database: page.databaseUrl ?? '', plugins: [beside] }
  const second = await startBot(config, { log: quietLog, env: {} })
  await expect.poll(async () => (await health(page)).process.others).toBe(alone + 1)
  await second.stop()
  await expect.poll(async () => (await health(page)).process.others).toBe(alone)
})

test('the benchmark runs once for all callers, beside the bot, and its result is kept', async () => {
  const model = scriptedModel('At ten.')
  await using page = await openPage({ plugins, config: { models: { chat: model } } })
  expect((await health(page)).measured).toBeUndefined()
  const measure = () => json<MeasurementView>(page.api('health/measure', { method: 'POST' }))
  const asked = [measure(), measure()]
  await heard(page, 'kiki, when does the train leave?')
  const [first, second] = await Promise.all(asked)
  expect(second).toEqual(first)
  expect(first?.took).toBeLessThan(5_500)
  expect(first?.verdicts).toBeGreaterThan(100)
  for (const { p50, p95, count } of [first?.database, first?.lateness].filter(one => one !== undefined)) {
    expect(count).toBeGreaterThan(10)
    expect(p50).toBeGreaterThan(0)
    expect(p95).toBeGreaterThanOrEqual(p50)
  }
  expect((await health(page)).measured).toEqual(first)
  await page.reload([reply()])
  expect((await health(page)).measured).toEqual(first)
  // The answer only, no query of the benchmark.
  expect(model.asked).toHaveLength(1)
})
