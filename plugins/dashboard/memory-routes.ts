import { Facts } from '@kikimimi/facts'
import type { FastifyInstance } from 'fastify'
import type { App } from 'kikimimi'
import { z } from 'zod'
import { facts, people, places } from './memory.ts'
import { withTypes } from './typed.ts'
import { fact, person, place } from './views.ts'

const refused = z.object({ message: z.string() })

export function memoryRoutes(server: FastifyInstance, app: Pick<App, 'db' | 'find' | 'forget' | 'log'>): void {
  const typed = withTypes(server)

  typed.get(
    '/api/places',
    { schema: { summary: 'Channels that the bot has heard', response: { 200: z.object({ places: z.array(place) }) } } },
    async () => ({ places: await places(app.db) }),
  )

  typed.get(
    '/api/facts',
    {
      schema: {
        summary: 'Facts that may be told in a channel: those that have to do with a text, best first, or the latest',
        querystring: z.object({ conversation: z.string().max(2_000), text: z.string().trim().max(2_000).default('') }),
        response: { 200: z.object({ kept: z.boolean().describe('Whether a plugin keeps facts.'), facts: z.array(fact) }) },
      },
    },
    async ({ query }) => ({ kept: app.find(Facts) !== undefined, facts: await facts(app, query) }),
  )

  typed.delete(
    '/api/facts/:id',
    {
      schema: {
        summary: 'Forget a fact',
        params: z.object({ id: z.coerce.number().int().positive() }),
        response: { 200: z.object({}), 404: refused },
      },
    },
    async ({ params }, reply) => {
      const forgotten = (await app.find(Facts)?.forget([params.id])) ?? 0
      return forgotten > 0 ? {} : reply.code(404).send({ message: 'There is no such fact.' })
    },
  )

  typed.get(
    '/api/people',
    { schema: { summary: 'Who has said something', response: { 200: z.object({ people: z.array(person) }) } } },
    async () => ({ people: await people(app.db) }),
  )

  typed.post(
    '/api/people/forget',
    {
      bodyLimit: 4_096,
      schema: {
        summary: 'Forget a person: all that they said until now, and what was made of it. It cannot be undone',
        body: z.strictObject({ platform: z.string().min(1).max(100), id: z.string().min(1).max(500) }),
        response: { 200: z.object({}) },
      },
    },
    async ({ body }) => {
      await app.forget(body)
      return {}
    },
  )
}
