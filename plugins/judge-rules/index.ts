/** Decides when to speak, with a table of rules and a threshold. */
import { Names } from '@kikimimi/addressing/names'
import { definePlugin, KikimimiError, type PersonaPlace, type Turn } from 'kikimimi'
import { Attention } from './attention.ts'
import { decide, styleOf } from './decide.ts'
import { Judge } from './judge.ts'
import { type Options, options } from './options.ts'
import { Points } from './points.ts'
import { probabilityOf } from './probability.ts'
import { type Table, tableOf } from './table.ts'
import { unused } from './unused.ts'

export default definePlugin({
  name: 'judge-rules',
  options,
  provides: [Points],
  always: ['decide'],
  scoped: ['threshold', 'keywords', 'knownTopics', 'engagement', 'cooldown', 'unasked', 'points', 'diversity', 'reactFrom'],
  unused,
  setup: (ctx, { preset }) => {
    const attention = preset === 'attention' ? ctx.use(Attention, 'optional') : undefined
    if (preset === 'attention' && !attention) {
      throw new KikimimiError(
        'SERVICE_MISSING',
        '[judge-rules] the preset "attention" needs the service "attention". Add attention() above judgeRules() in bot.config.ts.',
      )
    }

    const hasName = (text: string, place: PersonaPlace) => ctx.use(Names, 'optional')?.has(text, place) ?? false
    const tables = new WeakMap<Options, Table>()
    const tableIn = ({ conversation }: Turn) => {
      const own = ctx.optionsFor(conversation)
      const table = tables.get(own) ?? tableOf(own, hasName, attention)
      tables.set(own, table)
      return table
    }
    const probability = attention ? (points: number) => attention.probability(points) : probabilityOf
    ctx.provide(Points, {
      probability,
      threshold: turn => tableIn(turn).style(turn).threshold,
      style: (turn, points) => styleOf(turn, points, tableIn(turn).style(turn)),
    })

    return {
      score: turn => tableIn(turn).score(turn),
      decide(turn, score) {
        const judge = ctx.use(Judge, 'optional')
        const decision = decide(turn, score, { ...tableIn(turn).style(turn), judge: judge && { ...judge, probability } })
        if (!decision || turn.addressed || !attention) return decision
        return { ...decision, why: `${decision.why} · probability ${attention.probability(score.points).toFixed(2)}` }
      },
    }
  },
})
