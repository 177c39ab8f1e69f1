/** The replay of a channel that asks the real judge about a sample, with a real client and a server that speaks its format. */
import { LLMock } from '@copilotkit/aimock'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { ChatOpenAICompletions } from '@langchain/openai'
import { definePlugin, type PluginContext } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import replay, { type ReplayRequest, Replays } from '../index.ts'

let server: LLMock
beforeEach(async () => {
  server = new LLMock({ port: 0, logLevel: 'silent' })
  await server.start()
})
afterEach(() => server.stop())

const TURNS = 20

const scorer = definePlugin({
  name: 'scorer',
  setup: () => ({ score: ({ message }) => ({ points: 30, why: 'open', message: message.id }) }),
})

/** Says yes to the messages of even numbers. */
function verdicts(): void {
  server.on({}, ({ messages, tools }) => {
    const last = [...JSON.stringify(messages.at(-1)).matchAll(/number (\d+)/g)].at(-1)?.[1]
    const verdict = { reason: 'a test', respond: Number(last) % 2 === 0, confidence: 0.9, delaySeconds: null }
    const tool = tools?.[0]?.function.name
    return tool ? { toolCalls: [{ name: tool, arguments: JSON.stringify(verdict) }] } : { content: JSON.stringify(verdict) }
  })
}

async function talked(low = 20) {
  let lent: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    needs: [Replays],
    setup: ctx => {
      lent = ctx
    },
  })
  const judge = new ChatOpenAICompletions({
    model: 'tiny',
    apiKey: 'key',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  })
  const bot = await testBot({
    storage: 'pglite',
    pacing: { jitter: 0 },
    models: { judge },
    budget: { prices: { tiny: { input: 10, output: 20 } } },
    plugins: [replay, lender, scorer, judgeRules({ preset: 'classic', threshold: 100 }), judgeLlm({ low })],
  })
  for (let at = 0; at < TURNS; at++) {
    await bot.bot.receive(bot.platform, {
      id: `m${at}`,
      conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
      author: { id: 'bob', name: 'bob' },
      text: `which door is number ${at}?`,
      at: new Date(Date.UTC(2026, 0, 5, 8, 5 * at)),
    })
  }
  if (!lent) throw new Error('nothing was set up')
  // A replay sets the plugin up again.
  const replays = lent.use(Replays)
  const ask = (more: Partial<ReplayRequest> = {}) =>
    replays.replay({ channel: 'test/team/general', settings: {}, limit: 500, ...more })
  return { bot, ask, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('a change that reaches the judge leaves turns undecided; a sample estimates them, and all of them decide them', async () => {
  verdicts()
  // With these options of today, no message reaches the judge.
  await using one = await talked(75)
  const settings = { 'judge-llm': { low: 20 } }
  const plain = await one.ask({ settings })
  expect(plain.today.turns).toMatchObject({ silent: TURNS, asked: 0 })
  expect(plain.changed.turns).toMatchObject({ silent: 0, asked: TURNS })
  expect(plain.undecided).toMatchObject({ model: 'tiny', prompts: TURNS, tokens: expect.any(Number), cost: expect.any(Number) })
  expect(plain.changed).not.toHaveProperty('estimate')
  expect(server.getRequests()).toEqual([])

  const { most = 0, cost = 0 } = plain.undecided ?? {}
  const sampled = await one.ask({ settings, ask: { calls: 8, tokens: 8 * most } })
  expect(sampled.asked).toMatchObject({ sampled: 8, cached: 0, calls: 8, failed: 0, left: 0 })
  expect(sampled.asked?.cost).toBeLessThan(2 * 8 * cost)
  expect(server.getRequests()).toHaveLength(8)
  expect(sampled.today).not.toHaveProperty('estimate')
  const { estimate, turns } = sampled.changed
  expect(estimate).toMatchObject({ of: TURNS, n: 8, passed: turns.full })
  expect([estimate?.low, estimate?.high]).toEqual([expect.any(Number), expect.any(Number)])
  // The real share is one half.
  expect(estimate?.low).toBeLessThan(0.5)
  expect(estimate?.high).toBeGreaterThan(0.5)
  expect(turns).toMatchObject({ asked: TURNS - 8, silent: 8 - turns.full })

  const all = await one.ask({ settings, ask: { calls: 100, tokens: 100 * most } })
  expect(all.asked).toMatchObject({ sampled: TURNS, cached: 8, calls: TURNS - 8 })
  expect(all.changed.estimate).toEqual({ of: TURNS, n: TURNS, passed: TURNS / 2, value: 0.5, low: 0.5, high: 0.5 })
  expect(all.changed.turns).toMatchObject({ asked: 0, full: TURNS / 2 })
  const { rows } = await one.bot.db.query<{ role: string; calls: number }>(
    'select role, sum(calls)::int as calls from kikimimi_v1.model_use group by role',
  )
  expect(rows).toEqual([{ role: 'evaluation', calls: TURNS }])
  expect(one.bot.posted).toEqual([])
})

test('the tokens are never passed, and what they leave out stays undecided', async () => {
  verdicts()
  await using one = await talked()
  const { undecided } = await one.ask()
  const tokens = 2 * (undecided?.most ?? 0)
  const { asked, today } = await one.ask({ ask: { calls: TURNS, tokens } })
  expect(asked?.calls).toBeGreaterThan(0)
  expect(asked?.left).toBe(TURNS - (asked?.calls ?? 0))
  expect(asked?.tokens).toBeLessThanOrEqual(tokens)
  expect(today.turns.asked).toBe(asked?.left)
})

test('asking ends when it is cancelled, and what was paid is not paid again', async () => {
  verdicts()
  await using one = await talked()
  const leaving = new AbortController()
  const progress = () => {
    if (server.getRequests().length >= 4) leaving.abort(new Error('cancelled'))
  }
  const limits = { calls: TURNS, tokens: 1_000_000 }
  await expect(one.ask({ ask: limits, signal: leaving.signal, progress })).rejects.toThrow('cancelled')
  const paid = server.getRequests().length
  expect(paid).toBeLessThan(TURNS)
  const { asked } = await one.ask({ ask: limits })
  expect(asked?.cached).toBeGreaterThan(0)
  expect(asked?.calls).toBe(TURNS - (asked?.cached ?? 0))
})
