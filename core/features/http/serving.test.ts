import { definePlugin, startBot } from 'kikimimi'
import { freePort, testBot, testPlatform } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import { silentLog } from '../../testing/test-log.ts'

it('is ready only when the routes of plugins are served', async () => {
  const made = Promise.withResolvers<void>()
  const slow = definePlugin({
    name: 'slow',
    servesHttp: () => true,
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

const page = definePlugin({
  name: 'page',
  servesHttp: () => true,
  setup: () => ({
    routes(server) {
      server.get('/page', { config: { public: true } }, () => 'here')
      server.post('/page', { config: { public: true } }, ({ body }) => ({ got: body }))
    },
  }),
})

it('refuses routes that the definition does not declare', async () => {
  const hidden = definePlugin({ name: 'hidden', setup: () => ({ routes: server => void server.get('/hidden', () => 'here') }) })
  await expect(testBot({ plugins: [hidden] })).rejects.toMatchObject({
    code: 'PLUGIN_INVALID',
    message: expect.stringContaining('Add servesHttp: () => true'),
  })
})

it('answers requests of a test without a port, with the routes of the plugins that run now', async () => {
  await using bot = await testBot({ plugins: [page] })
  expect((await bot.inject('/page')).body).toBe('here')
  const posted = await bot.inject({ method: 'POST', url: '/page', payload: { count: 1 } })
  expect([posted.statusCode, posted.json()]).toEqual([200, { got: { count: 1 } }])
  expect((await bot.inject('/readyz')).json()).toEqual({ ok: true })
  expect(() => bot.url).toThrow("give testBot the option http: '0'")
  await bot.reload({ plugins: [] })
  expect((await bot.inject('/page')).statusCode).toBe(404)
})

it('a plugin without routes guards those of the others', async () => {
  const closed = definePlugin({
    name: 'closed',
    servesHttp: () => true,
    setup: () => ({ routes: server => void server.get('/closed', () => 'here') }),
  })
  const guard = definePlugin({ name: 'guard', setup: () => ({ guard: (_request, reply) => reply.code(401).send() }) })
  await using bot = await testBot({ plugins: [page, closed, guard] })
  const status = async (path: string) => (await bot.inject(path)).statusCode
  expect([await status('/closed'), await status('/page'), await status('/healthz')]).toEqual([401, 200, 200])
})

it('listens on a free port, whose address can be read', async () => {
  await using bot = await testBot({ plugins: [page], http: '0' })
  await using other = await testBot({ plugins: [page], http: '0' })
  expect(bot.url).not.toBe(other.url)
  expect(await (await fetch(`${bot.url}/page`)).text()).toBe('here')
  expect((await bot.inject('/page')).body).toBe('here')
})
