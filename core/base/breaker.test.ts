import { describe, expect, test } from 'vitest'
import { definePlugin, Operator, type PluginContext } from '../api/index.ts'
import { testBot } from '../testing/index.ts'
import { type Breaker, createBreaker } from './breaker.ts'

describe('breaker', () => {
  test('opens after three failures in a row', () => {
    const breaker = createBreaker()
    fail(breaker, 0, 2)
    expect(breaker.allows(0)).toBe(true)
    fail(breaker, 0, 1)
    expect(breaker.state(0)).toBe('open')
    expect(breaker.allows(59_999)).toBe(false)
    expect(breaker.retryAt).toBe(60_000)
  })

  test('a success in between starts the count over', () => {
    const breaker = createBreaker()
    fail(breaker, 0, 2)
    breaker.succeeded()
    fail(breaker, 0, 2)
    expect(breaker.state(0)).toBe('closed')
    expect(breaker.retryAt).toBeUndefined()
  })

  test('half-open allows exactly one trial until it ends', () => {
    const breaker = opened()
    expect(breaker.state(60_000)).toBe('half-open')
    expect([breaker.allows(60_000), breaker.allows(60_000), breaker.allows(90_000)]).toEqual([true, false, false])
    breaker.succeeded()
    expect([breaker.allows(60_000), breaker.allows(60_000)]).toEqual([true, true])
  })

  test('a cancelled trial allows the next one', () => {
    const breaker = opened()
    breaker.allows(60_000)
    breaker.released()
    expect(breaker.state(60_000)).toBe('half-open')
    expect(breaker.allows(60_000)).toBe(true)
  })

  test('the open time doubles with each failed trial up to the longest, and a success resets it', () => {
    const breaker = opened()
    const waits: number[] = []
    let now = 60_000
    for (let trial = 0; trial < 4; trial++) {
      breaker.allows(now)
      breaker.failed(now, `at ${now}`)
      const { retryAt = now } = breaker
      waits.push(retryAt - now)
      now = retryAt
    }
    expect(waits).toEqual([120_000, 240_000, 300_000, 300_000])
    breaker.allows(now)
    breaker.succeeded()
    fail(breaker, now, 3)
    expect(breaker.retryAt).toBe(now + 60_000)
  })

  test('a failure that arrives while it is open changes nothing', () => {
    const breaker = opened()
    breaker.failed(30_000, 'late')
    expect(breaker.retryAt).toBe(60_000)
    expect(breaker.opened).toEqual({ since: 0, why: 'at 0' })
  })

  test('it reports since when it is open and how the last trial failed, until one succeeds', () => {
    const breaker = opened()
    breaker.allows(60_000)
    breaker.failed(60_000, 'still away')
    expect(breaker.opened).toEqual({ since: 0, why: 'still away' })
    breaker.succeeded()
    expect(breaker.opened).toBeUndefined()
  })
})

describe('a bot', () => {
  test('reports which plugin is paused in which stage, until when and why, without texts of people', async () => {
    let ctx: PluginContext | undefined
    const broken = definePlugin({
      name: 'broken',
      setup(lent) {
        ctx = lent
        return {
          score: ({ message }) => {
            throw new Error(message.text.includes('secret') ? `cannot read "${message.text}"` : 'no score today')
          },
        }
      },
    })
    await using bot = await testBot({ plugins: [broken] })
    for (let n = 0; n < 2; n++) await bot.say('alice', '@kiki good morning')
    expect(ctx?.use(Operator, 'optional')?.breakers).toEqual([])
    await bot.say('alice', '@kiki my secret is 1234')
    const since = new Date('2026-01-05T10:00:00Z')
    expect(ctx?.use(Operator, 'optional')?.breakers).toEqual([
      {
        plugin: 'broken',
        stage: 'score',
        since,
        until: new Date(since.getTime() + 60_000),
        why: 'Error: cannot read "[…]"',
      },
    ])
    await bot.pass('60s')
    await bot.say('alice', '@kiki are you there?')
    expect(ctx?.use(Operator, 'optional')?.breakers).toMatchObject([
      { since, why: 'no score today', until: new Date(since.getTime() + 180_000) },
    ])
    expect(ctx?.use(Operator, 'optional')?.plugins.map(({ name }) => name)).toEqual(['broken'])
  })

  test('reports which model is paused', async () => {
    let ctx: PluginContext | undefined
    const asks = definePlugin({
      name: 'asks',
      setup(lent) {
        ctx = lent
        const request = { system: 'Answer.', messages: [{ role: 'user' as const, text: 'hello' }] }
        return { respond: async () => ({ kind: 'text', text: await lent.models.text('chat', request) }) }
      },
    })
    const away = Object.assign(new Error('the prompt was: hello'), { status: 503 })
    await using bot = await testBot({ plugins: [asks], model: away })
    for (let n = 0; n < 3; n++) {
      await bot.say('alice', '@kiki hello')
      await bot.pass('30s')
    }
    expect(ctx?.use(Operator, 'optional')?.breakers).toMatchObject([
      { model: 'scripted', why: '[models] scripted is not available at the moment (503).', until: expect.any(Date) },
    ])
  })
})

function opened(): Breaker {
  const breaker = createBreaker()
  fail(breaker, 0, 3)
  return breaker
}

function fail(breaker: Breaker, now: number, times: number): void {
  for (let time = 0; time < times; time++) {
    breaker.allows(now)
    breaker.failed(now, `at ${now}`)
  }
}
