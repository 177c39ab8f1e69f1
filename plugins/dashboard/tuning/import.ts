/** The replay of an exported channel: its file is the body of the request, and is not stored. */
import { Readable } from 'node:stream'
import { Replays } from '@kikimimi/replay'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendLines } from '../server/lines.ts'
import { refused, withTypes } from '../server/typed.ts'
import { LIMITS, noReplays, statusOf, type TuningApp } from './request.ts'
import { type ImportEvent, importEvent } from './views.ts'

/** Bytes of an exported file. A JSON file of this size takes half a second of the bot's time. */
export const MOST_BYTES = 50 * 2 ** 20

/** Maximum number on a page. */
const SPOKEN = 200

const tooLarge = {
  message: `The file has more than ${MOST_BYTES / 2 ** 20} MB. Export one channel or a shorter time, or use the command line: kikimimi replay FILE`,
}

export function importRoutes(server: FastifyInstance, ctx: TuningApp, ending: AbortSignal): void {
  void server.register((scope, _, done) => {
    // The kind of body that no form can send from another site.
    scope.addContentTypeParser('application/octet-stream', (_request, payload, taken) => taken(null, payload))
    withTypes(scope).post(
      '/api/tuning/import',
      {
        config: { role: 'moderator' },
        schema: {
          summary: 'Replay an exported channel, whose file is the body; the result is JSON lines',
          querystring: z.object({
            name: z.string().max(255).describe('Name of the file, for errors.'),
            channel: z.string().max(200).optional().describe('Default: the channel with the most messages.'),
            limit: z.coerce.number().pipe(z.literal(LIMITS)).default(2_000).describe('Number of last messages.'),
          }),
          response: {
            200: z.union([importEvent, z.instanceof(Readable)]),
            ...{ 404: refused, 409: refused, 413: refused, 422: refused },
          },
        },
      },
      async ({ body, query }, reply) => {
        const replays = ctx.use(Replays, 'optional')
        if (!replays) return reply.code(404).send(noReplays)
        const content = body instanceof Readable ? await contentOf(body) : Buffer.of()
        if (!content) return reply.code(413).header('connection', 'close').send(tooLarge)
        return sendLines({
          ...{ reply, log: ctx.log, ending, status: statusOf },
          run: (signal, progress) => replays.imported({ ...query, content, signal, progress }),
          event: ({ from, to, spoken, ...rest }): ImportEvent => ({
            imported: {
              ...rest,
              from: from.toISOString(),
              to: to.toISOString(),
              spoke: spoken.length,
              spoken: spoken
                .slice(-SPOKEN)
                .reverse()
                .map(({ at, ...turn }) => ({ ...turn, at: at.toISOString() })),
            },
          }),
        })
      },
    )
    done()
  })
}

/** Nothing: there are too many bytes. */
async function contentOf(body: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Ending the loop early would destroy the connection before the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
