import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import type { CapturedPrompt } from 'kikimimi/host'
import { z } from 'zod'
import { place } from '../history/views.ts'
import { withTypes } from '../server/typed.ts'
import { choices, findChannels, findPeople } from './choices.ts'
import { allTurns, lineOf, search } from './search.ts'
import { choices as choicesView, cursor, filters, page, prompt } from './views.ts'

const text = z.string().trim().min(1).max(200)

export function turnsRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'clock' | 'use'>): void {
  const typed = withTypes(server)
  const { db } = ctx

  typed.get(
    '/api/turns/search',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Turns that match all given filters, newest first, in pages',
        querystring: filters.extend({ before: cursor.optional(), limit: z.coerce.number().int().min(1).max(200).default(50) }),
        response: { 200: page },
      },
    },
    async ({ query: { before, limit, ...given } }) => {
      const { turns, next, searched } = await search(ctx, given, { now: ctx.clock.now(), before, limit })
      return { turns: turns.map(lineOf), ...(next && { next }), ...(searched && { searched: searched.toISOString() }) }
    },
  )

  typed.get(
    '/api/turns/export',
    {
      // An answer to HEAD has no body, and would leave the stream open.
      exposeHeadRoute: false,
      config: { role: 'moderator' },
      schema: {
        summary: 'Turns that match all given filters, newest first: each a line of JSON with the fields of `/api/turns`',
        querystring: filters,
      },
    },
    ({ query }, reply) =>
      reply
        .type('application/x-ndjson; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="turns.jsonl"')
        .send(Readable.from(lines(allTurns(ctx, query, ctx.clock.now())))),
  )

  typed.get(
    '/api/turns/prompts',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'The captured prompts of a turn, and the raw output of the models, in the order of the calls',
        querystring: z.object({ turn: z.string().min(1).max(100) }),
        response: { 200: z.object({ prompts: z.array(prompt).readonly() }) },
      },
    },
    async ({ query: { turn } }) => {
      const { rows } = await db.query<{ data: CapturedPrompt }>(
        'select data from kikimimi_v1.prompt where turn = $1 order by call',
        [turn],
      )
      return { prompts: rows.map(({ data }) => data) }
    },
  )

  typed.get(
    '/api/turns/choices',
    {
      config: { role: 'moderator' },
      schema: { summary: 'Values of the filters for turns of the last 30 days', response: { 200: choicesView } },
    },
    () => choices(ctx),
  )

  typed.get(
    '/api/turns/channels',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Channels by name',
        querystring: z.object({ text }),
        response: { 200: z.object({ channels: z.array(place) }) },
      },
    },
    async ({ query }) => ({ channels: [...(await findChannels(db, query.text))] }),
  )

  typed.get(
    '/api/turns/people',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'People by name or `platform/id`, and the latest by a part of their name',
        querystring: z.object({ text }),
        response: {
          200: z.object({ people: z.array(z.object({ id: z.string().describe('`platform/id`.'), name: z.string() })) }),
        },
      },
    },
    async ({ query }) => ({ people: [...(await findPeople(db, query.text))] }),
  )
}

async function* lines(turns: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const turn of turns) yield `${JSON.stringify(turn)}\n`
}
