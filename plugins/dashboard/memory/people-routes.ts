import type { FastifyInstance } from 'fastify'
import { Erasure, type PluginContext } from 'kikimimi'
import { z } from 'zod'
import { withTypes } from '../server/typed.ts'
import { inbox } from './memory.ts'
import { cardOf, nameOf, people } from './people.ts'
import { card, inboxPage, person } from './views.ts'

const who = z.object({ platform: z.string().min(1).max(100), id: z.string().min(1).max(500) })

/** People who have written messages: a list, what is known of one, and their erasure. */
export function peopleRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'use'>): void {
  const typed = withTypes(server)
  const { db } = ctx

  typed.get(
    '/api/people',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'People who have written a message, by the day of the last one, the latest first, in pages',
        querystring: z.object({
          text: z.string().trim().max(500).default('').describe('A part of the name, or the id.'),
          before: z
            .string()
            .max(2_000)
            .regex(/^\d{4}-\d\d-\d\d\/[^/]+\/./s, 'expected the value `next` of an earlier page')
            .refine(given => !Number.isNaN(Date.parse(given.slice(0, 10))), 'expected the value `next` of an earlier page')
            .optional()
            .describe('`next` of the previous page.'),
        }),
        response: {
          200: z.object({ people: z.array(person), next: z.string().optional().describe('Absent: there are no others.') }),
        },
      },
    },
    ({ query }) => people(db, query),
  )

  typed.get(
    '/api/people/facts',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Facts about a person or told by them, from all channels, newest first, in pages',
        querystring: who.extend({
          before: z
            .string()
            .regex(/^\d{1,18}\.\d{1,18}$/, 'expected the value `next` of an earlier page')
            .optional(),
        }),
        response: { 200: inboxPage.extend({ name: z.string() }) },
      },
    },
    async ({ query: { before, ...person } }) => {
      const page = await inbox(ctx, { queue: 'all', person, before })
      return {
        name: await nameOf(
          db,
          person,
          page.entries.map(({ fact }) => fact),
        ),
        ...page,
      }
    },
  )

  typed.get(
    '/api/people/card',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'What plugins know of a person, from all channels',
        querystring: who,
        response: {
          200: z.object({ card: card.optional().describe('Absent: nothing is known, or there is no plugin for profiles.') }),
        },
      },
    },
    async ({ query }) => {
      const known = await cardOf(ctx, query)
      return known ? { card: known } : {}
    },
  )

  typed.post(
    '/api/people/forget',
    {
      config: { role: 'owner' },
      bodyLimit: 4_096,
      schema: {
        summary: 'Erase a person: their messages, and all data made of them. This cannot be undone',
        body: who.strict(),
        response: { 200: z.object({}) },
      },
    },
    async ({ body }) => {
      await ctx.use(Erasure).forget(body)
      return {}
    },
  )
}
