import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import Fastify, { type FastifyInstance, type LightMyRequestResponse as InjectedResponse, type InjectOptions } from 'fastify'
import type { PluginHooks } from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Metrics } from './metrics.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The routes and the guard of one plugin. */
export interface PluginRoutes extends Pick<PluginHooks, 'routes' | 'guard'> {
  readonly plugin: string
}

export interface HttpOptions {
  /** Why the bot is not ready; nothing when it is. */
  unready(): Promise<string | undefined>
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly plugins: readonly PluginRoutes[]
}

export interface HttpServer extends AsyncDisposable {
  /** Listens on the first address that no other program uses. Throws CONFIG_INVALID when there is none. */
  listen(addresses: readonly [string, ...string[]]): Promise<void>
  /** Answers a request without a connection. */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** The host and the port on which it listens. Undefined: it does not listen. */
  readonly address: Address | undefined
  /** Replaces the routes of plugins. Running requests are still answered. */
  route(plugins: readonly PluginRoutes[]): Promise<void>
}

const HEALTHY = { ok: true }
const HEALTH_DEADLINE = 2_000
/** Milliseconds that running requests may take when the bot stops. */
const GRACE = 5_000

/** Answers `/healthz` (the process answers), `/readyz` (the bot can do its work) and `/metrics` (numbers for Prometheus). */
export async function createHttp({ unready, metrics, plugins }: HttpOptions): Promise<HttpServer> {
  let closing = false

  /** Fastify takes no more routes after it listens, and cannot remove any. */
  async function withRoutes(plugins: readonly PluginRoutes[]): Promise<FastifyInstance> {
    // On a busy machine the files of the dashboard take longer than the default ten seconds.
    const app = Fastify({ logger: false, bodyLimit: 1_048_576, pluginTimeout: 60_000 })
    // A client that keeps its connection after the last answer would delay the stop by more than a minute.
    app.addHook('onSend', async (_request, reply) => {
      if (closing) reply.header('connection', 'close')
      // An unknown path gets an error with the path. It must not look like a page.
      reply.header('x-content-type-options', 'nosniff')
    })
    app.get('/healthz', async () => HEALTHY)
    app.get('/readyz', async (_request, reply) => {
      const why = await unready()
      return why === undefined ? { ok: true } : reply.code(503).send({ ok: false, why })
    })
    app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
    // Each in a context of its own: what it changes (body parsers, hooks) is its own affair.
    for (const { plugin, routes } of plugins) {
      const guards = plugins.filter(other => other.plugin !== plugin).flatMap(({ guard }) => guard ?? [])
      // biome-ignore lint/nursery/noMisusedPromises: Fastify waits for the promise of a plugin.
      await app.register(async context => {
        context.addHook('onRequest', async (request, reply) => {
          if (request.routeOptions.config.public === true) return
          for (const guard of guards) if (!reply.sent) await guard(request, reply)
        })
        await routes?.(context)
      })
    }
    await app.ready()
    return app
  }

  let app = await withRoutes(plugins)
  // The default of Fastify: longer than load balancers keep a connection.
  const server = createHttpServer({ keepAliveTimeout: 72_000 }, (request, response) => app.routing(request, response))
  /** Connections without a request so far, which browsers open before they need them. Node counts them as busy. */
  const spare = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    spare.add(socket)
    socket.once('close', () => spare.delete(socket))
  })
  server.on('request', ({ socket }) => spare.delete(socket))
  return {
    listen: addresses => listenOnFirst(server, addresses),

    inject: request => app.inject(request),

    get address() {
      const address = server.address()
      return typeof address === 'object' && address ? { host: address.address, port: address.port } : undefined
    },

    async route(plugins) {
      const before = app
      app = await withRoutes(plugins)
      await before.close()
    },

    async [Symbol.asyncDispose]() {
      closing = true
      const late = setTimeout(() => server.closeAllConnections(), GRACE)
      for (const socket of spare) socket.destroy()
      // Both at once: a plugin ends endless answers, such as server-sent events, in `preClose`.
      const closed = server.listening ? promisify(server.close.bind(server))() : Promise.resolve()
      await Promise.all([closed.finally(() => clearTimeout(late)), app.close()])
    },
  }
}

/** Throws the problem with the first address when none is free. */
async function listenOnFirst(server: Server, [first, ...others]: readonly [string, ...string[]]): Promise<void> {
  let wrong: unknown
  for (const address of [first, ...others]) {
    try {
      server.listen(parseAddress(address))
      await once(server, 'listening')
      return
    } catch (error) {
      wrong ??= error
      if (!isTaken(error)) break
    }
  }
  throw unusable(first, wrong)
}

/** Whether the address is free. Throws CONFIG_INVALID when it cannot be used for a reason other than a running bot. */
export async function isFree(address: string): Promise<boolean> {
  const { host, port } = parseAddress(address)
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return true
  } catch (error) {
    const url = `http://${formatAddress({ host, port })}/healthz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_DEADLINE) }).catch(() => undefined)
    const health = await answer?.text().catch(() => undefined)
    if (health === JSON.stringify(HEALTHY)) return false
    throw unusable(address, error)
  } finally {
    server.close()
  }
}

function unusable(address: string, error: unknown): KikimimiError {
  const { host, port } = parseAddress(address)
  const other = formatAddress({ host, port: port < 65_535 ? port + 1 : port - 1 })
  const message = isTaken(error)
    ? `Something already listens on ${address}. Start with KIKIMIMI_HTTP=${other}, or change "http" where bot.config.ts has it.`
    : `Cannot serve HTTP on ${address}: ${reason(error)}. Choose another KIKIMIMI_HTTP.`
  return new KikimimiError('CONFIG_INVALID', message, { cause: error })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** `host:port`, `[::1]:port`, or a port alone on loopback. Port 0 is a free one. Throws CONFIG_INVALID. */
export function parseAddress(address: string): Address {
  const url = URL.parse(`http://${/^\d+$/.test(address) ? `127.0.0.1:${address}` : address}`)
  const port = Number(url?.port || (address.endsWith(':80') ? 80 : Number.NaN))
  if (!url?.hostname || url.pathname !== '/' || !(port >= 0)) {
    throw new KikimimiError('CONFIG_INVALID', `"${address}" is not an address for HTTP. Give host:port, such as 127.0.0.1:8787.`)
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}

/** `host:port`, or `[::1]:port`. */
export function formatAddress({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
