import { type FactStore, Facts } from '@kikimimi/facts'
import type { FastifyInstance } from 'fastify'
import { KikimimiError, type PluginContext } from 'kikimimi'
import { z } from 'zod'
import { place } from '../history/views.ts'
import { refused, withTypes } from '../server/typed.ts'
import { inboxRoutes, NO_PAGE } from './inbox-routes.ts'
import { factHistory, facts, places } from './memory.ts'
import { peopleRoutes } from './people-routes.ts'
import { fact } from './views.ts'

const kept = z.boolean().describe('Whether a plugin stores facts.')
const params = z.object({ id: z.coerce.number().int().positive() })

const change = z
  .strictObject({
    content: z.string().trim().min(1, 'a fact has a content of 1 to 2000 characters').max(2_000),
    kind: fact.shape.kind,
    people: z.array(z.string().min(1).max(500)).max(50).describe('Ids of the people it is about.'),
    confidence: z.number().min(0).max(1),
    shareable: fact.shape.shareable,
    pinned: fact.shape.pinned,
  })
  .partial()
  .refine(given => Object.keys(given).length > 0, 'nothing to change was given')

const NONE = { message: 'There is no such fact.' }

/** The error of a search by vector that is unavailable. */
const UNABLE = new Set(['MODEL_UNAVAILABLE', 'DATABASE_UNREACHABLE'])

export function memoryRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'log' | 'models' | 'use'>): void {
  const typed = withTypes(server)
  const { db } = ctx

  typed.get(
    '/api/places',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Channels, those with the newest messages first',
        querystring: z.object({
          conversation: z.string().max(2_000).optional().describe('Id of a channel that is listed in any case.'),
        }),
        response: { 200: z.object({ places: z.array(place) }) },
      },
    },
    async ({ query }) => ({ places: await places(db, query.conversation) }),
  )

  typed.get(
    '/api/facts',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Facts that the audience of a channel may read: those that match a text, best first, or the latest',
        querystring: z.object({
          conversation: z.string().max(2_000),
          text: z.string().trim().max(2_000).default(''),
          by: z
            .enum(['keyword', 'vector', 'both'])
            .default('both')
            .describe('Kind of search; `both` searches like a recall of the bot.'),
          before: z.string().max(50).optional().describe('`next` of the previous page.'),
        }),
        response: {
          200: z.object({
            kept,
            facts: z.array(fact),
            next: z.string().optional().describe('Absent: there are no further facts.'),
          }),
          400: refused,
          501: refused.describe('There is no model for vectors.'),
          503: refused.describe('Vector search is unavailable.'),
        },
      },
    },
    async ({ query }, reply) => {
      try {
        return { kept: ctx.use(Facts, 'optional') !== undefined, ...(await facts(ctx, query)) }
      } catch (error) {
        if (!(error instanceof KikimimiError)) throw error
        if (error.code === 'ARGUMENT_INVALID') return reply.code(400).send(NO_PAGE)
        if (error.code === 'MODEL_MISSING') return reply.code(501).send({ message: sentence(error) })
        if (!UNABLE.has(error.code)) throw error
        return reply.code(503).send({ message: sentence(error) })
      }
    },
  )

  typed.get(
    '/api/facts/:id',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'All versions of a fact, oldest first',
        params,
        response: { 200: z.object({ history: z.array(fact) }), 404: refused },
      },
    },
    async ({ params }, reply) => {
      const history = await factHistory(ctx, params.id)
      return history.length > 0 ? { history } : reply.code(404).send(NONE)
    },
  )

  typed.patch(
    '/api/facts/:id',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Correct a fact, or pin it',
        params,
        body: change,
        response: {
          200: z.object({ fact }),
          404: refused,
          409: refused.describe('Another fact of the same place has this text.'),
          422: refused.describe('Invalid text of a fact.'),
        },
      },
    },
    async ({ params: { id }, body: { pinned, ...rest } }, reply) => {
      const store = ctx.use(Facts, 'optional')
      const edited = store && Object.keys(rest).length > 0 ? await edit(store, id, rest) : undefined
      if (edited instanceof KikimimiError) return reply.code(422).send({ message: sentence(edited) })
      if (edited?.outcome === 'known') {
        return reply.code(409).send({ message: `Fact ${edited.id} says this already. Nothing was changed.` })
      }
      if (pinned !== undefined) await store?.pin(id, pinned)
      const shown = (await factHistory(ctx, id)).find(one => one.id === id)
      return shown ? { fact: shown } : reply.code(404).send(NONE)
    },
  )

  typed.delete(
    '/api/facts/:id',
    {
      config: { role: 'moderator' },
      schema: { summary: 'Forget a fact', params, response: { 200: z.object({}), 404: refused } },
    },
    async ({ params }, reply) => {
      const forgotten = (await ctx.use(Facts, 'optional')?.forget([params.id])) ?? 0
      return forgotten > 0 ? {} : reply.code(404).send(NONE)
    },
  )

  inboxRoutes(server, ctx)
  peopleRoutes(server, ctx)
}

async function edit(store: FactStore, id: number, change: Parameters<FactStore['edit']>[1]) {
  try {
    return await store.edit(id, change)
  } catch (error) {
    if (error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID') return error
    throw error
  }
}

/** The message without the name of the plugin. */
function sentence({ message }: Error): string {
  const said = message.replace(/^\[[\w-]+\] /, '')
  return said.charAt(0).toUpperCase() + said.slice(1)
}
