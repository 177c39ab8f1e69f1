/** Asks a model whether to join in, if the score leaves it open. */
import { Judge } from '@kikimimi/judge-rules/judge'
import { conversationValues, definePlugin, formatSections, languageOf, type Turn } from 'kikimimi'
import { z } from 'zod'
import { hasEnded } from './ended.ts'
import { evidenceOf } from './evidence.ts'
import { STYLES, toDecision, verdictOf } from './verdict.ts'

/** A verdict is one line of JSON. The rest is for models that think. */
const MAX_TOKENS = 500

const points = z.number().min(0).max(100)

const options = z
  .strictObject({
    low: points
      .default(20)
      .describe('The model is not asked for scores up to this one: the next decider judges, or the bot stays silent.'),
    high: points.default(80).describe('The model is not asked for this score and higher ones: the next decider judges.'),
    history: z.int().positive().default(15).describe('Number of messages of the conversation that the model reads.'),
    styles: z
      .tuple([z.enum(STYLES)], z.enum(STYLES))
      .default(['full'])
      .describe('Forms of answer that the model may choose from: `react` (an emoji), `ack` (a short phrase), `full`.'),
  })
  .refine(({ low, high }) => low < high, { path: ['low'], error: 'expected less than "high"' })
  .prefault({})

export default definePlugin({
  name: 'judge-llm',
  options,
  scoped: ['history', 'styles'],
  provides: [Judge],
  prompts: new URL('./prompts/', import.meta.url),
  setup: (ctx, { low, high }) => {
    ctx.provide(Judge, { low, high })

    return {
      decide: async (turn, score, { context }) => {
        if (turn.addressed || score.points <= low || score.points >= high) return undefined
        const plain = withoutModel(turn)
        if (plain !== undefined) return { kind: 'silent', why: plain }

        const { history, styles } = ctx.optionsFor(turn.conversation)
        const locale = languageOf(turn.history, ctx.locale)
        const { sections } = await context()
        const reading = { locale, length: history, now: new Date(ctx.clock.now()) }
        const values = {
          sections: formatSections(sections, locale),
          ...conversationValues(turn, reading),
          evidence: evidenceOf(turn, score, reading),
        }
        const given = await ctx.models.object('judge', verdictOf(styles), {
          system: ctx.prompt('judge.system', { persona: ctx.persona.prompt }, locale),
          messages: [{ role: 'user', text: ctx.prompt('judge.user', values, locale) }],
          maxTokens: MAX_TOKENS,
          signal: turn.signal,
        })
        return toDecision(
          given,
          turn.history.map(({ text }) => text),
        )
      },
    }
  },
})

/** The reason for silence that needs no model. */
function withoutModel({ messages, history }: Turn): string | undefined {
  if (history.at(-1)?.own) return 'the bot spoke last'
  return hasEnded(messages) ? 'the conversation has ended' : undefined
}
