/** Tuning in the JSON API. */
import { z } from 'zod'
import { optionView } from '../channels/views.ts'
import { message } from '../history/views.ts'

export const tunableView = optionView.extend({
  least: z.number().optional().describe('Minimum of a number.'),
  most: z.number().optional(),
  whole: z.boolean().optional(),
  unused: z.string().optional().describe('Why the option has no effect in this configuration.'),
})
export type TunableView = z.infer<typeof tunableView>

const placed = z.object({
  judgements: z.number().describe('Judgements per 100 messages.'),
  considered: z.number().describe('Judgements, and answers and reactions without one, per 100 messages.'),
  coverage: z
    .number()
    .optional()
    .describe('Share of the messages answered by the member that the bot answered, reacted to or asked a model about, 0…1.'),
  precision: z.number().optional().describe('Share of the bot’s answers without a model that the member gave too, 0…1.'),
})

const share = z.object({ n: z.number(), passed: z.number(), value: z.number(), low: z.number(), high: z.number() })

const side = z.object({
  places: placed
    .extend({ members: z.array(placed.extend({ name: z.string() })).readonly() })
    .optional()
    .describe('In place of the most active members. Absent if none of them used replies.'),
  turns: z
    .object({ silent: z.number(), react: z.number(), asked: z.number(), ack: z.number(), full: z.number() })
    .describe('The bot as itself, by decision. `asked`: a model would be called, and no verdict is known.'),
  recorded: z.number().describe('Of these turns, those that a recorded verdict of the judge decided.'),
  estimate: share
    .extend({ of: z.number().describe('Number of turns that only the judge decides, without a recorded verdict.') })
    .optional()
    .describe(
      'Share of these turns that the bot answers, with its 95 % interval, by a sample of `n`. Absent: the judge was not asked.',
    ),
  rules: z
    .array(z.object({ why: z.string(), times: z.number() }))
    .readonly()
    .describe('How often each rule gave points to messages that do not address the bot.'),
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

const replayCost = z.object({
  priced: z.boolean().describe('True: amounts are in the currency of the prices in bot.config.ts. False: they are tokens.'),
  roles: z
    .array(
      z.object({
        role: z.string(),
        today: z.number().describe('What the channel has used in the hours of the messages.'),
        changed: z.number().nullable().describe('Estimated from the judge calls and answers of both replays. Null: unknown.'),
      }),
    )
    .describe('The largest first.'),
})
export type ReplayCost = z.infer<typeof replayCost>

export const sampling = z.strictObject({
  calls: z.int().min(1).max(500).describe('The most prompts: a random sample.'),
  tokens: z.int().min(1).max(100_000_000).describe('The most tokens of all calls together.'),
})
export type SamplingView = z.infer<typeof sampling>

export const replayView = z.object({
  messages: z.number(),
  leftOut: z.array(z.string()).readonly().describe('Plugins that influence decisions but cannot be replayed.'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  today: side,
  changed: side,
  cost: replayCost,
  undecided: z
    .object({
      model: z.string().describe('Name of the model that judges in this channel.'),
      prompts: z.number().describe('Different prompts of undecided turns.'),
      tokens: z.number().describe('Estimated tokens of a call, in the mean.'),
      most: z.number().describe('The most tokens that a call can use.'),
      cost: z.number().optional().describe('Estimated cost of a call. Absent: the model has no price.'),
    })
    .optional()
    .describe('What the judge could be asked. Absent: nothing, or bot.config.ts has no model that judges.'),
  asked: z
    .object({
      sampled: z.number(),
      cached: z.number().describe('Verdicts that are known from an earlier sample.'),
      calls: z.number(),
      failed: z.number(),
      left: z.number().describe('Prompts that the tokens did not suffice for.'),
      tokens: z.number(),
      cost: z.number().optional(),
    })
    .optional()
    .describe('What the judge was asked. Absent: nothing.'),
  differences: z.array(difference).describe('Messages with a different result, latest first.'),
  differ: z.number().describe('Number of all differences, including those not returned.'),
})
export type ReplayView = z.infer<typeof replayView>

export const importView = z.object({
  channels: z
    .array(z.object({ name: z.string(), messages: z.number() }))
    .readonly()
    .describe('The channels of the export, those with the most messages first.'),
  channel: z.string().describe('The replayed channel.'),
  messages: z.number(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  turns: side.shape.turns,
  leftOut: replayView.shape.leftOut,
  spoken: z
    .array(look.extend({ at: z.iso.datetime(), author: z.string().describe('Name of the author.'), text: z.string() }))
    .describe('Turns in which the bot is not silent, with the message that each answers, latest first.'),
  spoke: z.number().describe('Number of all such turns, including those not returned.'),
})
export type ImportView = z.infer<typeof importView>

export const importEvent = z.union([
  z.object({ share: z.number().describe('Progress, 0…1.') }),
  z.object({ imported: importView }),
  z.object({ failed: z.string() }),
])
export type ImportEvent = z.infer<typeof importEvent>

export const replayEvent = z.union([
  z.object({ share: z.number().describe('Progress, 0…1.') }),
  z.object({ replay: replayView }),
  z.object({ failed: z.string() }),
])
export type ReplayEvent = z.infer<typeof replayEvent>
