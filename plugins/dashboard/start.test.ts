import { setImmediate } from 'node:timers/promises'
import { definePlugin, type Platform, startBot } from 'kikimimi'
import { testPlatform } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import dashboard from './index.ts'
import { freePort, quietLog } from './test-page.ts'

async function start(...others: Platform[]) {
  const told: unknown[] = []
  const port = await freePort()
  const bot = await startBot(
    {
      persona: { name: 'kiki' },
      database: 'memory',
      http: `127.0.0.1:${port}`,
      plugins: [dashboard(), ...others.map(platform => definePlugin({ name: platform.name, setup: () => ({ platform }) }))],
    },
    {
      log: {
        ...quietLog,
        info: (text, more) => void told.push([text, more]),
        child: () => ({ ...quietLog, info: (text, more) => void told.push([text, more]) }),
      },
      env: {},
    },
  )
  return Object.assign(bot, { told, port })
}

test('it says once where it is', async () => {
  await using bot = await start()
  expect(bot.told).toEqual([['the page is open', { url: `http://127.0.0.1:${bot.port}/` }]])
  expect((await fetch(`http://127.0.0.1:${bot.port}/`)).status).toBe(200)
})

test('alone it keeps the bot running', async () => {
  await using bot = await start()
  const waited = Symbol('waited')
  expect(await Promise.race([bot.closed, setImmediate(waited)])).toBe(waited)
})

test('beside others it ends with them', async () => {
  const closed = Promise.withResolvers<void>()
  await using bot = await start(Object.assign(testPlatform({ me: { id: 'bot', name: 'kiki' } }), { closed: closed.promise }))
  const waited = Symbol('waited')
  expect(await Promise.race([bot.closed, setImmediate(waited)])).toBe(waited)
  closed.resolve()
  await bot.closed
})
