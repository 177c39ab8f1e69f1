import { duration } from 'kikimimi'
import { z } from 'zod'
import { LEVELS } from './chattiness.ts'
import { ATTENTIVE } from './rules/attentive.ts'
import { CLASSIC } from './rules/classic.ts'

export const RULES = { attentive: ATTENTIVE, classic: CLASSIC }

type RuleName = (typeof ATTENTIVE | typeof CLASSIC)[number]['name']

const names = [...new Set([...ATTENTIVE, ...CLASSIC].map(({ name }): RuleName => name))]

const points = z.number().min(0).max(100)
const count = z.int().min(1)

export const options = z
  .strictObject({
    preset: z.enum(['attentive', 'classic']).default('attentive').describe('The table: what people do, or the points of old.'),
    chattiness: z
      .enum(LEVELS)
      .default('normal')
      .describe(
        'How much it talks unasked: `quiet` takes 20 points off, `lively` gives 15. `/kiki chattiness` sets it for a channel.',
      ),
    threshold: points.default(60).describe('The score from which the bot speaks unasked, where no judge is asked.'),
    names: z.array(z.string()).default([]).describe('Further names that people call the bot by, beside those of its persona.'),
    keywords: z.array(z.string()).default([]).describe('Words that make a message more interesting.'),
    knownTopics: z.array(z.string()).default([]).describe('Words for what the bot knows about.'),
    engagement: z
      .object({ duration: duration.prefault('5m').describe('How long the bot stays in a conversation after it spoke.') })
      .prefault({})
      .describe('classic, and the form of answers: when the bot counts as one of those who are talking.'),
    cooldown: duration.prefault('2m').describe('classic: how long the bot holds back after it spoke.'),
    unmentioned: count.default(10).describe('classic: in so many messages nobody has mentioned the bot.'),
    lively: z
      .object({
        messages: count.default(10).describe('So many messages'),
        within: duration.prefault('1m').describe('within so long.'),
      })
      .prefault({})
      .describe('classic: what counts as a lively talk.'),
    silence: duration.prefault('10m').describe('After so long what is said breaks a silence.'),
    unasked: count.default(4).describe('attentive: so often within five minutes the bot joins in, and then no more.'),
    points: z.partialRecord(z.enum(names), z.number()).default({}).describe('Other points for rules, by name: { question: 30 }.'),
    diversity: z.boolean().default(false).describe('Answers unasked with a reaction or a short phrase, where that is enough.'),
    ackFrom: points.default(60).describe('With diversity: a lower score gets a reaction.'),
    fullFrom: points
      .default(80)
      .describe('With diversity: a lower score gets a short phrase, unless it is a question or the bot is in the conversation.'),
    reactFrom: points.optional().describe('The score below the threshold from which the bot reacts. Absent: it stays silent.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
