/** What the tuning page shows, as the JSON API gives it. */
import { z } from 'zod'
import { optionView } from '../channels/views.ts'
import { message } from '../history/views.ts'

export const tunableView = optionView.extend({
  least: z.number().optional().describe('For a number.'),
  most: z.number().optional(),
  whole: z.boolean().optional(),
})
export type TunableView = z.infer<typeof tunableView>

const placed = z.object({
  judgements: z.number().describe('Judgements per 100 messages.'),
  considered: z.number().describe('The same, and what it answered or reacted to without one.'),
  coverage: z
    .number()
    .optional()
    .describe('Of the messages that the member answered, those that the bot answered, reacted to or asked a model about, 0…1.'),
  precision: z.number().optional().describe('Of what the bot answered without asking a model, what the member answered, 0…1.'),
})

const side = z.object({
  places: placed
    .extend({ members: z.array(placed.extend({ name: z.string() })).readonly() })
    .optional()
    .describe('In the places of the busiest members. Absent where none of them answered anybody with a reply.'),
  turns: z
    .object({ silent: z.number(), react: z.number(), asked: z.number(), ack: z.number(), full: z.number() })
    .describe('The turns of the bot as itself, by result. `asked`: a model would be asked.'),
  rules: z
    .array(z.object({ why: z.string(), times: z.number() }))
    .readonly()
    .describe('How often each rule gave points to what nobody addressed to the bot.'),
})
export type SideView = z.infer<typeof side>

const look = z.object({
  kind: z.enum(['silent', 'react', 'asked', 'ack', 'full']),
  why: z.string(),
  points: z.number().optional(),
})
export type LookView = z.infer<typeof look>

const difference = z.object({ message, today: look, changed: look })
export type DifferenceView = z.infer<typeof difference>

export const replayView = z.object({
  messages: z.number(),
  leftOut: z.array(z.string()).readonly().describe('Plugins that have a say, and could not be replayed.'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  today: side,
  changed: side,
  differences: z.array(difference).describe('Messages to which the bot would have done something else, latest first.'),
  differ: z.number().describe('How many they are, those that are not told too.'),
})
export type ReplayView = z.infer<typeof replayView>

export const replayEvent = z.union([
  z.object({ share: z.number().describe('How much is done, 0…1.') }),
  z.object({ replay: replayView }),
  z.object({ failed: z.string() }),
])
export type ReplayEvent = z.infer<typeof replayEvent>
