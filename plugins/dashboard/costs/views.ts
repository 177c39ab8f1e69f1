/** The use of models in the JSON API. */
import { z } from 'zod'

export const DIMENSIONS = ['place', 'plugin', 'role', 'model'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const amount = z.object({
  calls: z.number(),
  failed: z.number().describe('Number of calls that failed.'),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: z.number().nullable().describe('In the currency of the prices in bot.config.ts. Null: no model had a price.'),
})
export type Amount = z.infer<typeof amount>

const expected = z.object({
  tokens: z.number(),
  cost: z.number(),
  expectedTokens: z.number().describe('Tokens at the end of the period, if the rest is like the last seven days.'),
  expectedCost: z.number(),
})

const key = z.string().nullable().describe('Null: all other groups together.')

export const costsView = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  step: z.enum(['hour', 'day']),
  total: amount,
  groups: z
    .array(amount.extend({ key, name: z.string().describe('Name of the channel, or the key itself.') }))
    .describe('The largest first. Channels have their names.'),
  steps: z.array(z.iso.datetime()).describe('Beginnings of the hours or days from `from` to `to`.'),
  series: z
    .array(z.object({ at: z.number().describe('Index in `steps`.'), key, tokens: z.number(), cost: z.number() }))
    .describe('What each group used in each step. Steps without calls are missing.'),
  forecast: z
    .object({ day: expected, month: expected })
    .describe('The current day and month in the given zone, of the whole bot, without the filters.'),
  place: z.string().optional().describe('Name of the channel of the filter.'),
  limits: z
    .object({ tokens: z.number().optional(), money: z.number().optional() })
    .describe('Limits of the whole bot for a day. Empty: none.'),
})
export type CostsView = z.infer<typeof costsView>
