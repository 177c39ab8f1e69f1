/** Intervenes in conversations without being addressed, if that helps. */
import { definePlugin, type Turn } from 'kikimimi'
import { createDecider } from './decide.ts'
import { effectOf } from './effect.ts'
import { forgetPerson } from './forget.ts'
import { createInterventions, type InterventionLog, Interventions, interventionLog } from './interventions.ts'
import { createJudge } from './judge.ts'
import { createJudgements } from './judgements.ts'
import { options } from './options.ts'
import { REMEMBERED_MS } from './past.ts'
import { createPlans } from './plans.ts'
import { type Counted, createResponder } from './respond.ts'
import { isHeated, listensIn } from './sight.ts'
import { unused } from './unused.ts'

export type { Effect } from './effect.ts'
export { type Intervention, type InterventionLog, Interventions, type Totals } from './interventions.ts'

const NAME = 'eavesdrop'

/** Maximum number of messages that are read to count an effect. */
const COUNTED = 500

/** The log of a bot that has no channels and no database. */
const NONE: InterventionLog = {
  latest: async () => [],
  totals: async () => ({ interventions: 0, wentOn: 0, repliedTo: 0, reactedTo: 0 }),
}

const DAY = 24 * 60 * 60_000

/** How long the effects of an intervention are kept. */
const KEPT_MS = 30 * DAY

export default definePlugin({
  name: NAME,
  options,
  provides: [Interventions],
  before: ['judge-rules', 'judge-llm', 'reply'],
  migrations: new URL('./migrations/', import.meta.url),
  needsDatabase: ({ channels }) => channels.length > 0,
  prompts: new URL('./prompts/', import.meta.url),
  unused,
  setup: (ctx, options) => {
    if (ctx.db.kind === 'none' && options.channels.length === 0) {
      ctx.provide(Interventions, NONE)
      return
    }
    const ago = (ms: number) => new Date(ctx.clock.now() - ms)
    const interventions = createInterventions(ctx)
    const plans = createPlans(ctx)
    const judgements = createJudgements(ctx)
    const judge = createJudge(ctx, judgements)
    ctx.provide(Interventions, interventionLog(ctx))

    const counting = ctx.job<Counted>('count', async ({ turn, conversation }) => {
      const said = await interventions.find(turn)
      if (!said || said.sent.length === 0) return
      await interventions.count(turn, effectOf(said, await ctx.history(conversation, COUNTED)))
    })

    ctx.every('sweep', '15m', async () => {
      await judgements.sweep()
      await plans.sweep(ago(DAY))
      await interventions.sweep(ago(REMEMBERED_MS), ago(Math.max(KEPT_MS, options.minInterval)))
    })

    const decide = createDecider(ctx, options, { interventions, plans, judge })
    const respond = createResponder(ctx, options, { interventions, plans, counting })

    /** Whether only people write to whom the bot spoke a moment ago: they know what it had to say. */
    async function steppedBetween({ conversation, messages, history }: Turn): Promise<boolean> {
      if (!history.some(({ own }) => own)) return false
      const last = (await interventions.since(conversation.id, ago(options.minInterval))).at(-1)
      return last?.state === 'CONFLICT' && messages.every(({ author }) => last.people.includes(author.id))
    }

    return {
      forget: person => forgetPerson(ctx.db, person),

      decide: async (turn, score) => {
        if (turn.addressed || !listensIn(options.channels, turn.conversation)) return undefined
        const decision = await decide(turn)
        if ((decision && decision.kind !== 'silent') || score.points === 0) return decision
        // Silence of this plugin leaves the decision to others, except in a quarrel.
        if (decision && isHeated(turn, options)) return decision
        return (await steppedBetween(turn)) ? { kind: 'silent', why: 'stepped in between these people a moment ago' } : undefined
      },

      respond: (turn, { plugin }, context) => (plugin === NAME ? respond(turn, context) : undefined),

      after: async (turn, { decision, outcome, sent }) => {
        if (decision?.plugin !== NAME || decision.kind === 'silent' || outcome === 'delayed') return
        await (sent.length > 0 ? interventions.said(turn.id, sent) : interventions.unsaid(turn.id))
      },
    }
  },
})
