import { Readable } from 'node:stream'
import { type ChannelReplay, Replays } from '@kikimimi/replay'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { z } from 'zod'
import { findChannel, optionsIn } from '../channels/channels.ts'
import { conversation, notFound } from '../channels/views.ts'
import { messagesById } from '../history/turns.ts'
import type { Guard } from '../server/access.ts'
import { sendLines } from '../server/lines.ts'
import { refused, withTypes } from '../server/typed.ts'
import { costOf } from './cost.ts'
import { importRoutes } from './import.ts'
import { LIMITS, noReplays, statusOf, type TuningApp } from './request.ts'
import { type ReplayEvent, type ReplayView, replayEvent, type SamplingView, sampling, tunableView } from './views.ts'

/** Maximum number on a page. */
const DIFFERENCES = 200

const named = z.string().min(1).max(200)

const replayRequest = z.strictObject({
  conversation,
  limit: z.literal(LIMITS).describe('Number of last messages.'),
  settings: z.record(named, z.record(named, z.unknown())).describe('Other options, by plugin and name, as in bot.config.ts.'),
})

const streamed = { 200: z.union([replayEvent, z.instanceof(Readable)]), 404: refused, 409: refused, 422: refused }

export function tuningRoutes(server: FastifyInstance, ctx: TuningApp, { whoIs }: Pick<Guard, 'whoIs'>): void {
  const typed = withTypes(server)
  const ending = new AbortController()
  // A running replay would delay the stop.
  server.addHook('preClose', async () => ending.abort())
  importRoutes(server, ctx, ending.signal)

  typed.get(
    '/api/tuning',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The options of a channel that decide when the bot speaks',
        querystring: z.object({ conversation }),
        response: {
          200: z.object({
            options: z.array(tunableView),
            mayAsk: z.boolean().describe('Whether the account may ask the judge.'),
          }),
          404: refused,
        },
      },
    },
    async (request, reply) => {
      const replays = ctx.use(Replays, 'optional')
      if (!replays) return reply.code(404).send(noReplays)
      const found = await findChannel(ctx, request.query.conversation)
      const mayAsk = (whoIs(request)?.role ?? 'owner') === 'owner'
      return found ? { options: optionsIn(replays.tunable(found)), mayAsk } : reply.code(404).send(notFound)
    },
  )

  typed.post(
    '/api/tuning',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Replay a channel with the current options and with other ones; the result is JSON lines',
        body: replayRequest,
        response: streamed,
      },
    },
    ({ body }, reply) => replayed(body, reply),
  )

  typed.post(
    '/api/tuning/verdicts',
    {
      // It calls a model, which costs money.
      config: { role: 'owner' },
      bodyLimit: 65_536,
      schema: {
        summary:
          'Replay a channel, and ask the judge about a random sample of the turns that no recorded verdict decides; JSON lines',
        body: replayRequest.extend({ ask: sampling }),
        response: streamed,
      },
    },
    ({ body }, reply) => replayed(body, reply),
  )

  type Request = z.infer<typeof replayRequest> & { readonly ask?: SamplingView }

  async function replayed({ conversation: channel, ...asked }: Request, reply: FastifyReply) {
    const replays = ctx.use(Replays, 'optional')
    if (!replays) return reply.code(404).send(noReplays)
    return sendLines({
      ...{ reply, log: ctx.log, ending: ending.signal, status: statusOf },
      run: (signal, progress) => replays.replay({ channel, ...asked, signal, progress }),
      event: async (done): Promise<ReplayEvent> => ({ replay: await viewOf(ctx, channel, done) }),
    })
  }
}

/** Deleted and forgotten messages are not returned. */
async function viewOf(ctx: Pick<PluginContext, 'db' | 'use'>, channel: string, replay: ChannelReplay): Promise<ReplayView> {
  const { from, to, differences, ...rest } = replay
  const shown = differences.slice(-DIFFERENCES).reverse()
  const found = await messagesById(
    ctx,
    shown.map(({ message }) => ({ channel, id: message })),
  )
  return {
    ...rest,
    from: from.toISOString(),
    to: to.toISOString(),
    cost: await costOf(ctx.db, channel, replay),
    differ: differences.length,
    differences: shown.flatMap(({ message, ...looks }) => {
      const view = found.get(`${channel} ${message}`)
      return view ? [{ message: view, ...looks }] : []
    }),
  }
}
