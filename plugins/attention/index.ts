/** Scores messages by signs that were learned from conversations, in place of the rules of judge-rules. */
import { Attention } from '@kikimimi/judge-rules/attention'
import { definePlugin, type PluginFactory } from 'kikimimi'
import { LINES } from './explain.ts'
import { basePoints, MODEL, pointsOf, probabilityOf } from './model.ts'
import { signsOf } from './signs.ts'
import { texts } from './texts.ts'

/** What adds fewer points is not listed, and counts with the base. */
const LISTED = 1

const attention: PluginFactory<undefined> = definePlugin({
  name: 'attention',
  provides: [Attention],
  setup(ctx) {
    ctx.provide(Attention, {
      probability: probabilityOf,
      scores(turn, message) {
        const say = texts(ctx.locale)
        const signs = signsOf(turn, message)
        const lines = LINES.map(({ signs: names, wording }) => ({
          points: names.reduce((sum, name) => sum + pointsOf(name, signs[name], MODEL), 0),
          why: say(wording(signs)),
        }))
        const isListed = ({ points }: { readonly points: number }) => Math.abs(points) >= LISTED
        const base = lines.filter(line => !isListed(line)).reduce((sum, { points }) => sum + points, basePoints(MODEL))
        return [{ points: base, why: say('base') }, ...lines.filter(isListed)].map(({ points, why }) => ({
          points: Math.round(points * 10) / 10,
          why,
        }))
      },
    })
  },
})

export default attention
