import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { withTypes } from '../server/typed.ts'
import { channelLines, type OverviewApp, overview } from './overview.ts'
import { channelLine, HOURS, overview as overviewView } from './views.ts'

const hours = z.enum(HOURS).default('24').describe('Length of the period, which ends with the current hour.')

export function overviewRoutes(server: FastifyInstance, ctx: OverviewApp): void {
  const typed = withTypes(server)
  /** Pages that ask for the same at the same time share the result. */
  const reading = new Map<string, ReturnType<typeof overview>>()

  typed.get(
    '/api/overview',
    {
      config: { role: 'viewer' },
      schema: {
        summary: 'What the bot did in a period: turns, silence by reason, times, errors and cost',
        querystring: z.object({ hours }),
        response: { 200: overviewView },
      },
    },
    ({ query }) => {
      const begun = reading.get(query.hours) ?? overview(ctx, Number(query.hours)).finally(() => reading.delete(query.hours))
      reading.set(query.hours, begun)
      return begun
    },
  )

  typed.get(
    '/api/overview/channels',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Channels with the most turns in a period, or those that a text finds',
        querystring: z.object({ hours, text: z.string().trim().max(200).default('') }),
        response: { 200: z.object({ channels: z.array(channelLine) }) },
      },
    },
    async ({ query }) => ({ channels: [...(await channelLines(ctx, Number(query.hours), query.text))] }),
  )
}
