/** Scores messages by signs that were learned from conversations, in place of the rules of judge-rules. */
import { Attention } from '@kikimimi/judge-rules/attention'
import { definePlugin, MessageLog, StoredSettings } from 'kikimimi'
import { attentionCli } from './commands/cli.ts'
import { attentionCommand } from './commands/command.ts'
import { learnChannels } from './learn/learn-channels.ts'
import { probabilityOf, SHARED } from './model.ts'
import { options } from './options.ts'
import { createOutcomes } from './outcomes/outcomes.ts'
import { scoresOf } from './scores.ts'

export default definePlugin({
  name: 'attention',
  options,
  needs: [MessageLog, StoredSettings],
  provides: [Attention],
  scoped: ['learn', 'weights'],
  migrations: new URL('./migrations/', import.meta.url),
  // Without a database, the bot scores with the shared weights and those of bot.config.ts.
  needsDatabase: () => false,
  cli: [attentionCli],
  unused(_options, bot): Readonly<Record<string, string>> {
    if (bot.optionsOf('judge-rules')?.preset === 'attention') return {}
    const why = 'judge-rules does not have the preset "attention"'
    return { learn: why, weights: why }
  },
  setup(ctx) {
    ctx.provide(Attention, {
      probability: probabilityOf,
      scores: (turn, message) =>
        scoresOf(turn, message, { locale: ctx.bot.locale, model: ctx.optionsFor(turn.conversation).weights ?? SHARED }),
    })
    if (ctx.db.kind === 'none') return

    const outcomes = createOutcomes(ctx)
    ctx.every('learn', '1d', signal => learnChannels(ctx, signal))
    return {
      commands: [attentionCommand(ctx)],
      after: outcomes.record,
      forget: outcomes.forget,
    }
  },
})
