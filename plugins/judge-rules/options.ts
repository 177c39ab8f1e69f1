import { duration } from 'kikimimi'
import { z } from 'zod'
import { ATTENTIVE, LIMITS } from './rules/attentive.ts'
import { CLASSIC } from './rules/classic.ts'

export const RULES = { attentive: ATTENTIVE, attention: LIMITS, classic: CLASSIC }

type RuleName = (typeof ATTENTIVE | typeof CLASSIC)[number]['name']

const names = [...new Set([...ATTENTIVE, ...CLASSIC].map(({ name }): RuleName => name))]

const points = z.number().min(0).max(100)
const count = z.int().min(1)

export const options = z
  .strictObject({
    preset: z
      .enum(['attentive', 'classic', 'attention'])
      .default('attentive')
      .describe(
        'The table of rules: `attentive` is derived from observed conversations, `classic` from the original design. `attention` takes the points from the plugin attention, and keeps the limits of `attentive`.',
      ),
    threshold: points
      .default(60)
      .describe('Minimum score for an answer to messages that do not address the bot, where no judge is installed.'),
    keywords: z.array(z.string()).default([]).describe('Words that make a message more interesting.'),
    knownTopics: z.array(z.string()).default([]).describe('Words for topics that the bot knows.'),
    engagement: z
      .object({
        duration: duration.default('5m').describe('How long the bot takes part in a conversation after it wrote there.'),
      })
      .prefault({})
      .describe('Only `classic`, and `diversity`: when the bot counts as taking part in the conversation.'),
    cooldown: duration.default('2m').describe('Only `classic`: how long the bot holds back after it wrote.'),
    unasked: count.default(4).describe('Only `attentive`: maximum number of unasked messages of the bot within five minutes.'),
    points: z
      .partialRecord(z.enum(names), z.number())
      .default({})
      .describe('Points that differ from those of the table, by rule: { question: 30 }. 0 switches a rule off.'),
    diversity: z
      .boolean()
      .default(false)
      .describe('Unasked messages take a shorter form where it suffices: a reaction below 60 points, a short phrase below 80.'),
    reactFrom: points
      .optional()
      .describe('Minimum score, below the threshold, for a reaction. Default: no reaction below the threshold.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
