/** Searches for turns in the JSON API. */
import { z } from 'zod'
import { place, trace } from '../history/views.ts'
import { zone } from '../server/zone.ts'
import { hourOfWeek } from './week.ts'

const name = z.string().trim().min(1).max(500)
const when = z.iso.datetime({ offset: true, error: 'expected a time such as 2026-01-05T10:00:00Z' })

/** The filters that `kikimimi_v1.turn_facet` knows, by its kinds. */
const facets = {
  channel: z.string().max(2_000).describe('Id of a channel, with its threads.'),
  person: z
    .string()
    .regex(/^[^/]+\/./s, 'expected the platform and the id of a person, such as discord/123')
    .max(1_000)
    .describe('`platform/id` of a person who has written a message of the turn.'),
  plugin: name.describe('Name of a plugin that gave points, decided, replied, cancelled or failed.'),
  outcome: trace.shape.outcome,
  reason: name.describe('A reason, as `/api/turns/choices` and `/api/overview` have them.'),
  model: name.describe('Name of a model that was called.'),
  error: z.literal('true').describe('Turns that failed or have a problem.'),
  took: z.enum(['1000', '3000', '10000', '30000']).describe('Turns that took this many milliseconds or more.'),
  cost: z.enum(['0.001', '0.01', '0.1', '1']).describe('Turns whose model calls cost this much or more.'),
  week: z
    .string()
    .regex(/^(\d|[1-9]\d|1[0-5]\d|16[0-7])( |$)/, 'expected 0 to 167')
    .refine(given => zone.safeParse(hourOfWeek(given).zone).success, 'expected a time zone after the hour, such as 9 Asia/Tokyo')
    .describe(
      'Turns that began in this hour of the week of a time zone, such as `9 Asia/Tokyo`; 0 is Monday from 0:00 to 1:00. Without a zone: UTC.',
    ),
}

export const filters = z
  .strictObject({
    ...facets,
    since: when.describe('Not earlier than this.'),
    until: when.describe('Earlier than this.'),
    text: z.string().trim().max(200).describe('Part of a message of the turn or of its answer, in any case.'),
  })
  .partial()
export type Filters = z.output<typeof filters>

/** The kinds of facets. */
export const FACETS = Object.keys(facets) as (keyof typeof facets)[]

/** Where the next page begins, as the previous page has said it. */
export const cursor = z
  .string()
  .regex(/^\d{1,17}\.\d{1,18}$/, 'expected the value `next` of an earlier page')
  .describe('`next` of the previous page.')

export const line = z
  .object({
    turn: z.string(),
    at: z.iso.datetime(),
    place,
    author: z
      .string()
      .optional()
      .describe('Name of the author of the message that an answer replies to. Absent: it is not kept.'),
    text: z.string().optional().describe('The beginning of that message.'),
    messages: z.number().describe('Number of messages of the turn.'),
    ...trace.pick({ outcome: true, why: true, decision: true }).shape,
    points: z.number().optional().describe('0…100.'),
    ms: z.number().describe('Milliseconds of all stages.'),
    tokens: z.number(),
    cost: z.number().optional(),
    models: z.array(z.string()).describe('Names of the models, each once.'),
    tools: z.number().describe('Number of tools that were called.'),
    problems: z.number(),
  })
  .describe('A turn in a list. `/api/turns?turn=…` has the whole turn.')
export type TurnLine = z.output<typeof line>

export const page = z.object({
  turns: z.array(line),
  next: cursor.optional().describe('Absent: there are no further turns.'),
  searched: z.iso
    .datetime()
    .optional()
    .describe('The page ends before it is full, because many turns do not match: all turns since this time are searched.'),
})

export const prompt = z
  .object({
    call: z.number().describe('Index of the call in `models` of the trace.'),
    system: z.string(),
    messages: z.array(z.object({ role: z.enum(['user', 'assistant', 'tool']), text: z.string() })).readonly(),
    output: z.string().optional().describe('Raw output of the model. Absent: the call failed.'),
  })
  .describe('What a model was asked in a turn, without secrets.')
export type PromptView = z.output<typeof prompt>

export const choices = z.object({
  reasons: z.array(z.object({ reason: z.string(), turns: z.number() })).describe('Most frequent first.'),
  plugins: z.array(z.string()),
  models: z.array(z.string()).describe('Models of the latest turns.'),
})
