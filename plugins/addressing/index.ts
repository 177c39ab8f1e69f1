/** Recognizes messages that call the bot by name, withholds answers that are no longer needed, and adjusts how much the bot talks. */
import { type Conversation, definePlugin, type PersonaPlace, StoredSettings } from 'kikimimi'
import { z } from 'zod'
import { Chattiness, chattinessCommand, LEVELS, SCORES } from './chattiness.ts'
import { explainCommand } from './explain.ts'
import { Names } from './names.ts'
import { actsIn, described } from './talk/acts.ts'
import { callsOneOf } from './talk/called.ts'
import { findsNames } from './talk/names.ts'
import { retractionIn, settledBy, thanksIn } from './talk/withdraw.ts'
import { texts } from './texts.ts'

const options = z
  .strictObject({
    names: z.array(z.string()).default([]).describe('Further names of the bot, besides those of its persona.'),
    chattiness: z
      .enum(LEVELS)
      .default('normal')
      .describe(
        'How much the bot talks without being asked: `quiet` subtracts 20 points, `lively` adds 15. `/kiki chattiness` sets it for a channel.',
      ),
  })
  .prefault({})

export default definePlugin({
  name: 'addressing',
  options,
  needs: [StoredSettings],
  provides: [Names, Chattiness],
  scoped: ['chattiness'],
  setup: (ctx, options) => {
    /** How the names of a place are found, by its persona. Bounded by the places of bot.config.ts. */
    const finding = new Map<
      string,
      { readonly names: readonly string[]; readonly find: ReturnType<typeof findsNames>; isCalled(text: string): boolean }
    >()
    const findingIn = (place: PersonaPlace) => {
      const names = [...ctx.bot.personaIn(place).names, ...options.names]
      const key = names.join('\n')
      const known = finding.get(key) ?? { names, find: findsNames(names), isCalled: callsOneOf(names) }
      finding.set(key, known)
      return known
    }
    const chattinessIn = (conversation: Conversation) => ctx.optionsFor(conversation).chattiness
    ctx.provide(Names, { has: (text, place) => findingIn(place).find(text).length > 0 })
    ctx.provide(Chattiness, { in: chattinessIn })

    return {
      commands: [chattinessCommand(ctx, chattinessIn), explainCommand(findingIn)],
      status: ({ conversation, locale }) => texts(locale)('is', { level: chattinessIn(conversation) }),
      address: ({ text, conversation }) => (findingIn(conversation).isCalled(text) ? 'name' : undefined),
      score: turn => [...(turn.addressed ? [] : SCORES[chattinessIn(turn.conversation)]), ...actsIn(turn)],
      // `beforeSend` reads the message: it can cancel the answer.
      separate: (_turn, { text }) => {
        const act = retractionIn(text) ?? thanksIn(text)
        return act && `may end the call · ${described(act)}`
      },
      beforeSend: settledBy,
    }
  },
})
