import Fastify from 'fastify'
import { KikimimiError, reason } from './errors.ts'

export interface Health {
  /** Why the bot cannot do its work right now; nothing when it can. */
  unready(): Promise<string | undefined>
}

/**
 * `/healthz`: the process answers. `/readyz`: the bot can do its work.
 * Throws CONFIG_INVALID when the address cannot be listened on.
 */
export async function serveHttp(address: string, { unready }: Health): Promise<AsyncDisposable> {
  const server = Fastify({ logger: false, bodyLimit: 1_048_576 })
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const why = await unready()
    return why === undefined ? { ok: true } : reply.code(503).send({ ok: false, why })
  })
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
