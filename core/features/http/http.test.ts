import { once } from 'node:events'
import { Server } from 'node:http'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { parseAddress, serveHttp } from './http.ts'
import { createMetrics } from './metrics.ts'

const metrics = createMetrics()

it.each([
  ['127.0.0.1:8787', { host: '127.0.0.1', port: 8787 }],
  ['8787', { host: '127.0.0.1', port: 8787 }],
  ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
  ['[::1]:8787', { host: '::1', port: 8787 }],
  ['localhost:8787', { host: 'localhost', port: 8787 }],
])('%s is an address', (address, parsed) => {
  expect(parseAddress(address)).toEqual(parsed)
})

it('reports that it runs, and whether it is ready', async () => {
  let why: string | undefined = 'database: gone'
  const address = `127.0.0.1:${await freePort()}`
  await using _server = await serveHttp([address], { unready: async () => why, metrics, plugins: [] })
  expect((await fetch(`http://${address}/healthz`)).status).toBe(200)
  const unready = await fetch(`http://${address}/readyz`)
  expect([unready.status, await unready.json()]).toEqual([503, { ok: false, why: 'database: gone' }])
  why = undefined
  expect((await fetch(`http://${address}/readyz`)).status).toBe(200)
  await expect(serveHttp([address], { unready: async () => why, metrics, plugins: [] })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  })
})

it('ends after the last answer, although the client keeps the connection', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  const address = `127.0.0.1:${await freePort()}`
  const server = await serveHttp([address], {
    unready: async () => undefined,
    metrics,
    plugins: [
      {
        plugin: 'slow',
        routes(server) {
          server.get('/slow', () => {
            asked.resolve()
            return answer.promise
          })
        },
      },
    ],
  })
  const told = fetch(`http://${address}/slow`).then(response => response.text())
  await asked.promise
  const ended = server[Symbol.asyncDispose]()
  await expect.poll(() => fetch(`http://${address}/healthz`).catch(() => 'closed')).toBe('closed')
  answer.resolve('done')
  expect(await told).toBe('done')
  await ended
})

it('ends at once, although a client has a connection without a request', async () => {
  const port = await freePort()
  const server = await serveHttp([`127.0.0.1:${port}`], { unready: async () => undefined, metrics, plugins: [] })
  // Browsers open connections before they need them.
  const spare = connect(port, '127.0.0.1')
  await once(spare, 'connect')
  const used = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(used.status).toBe(200)
  using late = vi.spyOn(Server.prototype, 'closeAllConnections')
  await server[Symbol.asyncDispose]()
  expect(late).not.toHaveBeenCalled()
})
