import type { FastifyInstance } from 'fastify'
import { type PluginContext, withTimeout } from 'kikimimi'
import { z } from 'zod'
import { sessionOf } from './access.ts'
import type { Drops } from './drops.ts'
import type { Feed } from './feed.ts'
import type { createPanels } from './panels.ts'
import { turns } from './past.ts'
import type { TurnFeed } from './turn-feed.ts'
import { withTypes } from './typed.ts'
import { drop, section, turn } from './views.ts'

/** A panel that takes longer shows nothing. */
const PANEL_DEADLINE = 10_000

const which = z.object({
  before: z.iso.datetime().optional().describe('Not later than this: the time of the last turn of a page begins the next one.'),
  conversation: z.string().max(2_000).optional().describe('The id of a channel, for it and its threads, or of a thread.'),
  turn: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

export interface LiveParts {
  readonly feed: Feed
  readonly turnFeed: TurnFeed
  readonly drops: Drops
  readonly panels: ReturnType<typeof createPanels>
}

export function liveRoutes(
  server: FastifyInstance,
  ctx: Pick<PluginContext, 'clock' | 'db' | 'persona' | 'locale'>,
  { feed, turnFeed, drops, panels }: LiveParts,
): void {
  const typed = withTypes(server)

  typed.get(
    '/api/events',
    // Nobody would end the stream of an answer without a body.
    { exposeHeadRoute: false, schema: { summary: 'What happens, as server-sent events of JSON' } },
    async (request, reply) => {
      await turnFeed.begin()
      const stream = feed.open(sessionOf(request))
      if (!stream) return reply.code(503).send({ message: 'Too many pages are open.' })
      return reply.type('text/event-stream').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(stream)
    },
  )

  typed.get(
    '/api/turns',
    {
      schema: {
        summary: 'What the bot looked at, decided and did, newest first',
        querystring: which,
        response: { 200: z.object({ turns: z.array(turn) }) },
      },
    },
    async ({ query: { before, turn, ...query } }) => ({
      turns: await turns(ctx.db, {
        ...query,
        turns: turn === undefined ? undefined : [turn],
        before: before === undefined ? undefined : new Date(before),
      }),
    }),
  )

  typed.get(
    '/api/drops',
    {
      schema: {
        summary: 'What was dropped on arrival since the bot runs, the latest first: a hundred lines at most',
        response: { 200: z.object({ drops: z.array(drop) }) },
      },
    },
    () => ({ drops: [...drops.recent] }),
  )

  typed.get(
    '/api/bot',
    {
      schema: {
        summary: 'Who the bot is, and what plugins add to the page',
        response: {
          200: z.object({
            name: z.string(),
            locale: z.string(),
            panels: z.array(z.object({ id: z.string(), title: z.string() })),
          }),
        },
      },
    },
    () => ({
      name: ctx.persona.name,
      locale: ctx.locale,
      panels: [...panels.all.values()].map(({ id, title }) => ({ id, title })),
    }),
  )

  typed.get(
    '/api/panels/:id',
    {
      schema: {
        summary: 'What a panel of a plugin shows',
        params: z.object({ id: z.string().max(100) }),
        response: { 200: z.object({ sections: z.array(section) }), 404: z.object({ message: z.string() }) },
      },
    },
    async ({ params }, reply) => {
      const panel = panels.all.get(params.id)
      if (!panel) return reply.code(404).send({ message: 'There is no such panel.' })
      const late = () => new Error(`the panel "${panel.id}" took more than ${PANEL_DEADLINE / 1_000} s`)
      const read = async (signal: AbortSignal) => panel.read(signal)
      return { sections: [...(await withTimeout({ clock: ctx.clock, ms: PANEL_DEADLINE, late }, read))] }
    },
  )
}
