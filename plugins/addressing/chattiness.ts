/** How much the bot talks without being addressed, set for a channel. */
import { type ChatCommand, type Conversation, channelOf, type PluginContext, type Score, StoredSettings, service } from 'kikimimi'
import { texts } from './texts.ts'

export const LEVELS = ['quiet', 'normal', 'lively'] as const

export type Level = (typeof LEVELS)[number]

/** For plugins that start topics: they start none where the level is `quiet`. */
export const Chattiness = service<{ in(conversation: Conversation): Level }>('chattiness', '@kikimimi/addressing')

/** Points of each level, in turns that do not address the bot. */
export const SCORES: Readonly<Record<Level, readonly Score[]>> = {
  quiet: [{ points: -20, why: 'chattiness is quiet here' }],
  normal: [],
  lively: [{ points: 15, why: 'chattiness is lively here' }],
}

export function chattinessCommand(ctx: Pick<PluginContext, 'use'>, levelIn: (conversation: Conversation) => Level): ChatCommand {
  const levelOf = (text: string) => LEVELS.find(level => level === text.toLowerCase())
  return {
    name: 'chattiness',
    names: texts.all('command.chattiness.name'),
    does: texts.all('command.chattiness'),
    usage: '[quiet|normal|lively]',
    permission: 'moderator',
    takes: text => text === '' || levelOf(text) !== undefined,
    async run({ conversation, person, text, locale }) {
      const value = levelOf(text)
      if (value === undefined) return texts(locale)('is', { level: levelIn(conversation) })
      await ctx.use(StoredSettings).set({
        ...{ place: channelOf(conversation), plugin: 'addressing', key: 'chattiness' },
        ...{ value, by: person },
      })
      return texts(locale)(`set.${value}`)
    },
  }
}
