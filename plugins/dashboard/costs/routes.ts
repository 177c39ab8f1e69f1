import type { FastifyInstance } from 'fastify'
import type { PluginContext } from 'kikimimi'
import { z } from 'zod'
import { withTypes } from '../server/typed.ts'
import { zone } from '../server/zone.ts'
import { costs } from './costs.ts'
import { costsView, DIMENSIONS } from './views.ts'

/** Days from `from` to `to`. */
const LONGEST = 400
const DAY = 24 * 60 * 60_000

const when = z.iso.datetime({ offset: true }).transform(text => new Date(text))
const value = z.string().max(2_000).optional()

const query = z
  .object({
    from: when.describe('Beginning.'),
    to: when.describe('End, at most 400 days after the beginning.'),
    zone: zone.default('UTC').describe('Time zone of the days.'),
    by: z.enum(DIMENSIONS).default('place').describe('What the groups are: channels, plugins, roles or models.'),
    place: value.describe('Only this channel; `direct` for direct messages; empty for work of the whole bot.'),
    plugin: value.describe('Only this plugin; empty for the bot itself.'),
    role: value.describe('Only this role.'),
    model: value.describe('Only this model.'),
  })
  .refine(({ from, to }) => to > from && to.getTime() - from.getTime() <= LONGEST * DAY, {
    error: `expected a time of at most ${LONGEST} days, with an end after its beginning`,
    path: ['to'],
  })

export function costsRoutes(server: FastifyInstance, ctx: Pick<PluginContext, 'db' | 'clock' | 'use'>): void {
  withTypes(server).get(
    '/api/costs',
    {
      config: { role: 'moderator' },
      schema: {
        summary: 'Calls, tokens and costs of models by hour or day, with background work',
        querystring: query,
        response: { 200: costsView },
      },
    },
    ({ query: { from, to, zone, by, ...only } }) => costs(ctx, { from, to, zone, by, only }),
  )
}
