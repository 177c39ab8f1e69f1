/** The HTTP server of a bot. It runs when there is an address, or when a plugin has routes. */
import type { Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import type { Availability } from '../../storage/database/availability.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'
import { createHttp, formatAddress, type HttpServer, type PluginRoutes } from './http.ts'
import type { Metrics, Watched } from './metrics.ts'

export interface ServingOptions {
  readonly host: Pick<PluginHost, 'hooks'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly jobs: Jobs
  readonly turns: TurnQueue
  readonly availability: Pick<Availability, 'unready'>
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Logger
  /** The configured address. */
  readonly address: string | undefined
  /** Whether it may listen. */
  readonly serves: boolean
  /** Aborts when the bot takes no more messages. */
  readonly closing: AbortSignal
  /** When the oldest message arrived that is not recorded yet. */
  waitingSince(): number | undefined
  /** What followers of the message log have to do. */
  followers: Watched['followers']
  /** Why the bot is not ready, apart from its platforms and its database. */
  unready(): string | undefined
}

export interface Serving extends AsyncDisposable, Pick<HttpServer, 'inject' | 'address'> {
  /** Listens, with the routes of the bot only. Throws CONFIG_INVALID when another program uses the address. */
  listen(): Promise<void>
  /** Serves the current routes of plugins. */
  refresh(): Promise<void>
}

/** The addresses when a plugin has routes and no address is configured: the first free one is used. */
export const DEFAULT_ADDRESSES = [
  '127.0.0.1:8787',
  ...Array.from({ length: 12 }, (_, index) => `127.0.0.1:${8788 + index}`),
] as const satisfies readonly [string, ...string[]]

export function createServing(options: ServingOptions): Serving {
  const { host, platforms, jobs, turns, availability, clock, metrics, log, address, serves, closing } = options
  /** Made for an address, or for the first request of a test. */
  let opening: Promise<HttpServer> | undefined
  let server: HttpServer | undefined

  function addresses(): readonly [string, ...string[]] | undefined {
    if (address) return [address]
    return host.hooks('routes').length > 0 ? DEFAULT_ADDRESSES : undefined
  }

  function routes(): PluginRoutes[] {
    // A plugin can have a guard and no routes.
    const guards = host.hooks('guard').map(({ plugin, hook }) => ({ plugin, guard: hook }))
    return [...host.hooks('routes').map(({ plugin, hook }) => ({ plugin, routes: hook })), ...guards]
  }

  async function unready(): Promise<string | undefined> {
    const why = options.unready()
    if (why !== undefined) return why
    const away = [...platforms.values()].map(platform => platform.unready?.()).find(why => why !== undefined)
    return away ?? (closing.aborted ? 'stopping' : availability.unready())
  }

  async function open(plugins: readonly PluginRoutes[]): Promise<HttpServer> {
    const health = () => host.hooks('health').map(({ plugin, hook }) => ({ plugin, health: hook() }))
    metrics.watch({ jobs, turns, platforms, clock, waitingSince: options.waitingSince, followers: options.followers, health })
    server = await createHttp({ unready, metrics, plugins })
    return server
  }

  async function serve(plugins: readonly PluginRoutes[]): Promise<void> {
    const where = serves ? addresses() : undefined
    if (opening) await (await opening).route(plugins)
    else if (where) opening = open(plugins)
    const opened = await opening
    if (!opened || !where || opened.address) return
    await opened.listen(where)
    const at = opened.address && formatAddress(opened.address)
    if (where.length > 1 && at !== where[0])
      log.warn(
        `Something already listens on ${where[0]}, so the bot serves HTTP on ${at}. "http" or KIKIMIMI_HTTP sets an address.`,
      )
  }

  return {
    listen: () => serve([]),
    refresh: () => serve(routes()),

    get address() {
      return server?.address
    },

    async inject(request) {
      opening ??= open(routes())
      return (await opening).inject(request)
    },

    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]()
    },
  }
}
