import { Facts } from '@kikimimi/facts'
import type { FastifyInstance } from 'fastify'
import { KikimimiError, type PluginContext } from 'kikimimi'
import { z } from 'zod'
import { refused, withTypes } from '../server/typed.ts'
import { lineOf } from '../turns/search.ts'
import { line } from '../turns/views.ts'
import { inbox, usesOf } from './memory.ts'
import { fact, inboxPage, QUEUES } from './views.ts'

const ids = z.array(z.number().int().positive()).min(1).max(200).describe('Ids of facts, at most 200.')
const done = z.object({ done: z.number().describe('Number of facts that exist.') })
const same = fact.pick({ kind: true, shareable: true, pinned: true }).partial()

/** The response to a `before` that no page has returned. */
export const NO_PAGE = { message: 'before: expected the value `next` of an earlier page' }

/** Facts to review, and what is done with many of them at once. */
export function inboxRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'use'>): void {
  const typed = withTypes(server)
  const store = () => ctx.use(Facts, 'optional')

  typed.get(
    '/api/inbox',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Facts of all channels to review, in pages',
        querystring: z.object({
          queue: z.enum(QUEUES),
          text: z.string().trim().max(200).default('').describe('Words that a fact must have.'),
          channel: z.string().max(2_000).optional().describe('Id of a channel.'),
          person: z
            .string()
            .regex(/^[^/]+\/./s, 'expected the platform and the id of a person, such as discord/123')
            .max(1_000)
            .optional()
            .describe('`platform/id` of a person whom a fact is about, or who told it.'),
          before: z.string().max(50).optional().describe('`next` of the previous page.'),
        }),
        response: { 200: inboxPage, 400: refused },
      },
    },
    async ({ query: { person, ...query } }, reply) => {
      const [platform = '', id = ''] = person?.split(/\/(.*)/s) ?? []
      try {
        return await inbox(ctx, { ...query, ...(person !== undefined && { person: { platform, id } }) })
      } catch (error) {
        if (error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID') return reply.code(400).send(NO_PAGE)
        throw error
      }
    },
  )

  typed.get(
    '/api/facts/:id/uses',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The latest turns that had a fact in their prompt',
        params: z.object({ id: z.coerce.number().int().positive() }),
        response: { 200: z.object({ turns: z.array(line) }) },
      },
    },
    async ({ params }) => ({ turns: (await usesOf(ctx, params.id)).map(lineOf) }),
  )

  typed.post(
    '/api/facts/confirm',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Mark facts as true. They are no longer new, and they fade from now on',
        body: z.strictObject({ ids }),
        response: { 200: done },
      },
    },
    async ({ body }) => ({ done: (await store()?.confirm(body.ids)) ?? 0 }),
  )

  typed.post(
    '/api/facts/forget',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: { summary: 'Forget facts', body: z.strictObject({ ids }), response: { 200: done } },
    },
    async ({ body }) => ({ done: (await store()?.forget(body.ids)) ?? 0 }),
  )

  typed.post(
    '/api/facts/correct',
    {
      config: { role: 'moderator' },
      bodyLimit: 65_536,
      schema: {
        summary: 'Change the kind of facts, whether they may be mentioned unasked, or whether they are pinned',
        body: same
          .extend({ ids })
          .strict()
          .refine(({ ids: _, ...change }) => Object.keys(change).length > 0, 'nothing to change was given'),
        response: { 200: done },
      },
    },
    async ({ body: { ids, pinned, ...change } }) => {
      let count = 0
      for (const id of new Set(ids)) {
        const edited = Object.keys(change).length > 0 ? (await store()?.edit(id, change))?.outcome === 'edited' : true
        const isThere = pinned === undefined ? edited : ((await store()?.pin(id, pinned)) ?? false)
        if (isThere) count++
      }
      return { done: count }
    },
  )

  typed.post(
    '/api/facts/undo',
    {
      config: { role: 'moderator' },
      bodyLimit: 4_096,
      schema: {
        summary: 'Let all facts hold again that were replaced together',
        body: z.strictObject({ batch: z.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
        response: { 200: done },
      },
    },
    async ({ body }) => ({ done: (await store()?.undo(body.batch))?.length ?? 0 }),
  )
}
