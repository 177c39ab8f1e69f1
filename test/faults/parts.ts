/** Faults of a plugin outside of turns: setup, background work, erasure, HTTP, close. */
import { setImmediate } from 'node:timers/promises'
import { definePlugin, Erasure, type PluginContext, type PluginHooks, sleep } from 'kikimimi'
import { freePort, type TestBot, testBot } from 'kikimimi/testing'
import { expect } from 'vitest'
import { FAULTS } from './spot.ts'
import type { Row, Table } from './table.ts'

const broken = () => {
  throw new Error('broken')
}
const hangs = () => new Promise<never>(() => {})

const answer = definePlugin({ name: 'answer', setup: () => ({ respond: () => ({ kind: 'text', text: 'An answer.' }) }) })

/** A plugin with these hooks, beside one that answers. */
const bad = (setup: (ctx: PluginContext) => PluginHooks | void | Promise<PluginHooks | void>) => [
  definePlugin({ name: 'bad', servesHttp: () => true, setup }),
  answer,
]

async function expectAnswer(bot: TestBot): Promise<void> {
  const before = bot.sent.length
  await bot.say('alice', '@kiki hello')
  expect(bot.sent.slice(before)).toEqual(['An answer.'])
}

// ---------------------------------------------------------------- setup

const setup: Row = {
  what: 'setup',
  cells: {
    throws: {
      comes: 'the bot does not start, and names the plugin',
      async try() {
        await expect(testBot({ storage: 'pglite', plugins: bad(broken) })).rejects.toMatchObject({
          code: 'SETUP_FAILED',
          message: '[bad] failed to set up: broken',
        })
      },
    },
  },
}

// ---------------------------------------------------------------- work in the background

/** A bot with a job of a plugin, scheduled for now. */
async function withJob(
  run: (attempt: number, clock: PluginContext['clock']) => unknown,
): Promise<{ bot: TestBot; attempts: () => number }> {
  let attempts = 0
  let schedule = async () => {}
  const bot = await testBot({
    storage: 'pglite',
    plugins: bad(ctx => {
      const job = ctx.job<null>('later', async () => void (await run(++attempts, ctx.clock)))
      schedule = () => job.schedule(null)
    }),
  })
  await schedule()
  await bot.pass(0)
  return { bot, attempts: () => attempts }
}

const jobs: Row = {
  what: 'a job',
  cells: {
    throws: {
      comes: 'tried again twice, or as often as `retries` says, then a dead letter',
      async try() {
        const { bot, attempts } = await withJob(broken)
        await using _stopped = bot
        await expectAnswer(bot)
        await bot.pass('5m')
        expect(attempts()).toBe(3)
        expect(bot.log.filter(line => line.includes('job bad.later failed'))).toHaveLength(3)
        await expectAnswer(bot)
      },
    },
    hangs: {
      comes: 'cancelled after 15 minutes, and tried again',
      async try() {
        const { bot, attempts } = await withJob(attempt => (attempt === 1 ? hangs() : undefined))
        await using _stopped = bot
        await expectAnswer(bot)
        await bot.pass('15m')
        await bot.pass('1m')
        expect(attempts()).toBe(2)
        await expectAnswer(bot)
      },
    },
    'is slow': {
      comes: 'turns do not wait for it',
      async try() {
        const { bot, attempts } = await withJob((_attempt, clock) => sleep(clock, 14 * 60_000))
        await using _stopped = bot
        await expectAnswer(bot)
        await bot.pass('16m')
        expect(attempts()).toBe(1)
      },
    },
  },
}

const repeating: Row = {
  what: 'repeated work',
  cells: {
    throws: {
      comes: 'tried again, and due again in the next interval',
      async try() {
        let runs = 0
        const plugins = bad(ctx =>
          ctx.every('tick', '1h', () => {
            runs++
            if (runs <= 3) broken()
          }),
        )
        await using bot = await testBot({ storage: 'pglite', plugins })
        await bot.pass('62m')
        expect(runs).toBe(3)
        await bot.pass('1h')
        expect(runs).toBe(4)
      },
    },
    hangs: {
      comes: 'cancelled after 15 minutes, and due again in the next interval',
      async try() {
        let runs = 0
        await using bot = await testBot({
          storage: 'pglite',
          plugins: bad(ctx => ctx.every('tick', '1h', () => (++runs === 1 ? hangs() : undefined))),
        })
        await bot.pass('62m')
        expect(runs).toBe(1)
        await bot.pass('1h')
        expect(runs).toBeGreaterThan(1)
        await expectAnswer(bot)
      },
    },
  },
}

// ---------------------------------------------------------------- forgetting a person

/** Remaining data of a person after an erasure in which the plugin failed once. */
async function forgetting(first: () => unknown, waits: '9s' | '10m'): Promise<void> {
  let lent: PluginContext | undefined
  let calls = 0
  const plugins = bad(ctx => {
    lent = ctx
    return { forget: async () => void (await (++calls === 1 ? first() : undefined)) }
  })
  await using bot = await testBot({ storage: 'pglite', plugins })
  await bot.say('alice', 'the cake is in the cellar')
  await lent?.use(Erasure, 'optional')?.forget({ platform: 'test', id: 'alice' })
  const left = async () => (await bot.db.query(`select from kikimimi.message where author_id = 'alice'`)).rows.length
  await bot.pass(waits)
  expect({ calls, left: await left() }).toEqual({ calls: 1, left: 1 })
  await bot.pass('1m')
  expect({ calls, left: await left() }).toEqual({ calls: 2, left: 0 })
  expect(bot.log.join('')).toContain('Could not forget a person: [bad]')
  await expectAnswer(bot)
}

const forget: Row = {
  what: 'forget',
  cells: {
    throws: {
      comes: 'called again after 10 s, 20 s, … 1 h, until it succeeds; until then the message log stays complete',
      try: () => forgetting(broken, '9s'),
    },
    hangs: { comes: 'the same, after 10 minutes', try: () => forgetting(hangs, '10m') },
  },
}

// ---------------------------------------------------------------- HTTP

/** A bot with one route of a plugin. */
async function withRoute(answer: () => unknown): Promise<{ bot: TestBot; get: (path: string) => Promise<number | 'cut off'> }> {
  const http = `127.0.0.1:${await freePort()}`
  const plugins = bad(() => ({ routes: server => void server.get('/bad', async () => answer()) }))
  const bot = await testBot({ storage: 'pglite', plugins, http })
  const get = (path: string) =>
    fetch(`http://${http}${path}`).then(
      ({ status }) => status,
      () => 'cut off' as const,
    )
  return { bot, get }
}

const routes: Row = {
  what: 'a route',
  cells: {
    throws: {
      comes: 'the client gets status 500',
      async try() {
        const { bot, get } = await withRoute(broken)
        await using _stopped = bot
        expect(await get('/bad')).toBe(500)
        expect(await get('/healthz')).toBe(200)
        await expectAnswer(bot)
      },
    },
    hangs: {
      comes: 'the client waits; when the bot stops, the request is cut off after 5 s',
      async try() {
        const asked = Promise.withResolvers<void>()
        const { bot, get } = await withRoute(() => {
          asked.resolve()
          return hangs()
        })
        const answer = get('/bad')
        await asked.promise
        expect(await get('/healthz')).toBe(200)
        await expectAnswer(bot)
        await bot.bot.stop()
        expect(await answer).toBe('cut off')
      },
    },
  },
}

// ---------------------------------------------------------------- the end

/** Stops a bot with a plugin that closes wrongly, and another bot with it. */
async function closing(close: () => unknown): Promise<TestBot> {
  const closed: string[] = []
  const other = definePlugin({ name: 'other', setup: ({ scope }) => scope.defer(() => void closed.push('other')) })
  const plugins = bad(({ scope }) => scope.defer(async () => void (await close())))
  const bot = await testBot({ storage: 'pglite', plugins: [other, ...plugins] })
  await expectAnswer(bot)
  let hasStopped = false
  const stopped = bot.bot.stop().then(() => {
    hasStopped = true
  })
  while (!hasStopped) await bot.clock.advance(bot.clock.now() + 1_000, { settle: () => setImmediate() })
  await stopped
  expect(closed).toEqual(['other'])
  return bot
}

const end: Row = {
  what: 'closing (`ctx.scope`)',
  cells: {
    throws: {
      comes: 'logged, and the others close',
      async try() {
        const { log } = await closing(broken)
        expect(log.join('')).toContain('[bad] could not close all its resources: broken')
      },
    },
    hangs: {
      comes: 'abandoned after 8 s, and the others close',
      async try() {
        const { log } = await closing(hangs)
        expect(log.join('')).toContain('[bad] could not close all its resources: it took more than 8 s')
      },
    },
  },
}

export const parts: Table = {
  heading: 'The rest of a plugin',
  of: 'part',
  columns: FAULTS.filter(fault => fault !== 'returns nonsense'),
  rows: [setup, jobs, repeating, forget, routes, end],
}
