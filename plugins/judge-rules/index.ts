/** Decides when to speak, with a table of rules and a threshold. */
import { type Conversation, definePlugin, KikimimiError, StoredSettings, type Turn } from 'kikimimi'
import { Attention } from './attention.ts'
import { Chattiness, chattinessCommand, SCORES } from './chattiness.ts'
import { decide } from './decide.ts'
import { Judge } from './judge.ts'
import { type Options, options } from './options.ts'
import { type Table, tableOf } from './table.ts'
import { callsOneOf } from './talk/called.ts'
import { findsNames } from './talk/names.ts'
import { settledBy, takesBack, thanks } from './talk/withdraw.ts'
import { texts } from './texts.ts'

export default definePlugin({
  name: 'judge-rules',
  options,
  needs: [StoredSettings],
  provides: [Chattiness],
  scoped: [
    'chattiness',
    'threshold',
    'keywords',
    'knownTopics',
    'engagement',
    'cooldown',
    'unasked',
    'points',
    'diversity',
    'reactFrom',
  ],
  setup: (ctx, options) => {
    const { preset } = options
    const called = [...ctx.persona.names, ...options.names]
    const findNames = findsNames(called)
    const hasName = (text: string) => findNames(text).length > 0
    const isCalled = preset === 'classic' ? hasName : callsOneOf(called)

    const attention = preset === 'attention' ? ctx.use(Attention, 'optional') : undefined
    if (preset === 'attention' && !attention) {
      throw new KikimimiError(
        'SERVICE_MISSING',
        '[judge-rules] the preset "attention" needs the service "attention". Add attention() above judgeRules() in bot.config.ts.',
      )
    }

    const tables = new WeakMap<Options, Table>()
    const tableIn = ({ conversation }: Turn) => {
      const own = ctx.optionsFor(conversation)
      const table = tables.get(own) ?? tableOf(own, hasName, attention)
      tables.set(own, table)
      return table
    }

    const chattinessIn = (conversation: Conversation) => ctx.optionsFor(conversation).chattiness
    ctx.provide(Chattiness, { in: chattinessIn })

    return {
      commands: [chattinessCommand(ctx, chattinessIn)],
      status: ({ conversation, locale }) => texts(locale)('is', { level: chattinessIn(conversation) }),
      // The call is settled with it: see `beforeSend`.
      separate: (_turn, { text }) => (takesBack(text) || thanks(text) ? 'settles the call' : undefined),
      beforeSend: settledBy,
      address: ({ text }) => (isCalled(text) ? 'name' : undefined),
      score: turn => {
        const scores = tableIn(turn).score(turn)
        const more = turn.addressed ? undefined : SCORES[chattinessIn(turn.conversation)]
        return more ? [...scores, more] : scores
      },
      decide(turn, score) {
        const decision = decide(turn, score, { ...tableIn(turn).style(turn), judge: ctx.use(Judge, 'optional') })
        if (!decision || turn.addressed || !attention) return decision
        return { ...decision, why: `${decision.why} · probability ${attention.probability(score.points).toFixed(2)}` }
      },
    }
  },
})
