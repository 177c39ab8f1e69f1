import type { Kernel } from '../../kernel/host/plugin-context.ts'
import { type OpenDatabase, unanswered } from '../../storage/database/open-database.ts'
import { type HttpServer, serveHttp } from './http.ts'
import type { Metrics } from './metrics.ts'

export interface ServingOptions {
  readonly kernel: Kernel
  readonly db: OpenDatabase | undefined
  readonly metrics: Metrics
  /** Where it was asked to listen. */
  readonly address: string | undefined
  /** Whether it may listen at all. */
  readonly serves: boolean
  /** Why the bot cannot do its work, whatever its platforms and its database say. */
  unready(): string | undefined
}

/** The HTTP server of a bot. It is there once there is an address, or somebody has routes. */
export interface Serving extends AsyncDisposable {
  /** Takes the address, and answers for the bot itself alone. Throws CONFIG_INVALID when somebody else has it. */
  listen(): Promise<void>
  /** Serves the routes that plugins have now. */
  look(): Promise<void>
}

/** Where it listens when a plugin has routes and nobody says where. */
export const DEFAULT_ADDRESS = '127.0.0.1:8787'

export function createServing({ kernel, db, metrics, address, serves, ...bot }: ServingOptions): Serving {
  const { clock, routes, platforms, jobs, closing } = kernel
  let server: HttpServer | undefined

  async function unready(): Promise<string | undefined> {
    const why = bot.unready()
    if (why !== undefined) return why
    const away = [...platforms.values()].map(platform => platform.unready?.()).find(why => why !== undefined)
    return away ?? (closing.aborted ? 'stopping' : unanswered(db, clock))
  }

  async function serve(added: Kernel['routes']): Promise<void> {
    const where = address || (routes.length > 0 ? DEFAULT_ADDRESS : undefined)
    if (!where || !serves) return
    if (server) return server.route(added)
    metrics.watch({ jobs, platforms })
    server = await serveHttp(where, { unready, metrics, routes: added })
  }

  return {
    listen: () => serve([]),
    look: () => serve(routes),

    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]()
    },
  }
}
