import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { z } from 'zod'
import { turns } from '../history/turns.ts'
import { drop, turn } from '../history/views.ts'
import { type Guard, sessionOf } from '../server/access.ts'
import type { Feed } from '../server/feed.ts'
import { withTypes } from '../server/typed.ts'
import type { Drops } from './drops.ts'
import type { TurnFeed } from './turn-feed.ts'

const which = z.object({
  before: z.iso
    .datetime()
    .optional()
    .describe('Not later than this: the time of the last turn of a page is the start of the next page.'),
  conversation: z.string().max(2_000).optional().describe('Id of a channel, with its threads, or of a thread.'),
  turn: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export interface LiveParts extends Pick<Guard, 'whoIs'> {
  readonly feed: Feed
  readonly turnFeed: TurnFeed
  readonly drops: Drops
}

export function liveRoutes(
  server: FastifyInstance,
  ctx: Pick<PluginContext, 'db' | 'use'>,
  { feed, turnFeed, drops, whoIs }: LiveParts,
): void {
  const typed = withTypes(server)

  typed.get(
    '/api/events',
    // Nobody would end the stream of an answer without a body.
    {
      config: { role: 'moderator' },
      exposeHeadRoute: false,
      schema: { summary: 'Live events, as server-sent events with JSON' },
    },
    async (request, reply) => {
      await turnFeed.begin()
      const stream = feed.open(sessionOf(request), whoIs(request)?.role ?? 'owner')
      if (!stream) return reply.code(503).send({ message: 'Too many pages are open.' })
      return reply.type('text/event-stream').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(stream)
    },
  )

  typed.get(
    '/api/turns',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Turns with their decisions and replies, newest first',
        querystring: which,
        response: { 200: z.object({ turns: z.array(turn) }) },
      },
    },
    async ({ query: { before, turn, ...query } }) => ({
      turns: await turns(ctx, {
        ...query,
        turns: turn === undefined ? undefined : [turn],
        before: before === undefined ? undefined : new Date(before),
      }),
    }),
  )

  typed.get(
    '/api/drops',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Messages dropped since the start of the bot, newest first, at most 100',
        response: { 200: z.object({ drops: z.array(drop) }) },
      },
    },
    () => ({ drops: [...drops.recent] }),
  )
}
