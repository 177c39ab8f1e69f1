import Fastify from 'fastify'
import { KikimimiError, reason } from './errors.ts'
import type { PluginParts } from './plugin.ts'

export type Routes = NonNullable<PluginParts['routes']>

export interface HttpOptions {
  /** Why the bot cannot do its work right now; nothing when it can. */
  unready(): Promise<string | undefined>
  /** What plugins add. */
  readonly routes: readonly Routes[]
}

/**
 * `/healthz`: the process answers. `/readyz`: the bot can do its work.
 * Throws CONFIG_INVALID when the address cannot be listened on.
 */
export async function serveHttp(address: string, { unready, routes }: HttpOptions): Promise<AsyncDisposable> {
  const server = Fastify({ logger: false, bodyLimit: 1_048_576 })
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const why = await unready()
    return why === undefined ? { ok: true } : reply.code(503).send({ ok: false, why })
  })
  // Each in a context of its own: what it changes (body parsers, hooks) is its own affair.
  // biome-ignore lint/nursery/noMisusedPromises: Fastify waits for the promise of a plugin.
  for (const add of routes) await server.register(async context => add(context))
  const at = address.lastIndexOf(':')
  try {
    await server.listen({ host: address.slice(0, at) || '127.0.0.1', port: Number(address.slice(at + 1)) })
  } catch (error) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `Cannot serve HTTP on ${address}: ${reason(error)}. Choose another KIKIMIMI_HTTP.`,
      {
        cause: error,
      },
    )
  }
  return { [Symbol.asyncDispose]: () => server.close() }
}
