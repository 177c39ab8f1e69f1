import { once } from 'node:events'
import { Server } from 'node:http'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { createHttp, type HttpServer, parseAddress } from './http.ts'
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

/** Lets it listen on a free port, and returns the address. */
async function listening(server: HttpServer): Promise<string> {
  await server.listen(['0'])
  return `127.0.0.1:${server.address?.port}`
}

it('reports that it runs, and whether it is ready', async () => {
  let why: string | undefined = 'database: gone'
  await using server = await createHttp({ unready: async () => why, metrics, plugins: [] })
  const address = await listening(server)
  expect((await fetch(`http://${address}/healthz`)).status).toBe(200)
  const unready = await fetch(`http://${address}/readyz`)
  expect([unready.status, await unready.json()]).toEqual([503, { ok: false, why: 'database: gone' }])
  why = undefined
  expect((await fetch(`http://${address}/readyz`)).status).toBe(200)
  await using other = await createHttp({ unready: async () => why, metrics, plugins: [] })
  await expect(other.listen([address])).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

it('ends after the last answer, although the client keeps the connection', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  const server = await createHttp({
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
  const address = await listening(server)
  const told = fetch(`http://${address}/slow`).then(response => response.text())
  await asked.promise
  const ended = server[Symbol.asyncDispose]()
  await expect.poll(() => fetch(`http://${address}/healthz`).catch(() => 'closed')).toBe('closed')
  answer.resolve('done')
  expect(await told).toBe('done')
  await ended
})

it('ends at once, although a client has a connection without a request', async () => {
  const server = await createHttp({ unready: async () => undefined, metrics, plugins: [] })
  await listening(server)
  const port = server.address?.port ?? 0
  // Browsers open connections before they need them.
  const spare = connect(port, '127.0.0.1')
  await once(spare, 'connect')
  const used = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(used.status).toBe(200)
  using late = vi.spyOn(Server.prototype, 'closeAllConnections')
  await server[Symbol.asyncDispose]()
  expect(late).not.toHaveBeenCalled()
})
