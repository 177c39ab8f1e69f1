import { definePlugin, startBot } from 'kikimimi'
import { freePort, testPlatform } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import { silentLog } from '../../testing/test-log.ts'

it('is ready only when the routes of plugins are served', async () => {
  const made = Promise.withResolvers<void>()
  const slow = definePlugin({
    name: 'slow',
    setup: () => ({
      async routes(server) {
        await made.promise
        server.get('/page', async () => 'here')
      },
    }),
  })
  const http = `127.0.0.1:${await freePort()}`
  const get = (path: string) => fetch(`http://${http}${path}`).catch(() => undefined)
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const starting = startBot(
    { persona: { name: 'kiki' }, database: false, http, plugins: [slow] },
    { env: {}, platforms: [platform], log: silentLog },
  )
  await expect.poll(async () => (await get('/readyz'))?.status).toBe(503)
  // Everything else has started, and waits for the routes.
  await expect.poll(async () => (await (await get('/readyz'))?.json()) as unknown).toEqual({ ok: false, why: 'starting' })
  expect((await get('/page'))?.status).toBe(404)
  made.resolve()
  await using _bot = await starting
  expect((await get('/readyz'))?.status).toBe(200)
  expect((await get('/page'))?.status).toBe(200)
})
