import type { Kernel } from './app.ts'
import { reason } from './errors.ts'
import { type HttpServer, serveHttp } from './http.ts'
import type { Metrics } from './metrics.ts'
import { type OpenDatabase, unanswered } from './own-database.ts'

export interface ServingOptions {
  readonly kernel: Kernel
  readonly db: OpenDatabase | undefined
  readonly metrics: Metrics
  /** Where it was asked to listen. */
  readonly address: string | undefined
  /** What the bot has failed of. */
  broken(): Error | undefined
}

/** The HTTP server of a bot. It is there once there is an address, or somebody has routes. */
export interface Serving extends AsyncDisposable {
  /** Serves the routes that plugins have now. */
  look(): Promise<void>
}

/** Where it listens when a plugin has routes and nobody says where. */
export const DEFAULT_ADDRESS = '127.0.0.1:8787'

export function createServing({ kernel, db, metrics, address, broken }: ServingOptions): Serving {
  const { clock, routes, platforms, jobs, closing } = kernel
  let server: HttpServer | undefined

  async function unready(): Promise<string | undefined> {
    const failed = broken()
    if (failed) return reason(failed)
    const away = [...platforms.values()].map(platform => platform.unready?.()).find(why => why !== undefined)
    return away ?? (closing.aborted ? 'stopping' : unanswered(db, clock))
  }

  return {
    async look() {
      const where = address ?? (routes.length > 0 ? DEFAULT_ADDRESS : undefined)
      if (!where) return
      if (server) return server.route(routes)
      metrics.watch({ jobs, platforms })
      server = await serveHttp(where, { unready, metrics, routes })
    },

    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]()
    },
  }
}
