/** The commands `/kiki quiet` and `/kiki talk`. They do the same as the requests in words. */
import { type ChatCommand, type Conversation, channelOf, type Locale, type PluginContext } from 'kikimimi'
import type { Mutes } from './mutes.ts'
import { takeDuration } from './spoken-duration.ts'
import { texts } from './texts.ts'

const MINUTE = 60_000

/** A duration in words: `an hour`, `90 minutes`. */
export function lengthOf(ms: number, locale: Locale): string {
  const minutes = minutesOf(ms)
  return minutes % 60 === 0 ? texts(locale)('hours', { count: minutes / 60 }) : texts(locale)('minutes', { count: minutes })
}

/** Whole minutes, at least one. */
function minutesOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / MINUTE))
}

export interface CommandsOptions {
  readonly ctx: Pick<PluginContext, 'clock'>
  readonly mutes: Mutes
  /** Duration of a mute when the person names none, in milliseconds. */
  muteIn(conversation: Conversation): number
  /** Maximum duration of a mute, in milliseconds. */
  readonly longest: number
}

export function commands({ ctx, mutes, muteIn, longest }: CommandsOptions): readonly ChatCommand[] {
  const told = (text: string) => takeDuration(text.normalize('NFKC').toLowerCase())
  return [
    {
      name: 'quiet',
      names: texts.all('command.quiet.name'),
      does: texts.all('command.quiet'),
      usage: '[for]',
      permission: 'moderator',
      // "/kiki quiet please" is a message to the bot, which understands it as a request.
      takes: text => text === '' || (told(text).ms !== undefined && told(text).rest.trim() === ''),
      async run({ conversation, text, locale }) {
        const ms = Math.min(told(text).ms ?? muteIn(conversation), longest)
        await mutes.mute(channelOf(conversation), ctx.clock.now() + ms)
        return texts(locale)('quiet', { length: lengthOf(ms, locale) })
      },
    },
    {
      name: 'talk',
      names: texts.all('command.talk.name'),
      does: texts.all('command.talk'),
      permission: 'moderator',
      applies: async conversation => (await mutes.left(channelOf(conversation))) > 0,
      async run({ conversation, locale }) {
        await mutes.lift(channelOf(conversation))
        return texts(locale)('talk')
      },
    },
  ]
}
