import { setImmediate } from 'node:timers/promises'
import { type Bot, type BotConfig, type Plugin, startBot } from 'kikimimi'
import { definePlatform, type Platform } from 'kikimimi/platform'
import { freePort, testPlatform } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import dashboard from '../index.ts'
import { quietLog } from '../testing/open-page.ts'

interface Start {
  readonly password?: string
  readonly others?: readonly Plugin[]
  /** What the bot logs. */
  readonly told?: unknown[]
}

async function start({ password, others = [], told = [] }: Start = {}) {
  const port = await freePort()
  const page = dashboard(password === undefined ? {} : { password })
  const config = (plugins: readonly Plugin[]): BotConfig => ({
    persona: { name: 'kiki' },
    database: 'memory',
    http: `127.0.0.1:${port}`,
    plugins: [page, ...plugins],
  })
  const bot = await startBot(config(others), {
    log: {
      ...quietLog,
      info: (text, more) => void told.push([text, more]),
      child: () => ({ ...quietLog, info: (text, more) => void told.push([text, more]) }),
    },
    env: {},
  })
  return Object.assign(bot, { told, port, become: (...plugins: Plugin[]) => bot.reload(config(plugins)) })
}

/** A platform that can end, such as the terminal. */
function terminal(name = 'terminal') {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  const platform: Platform = {
    ...testPlatform({ me: { id: 'bot', name: 'kiki' } }),
    name,
    closed,
    start: signal => signal.addEventListener('abort', () => end()),
  }
  return { end, plugin: definePlatform({ name, setup: () => ({ platform }) })() }
}

async function goesOn({ closed }: Bot): Promise<boolean> {
  return Promise.race([closed.then(() => false), setImmediate(true)])
}

test('it logs its address once', async () => {
  await using bot = await start()
  expect(bot.told).toEqual([['the page is open', { url: `http://127.0.0.1:${bot.port}/` }]])
  expect((await fetch(`http://127.0.0.1:${bot.port}/`)).status).toBe(200)
})

test('it logs its address when all platforms are connected', async () => {
  const [connecting, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Platform = {
    ...testPlatform({ me: { id: 'bot', name: 'kiki' } }),
    name: 'slow',
    async start() {
      connecting.resolve()
      await goOn.promise
    },
  }
  const told: unknown[] = []
  const starting = start({ told, others: [definePlatform({ name: 'slow', setup: () => ({ platform: slow }) })()] })
  await connecting.promise
  expect(told).toEqual([])
  goOn.resolve()
  await using bot = await starting
  expect(told).toEqual([['the page is open', { url: `http://127.0.0.1:${bot.port}/` }]])
})

test('alone it keeps the bot running', async () => {
  await using bot = await start()
  expect(await goesOn(bot)).toBe(true)
})

test('with other platforms it ends with them', async () => {
  const one = terminal()
  await using bot = await start({ others: [one.plugin] })
  expect(await goesOn(bot)).toBe(true)
  one.end()
  await bot.closed
})

test('if the others are removed, it continues', async () => {
  const one = terminal()
  await using bot = await start({ others: [one.plugin] })
  await bot.become()
  expect(await goesOn(bot)).toBe(true)
})

test('a restart of the others does not end it', async () => {
  const [one, other, next] = [terminal(), terminal('other'), terminal()]
  await using bot = await start({ others: [one.plugin, other.plugin] })
  other.end()
  await bot.become(next.plugin, other.plugin)
  expect(await goesOn(bot)).toBe(true)
  next.end()
  await bot.closed
})

test('with a password it continues without the others', async () => {
  const one = terminal()
  await using bot = await start({ password: 'a long enough password', others: [one.plugin] })
  one.end()
  expect(await goesOn(bot)).toBe(true)
})
