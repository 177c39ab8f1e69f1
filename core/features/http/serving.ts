/** The HTTP server of a bot. It runs once there is an address, or a plugin has routes. */
import type { Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import { type OpenDatabase, unanswered } from '../../storage/database/open-database.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import { type HttpServer, serveHttp } from './http.ts'
import type { Metrics } from './metrics.ts'

export interface ServingOptions {
  readonly host: Pick<PluginHost, 'hooks'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly jobs: Jobs
  readonly db: OpenDatabase | undefined
  readonly clock: Clock
  readonly metrics: Metrics
  /** Where it was asked to listen. */
  readonly address: string | undefined
  /** Whether it may listen at all. */
  readonly serves: boolean
  /** Aborted when the bot takes in nothing more. */
  readonly closing: AbortSignal
  /** Why the bot cannot work, whatever its platforms and its database say. */
  unready(): string | undefined
}

export interface Serving extends AsyncDisposable {
  /** Takes the address, and answers for the bot itself alone. Throws CONFIG_INVALID when another program has it. */
  listen(): Promise<void>
  /** Serves the routes that plugins have now. */
  refresh(): Promise<void>
}

/** The default address, where a plugin has routes. */
export const DEFAULT_ADDRESS = '127.0.0.1:8787'

export function createServing(options: ServingOptions): Serving {
  const { host, platforms, jobs, db, clock, metrics, address, serves, closing } = options
  let server: HttpServer | undefined
  const routes = () => host.hooks('routes').map(({ hook }) => hook)

  async function unready(): Promise<string | undefined> {
    const why = options.unready()
    if (why !== undefined) return why
    const away = [...platforms.values()].map(platform => platform.unready?.()).find(why => why !== undefined)
    return away ?? (closing.aborted ? 'stopping' : unanswered(db, clock))
  }

  async function serve(added: ReturnType<typeof routes>): Promise<void> {
    const where = address || (routes().length > 0 ? DEFAULT_ADDRESS : undefined)
    if (!where || !serves) return
    if (server) return server.route(added)
    metrics.watch({ jobs, platforms })
    server = await serveHttp(where, { unready, metrics, routes: added })
  }

  return {
    listen: () => serve([]),
    refresh: () => serve(routes()),

    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]()
    },
  }
}
