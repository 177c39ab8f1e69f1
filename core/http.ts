import { once } from 'node:events'
import { createServer } from 'node:net'
import Fastify from 'fastify'
import { KikimimiError, reason } from './errors.ts'
import type { Metrics } from './metrics.ts'
import type { PluginParts } from './plugin.ts'

export type Routes = NonNullable<PluginParts['routes']>

export interface HttpOptions {
  /** Why the bot cannot do its work right now; nothing when it can. */
  unready(): Promise<string | undefined>
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  /** What plugins add. */
  readonly routes: readonly Routes[]
}

const HEALTHY = { ok: true }
const HEALTH_DEADLINE = 2_000

/**
 * `/healthz`: the process answers. `/readyz`: the bot can do its work. `/metrics`: what it has done, for Prometheus.
 * Throws CONFIG_INVALID when the address cannot be listened on.
 */
export async function serveHttp(address: string, { unready, metrics, routes }: HttpOptions): Promise<AsyncDisposable> {
  const server = Fastify({ logger: false, bodyLimit: 1_048_576 })
  let closing = false
  // Whoever keeps the connection after the last answer would hold up the end for more than a minute.
  server.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  server.get('/healthz', async () => HEALTHY)
  server.get('/readyz', async (_request, reply) => {
    const why = await unready()
    return why === undefined ? { ok: true } : reply.code(503).send({ ok: false, why })
  })
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  // Each in a context of its own: what it changes (body parsers, hooks) is its own affair.
  // biome-ignore lint/nursery/noMisusedPromises: Fastify waits for the promise of a plugin.
  for (const add of routes) await server.register(async context => add(context))
  try {
    await server.listen(parseAddress(address))
  } catch (error) {
    throw unusable(address, error)
  }
  return {
    [Symbol.asyncDispose]() {
      closing = true
      return server.close()
    },
  }
}

/** Whether nobody listens there. Throws CONFIG_INVALID when it cannot be listened on, for another reason than a bot that does. */
export async function isFree(address: string): Promise<boolean> {
  const { host, port } = parseAddress(address)
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return true
  } catch (error) {
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_DEADLINE) }).catch(() => undefined)
    const health = await answer?.text().catch(() => undefined)
    if (health === JSON.stringify(HEALTHY)) return false
    throw unusable(address, error)
  } finally {
    server.close()
  }
}

function unusable(address: string, error: unknown): KikimimiError {
  const message = `Cannot serve HTTP on ${address}: ${reason(error)}. Choose another KIKIMIMI_HTTP.`
  return new KikimimiError('CONFIG_INVALID', message, { cause: error })
}

/** `host:port`, `[::1]:port`, or a port alone on loopback. Throws CONFIG_INVALID. */
export function parseAddress(address: string): { host: string; port: number } {
  const url = URL.parse(`http://${/^\d+$/.test(address) ? `127.0.0.1:${address}` : address}`)
  const port = Number(url?.port || (address.endsWith(':80') ? 80 : Number.NaN))
  if (!url?.hostname || url.pathname !== '/' || !(port > 0)) {
    throw new KikimimiError('CONFIG_INVALID', `"${address}" is no address for HTTP. Give host:port, such as 127.0.0.1:8787.`)
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}
