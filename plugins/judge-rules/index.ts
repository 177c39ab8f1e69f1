/** Decides when to speak, by a table of rules. */
import { definePlugin, duration, type Turn } from 'kikimimi'
import { z } from 'zod'
import { decide } from './decide.ts'
import { RULES, type Rule, type RuleName, type Sight } from './rules.ts'
import { saysOneOf } from './words.ts'

const points = z.number().min(0).max(100)

const options = z
  .strictObject({
    threshold: points.default(60).describe('The score from which the bot speaks unasked.'),
    names: z.array(z.string()).default([]).describe('Further names that people call the bot by, beside those of its persona.'),
    keywords: z.array(z.string()).default([]).describe('Words that make a message more interesting.'),
    engagement: z
      .object({ duration: duration.prefault('5m').describe('How long the bot stays in a conversation after it spoke.') })
      .prefault({})
      .describe('When the bot counts as one of those who are talking.'),
    cooldown: duration.prefault('2m').describe('How long the bot holds back after it spoke.'),
    points: z
      .partialRecord(z.enum(RULES.map(({ name }): RuleName => name)), z.number())
      .default({})
      .describe('Other points for rules, by name: { question: 30 }.'),
    diversity: z.boolean().default(false).describe('Answers unasked with a reaction or a short phrase, where that is enough.'),
    ackFrom: points.default(60).describe('With diversity: a lower score gets a reaction.'),
    fullFrom: points
      .default(80)
      .describe('With diversity: a lower score gets a short phrase, unless it is a question or the bot is in the conversation.'),
    reactFrom: points.optional().describe('The score below the threshold from which the bot reacts. Absent: it stays silent.'),
  })
  .prefault({})

export default definePlugin({
  name: 'judge-rules',
  options,
  setup: (app, options) => {
    const isCalled = saysOneOf([...app.persona.names, ...options.names])
    const hasKeyword = saysOneOf(options.keywords)
    const rules = RULES.map((rule): Rule => ({ ...rule, points: options.points[rule.name] ?? rule.points })).filter(
      rule => rule.points !== 0,
    )

    const look = (turn: Turn): Sight => ({
      turn,
      sinceReply: turn.lastReplyAt ? app.clock.now() - turn.lastReplyAt.getTime() : Number.POSITIVE_INFINITY,
      engagementMs: options.engagement.duration,
      cooldownMs: options.cooldown,
      hasKeyword,
    })

    return {
      address: ({ text }) => (isCalled(text) ? 'name' : undefined),
      score: turn => {
        const sight = look(turn)
        return rules.filter(rule => rule.when(sight)).map(({ points, why }) => ({ points, why }))
      },
      decide: (turn, score) => decide(turn, look(turn), score, options),
    }
  },
})
