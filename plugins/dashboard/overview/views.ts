/** The overview in the JSON API. */
import { z } from 'zod'
import { place, trace } from '../history/views.ts'

export const HOURS = ['24', '168', '720'] as const

const turns = z.number().describe('Number of turns.')
const ms = z.number().describe('Milliseconds, exact to a fifth.')

export const overview = z.object({
  since: z.iso.datetime().describe('Beginning of the period: an hour.'),
  totals: z.object({
    turns,
    messages: z.number().describe('Messages of these turns.'),
    errors: z.number().describe('Turns that failed or have a problem.'),
    tokens: z.number().describe('Tokens of all model calls, with background work.'),
    cost: z.number().describe('Cost of these calls, in the currency of the prices in bot.config.ts.'),
  }),
  outcomes: z.array(z.object({ outcome: trace.shape.outcome, turns })),
  silence: z.array(z.object({ reason: z.string(), turns })).describe('The most frequent reasons of silent turns.'),
  latency: z
    .object({ p50: ms, p95: ms, count: z.number() })
    .optional()
    .describe('How long turns with a reply took. Absent: there is none.'),
  hours: z
    .array(z.object({ at: z.iso.datetime(), turns, replies: z.number(), errors: z.number() }))
    .describe('Hours with turns, oldest first.'),
  now: z.object({ active: z.number(), due: z.number() }).describe('Turns and jobs that run, and those that are due.'),
  health: z
    .object({
      platforms: z.array(z.object({ name: z.string(), why: z.string() })).describe('Platforms that are not connected.'),
      paused: z
        .array(z.object({ name: z.string(), isModel: z.boolean() }))
        .describe('Plugins and models that are paused after errors.'),
      isOverloaded: z.boolean(),
    })
    .describe('What is wrong in this process now.'),
})
export type OverviewView = z.output<typeof overview>

export const channelLine = z.object({
  place,
  turns,
  replies: z.number(),
  series: z.array(z.number()).describe('Turns in 24 equal parts of the period, oldest first.'),
})
export type ChannelLine = z.output<typeof channelLine>
