/** Ratings and evaluations in the JSON API. */
import { z } from 'zod'
import { place } from '../history/views.ts'

const word = z.string().trim().min(1).max(100)
const id = z.string().min(1).max(100)

export const rated = z.strictObject({
  good: z.boolean().describe('Thumb up or down.'),
  speaks: z.boolean().describe('Whether the bot should say something.'),
  contains: z.array(word).max(10).default([]).describe('Words of which the answer must have one. None: any answer will do.'),
  forbids: z.array(word).max(10).default([]).describe('Words that the answer must not have.'),
  comment: z.string().trim().max(1_000).default(''),
})

export const rating = z.object({
  turn: z.string(),
  ...rated.shape,
  by: z.string().describe('The account. Empty without a password.'),
  at: z.iso.datetime(),
})
export type RatingView = z.infer<typeof rating>

export const listed = rating.extend({
  place,
  text: z.string().optional().describe('The beginning of the message that the turn answers. Absent: it is not kept.'),
})
export type ListedRating = z.infer<typeof listed>

const change = z.strictObject({
  settings: z
    .record(id, z.record(id, z.unknown()))
    .optional()
    .describe('Other options, by plugin and name, as in bot.config.ts.'),
  persona: z.string().trim().min(1).max(10_000).optional().describe('Another character.'),
  model: z.string().min(1).max(200).optional().describe('Name of a model of the bot that writes the answers.'),
  memory: z.boolean().optional().describe('False: without what the bot remembers.'),
})

export const evaluationRequest = z.strictObject({
  turns: z.array(id).min(1).max(500).optional().describe('Ids of turns. Absent: all rated turns.'),
  change: change.describe('What differs from the bot of today.'),
  budget: z.int().min(1).max(100_000_000).describe('The most tokens of all calls.'),
})

const spent = z.object({ calls: z.number(), tokens: z.number(), cost: z.number().optional(), ms: z.number() })
const share = z.object({ n: z.number(), passed: z.number(), value: z.number(), low: z.number(), high: z.number() })
const result = z.object({
  said: z.array(z.string()).readonly(),
  why: z.string().optional(),
  failed: z.string().optional(),
  left: z.boolean(),
  checks: z.array(z.object({ what: z.string(), passed: z.boolean() })).readonly(),
  spent,
})
export type ResultView = z.infer<typeof result>

export const evaluation = z.object({
  sides: z
    .array(z.object({ spent, medianMs: z.number(), p95Ms: z.number(), failed: z.number(), left: z.number() }))
    .readonly()
    .describe('The bot of today, and the changed one.'),
  rows: z
    .array(
      z.object({
        kind: z.string(),
        shares: z.array(share).readonly().describe('Cases that pass, each with the 95 % interval of Wilson.'),
        difference: share
          .omit({ passed: true })
          .extend({ won: z.number(), lost: z.number() })
          .optional()
          .describe('The changed bot minus that of today, with the 95 % interval of Newcombe for pairs.'),
      }),
    )
    .readonly(),
  cases: z.array(z.object({ name: z.string().describe('Id of the turn.'), results: z.array(result).readonly() })).readonly(),
  gone: z.array(z.string()).readonly().describe('Turns of which not all messages are kept.'),
})
export type EvaluationView = z.infer<typeof evaluation>

export const evaluationEvent = z.union([
  z.object({ share: z.number().describe('Share of the cases that are done, 0…1.') }),
  z.object({ evaluation }),
  z.object({ failed: z.string() }),
])
export type EvaluationEvent = z.infer<typeof evaluationEvent>
