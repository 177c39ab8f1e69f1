/** `/kiki quiet` and `/kiki talk`: the same as saying so. */
import { type ChatCommand, type Conversation, channelOf, type Locale, type PluginContext } from 'kikimimi'
import type { Mutes } from './mutes.ts'
import { takeDuration } from './spoken-duration.ts'

const MINUTE = 60_000

interface Words {
  quiet(minutes: number): string
  readonly talk: string
  isQuiet(minutes: number): string
  readonly isNight: string
}

export const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    quiet: minutes => `I’ll be quiet here for ${length(minutes)}. Who calls me is answered.`,
    talk: 'I may talk here again.',
    isQuiet: minutes => `I was asked to be quiet here. That ends in ${length(minutes)}.`,
    isNight: 'These are my quiet hours here.',
  },
  ja: {
    quiet: minutes => `${lengthJa(minutes)}、ここでは静かにしているね。呼ばれたら答えるよ。`,
    talk: 'またここで話すね。',
    isQuiet: minutes => `頼まれて静かにしている。あと${lengthJa(minutes)}。`,
    isNight: '今は静かにする時間帯。',
  },
}

function length(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${count} ${unit}s`
}

function lengthJa(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60}時間` : `${minutes}分`
}

/** Whole minutes, one at least. */
export function minutesOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / MINUTE))
}

export interface CommandsOptions {
  readonly ctx: Pick<PluginContext, 'clock'>
  readonly mutes: Mutes
  /** Milliseconds for who does not say how long. */
  muteIn(conversation: Conversation): number
  /** Milliseconds. */
  readonly longest: number
}

export function commands({ ctx, mutes, muteIn, longest }: CommandsOptions): readonly ChatCommand[] {
  const told = (text: string) => takeDuration(text.normalize('NFKC').toLowerCase())
  return [
    {
      name: 'quiet',
      does: { en: 'I say nothing here unless somebody calls me', ja: '呼ばれない限り、ここでは話さない' },
      usage: '[for]',
      permission: 'moderator',
      // "/kiki quiet please" is said to the bot, which understands that too.
      takes: text => text === '' || (told(text).ms !== undefined && told(text).rest.trim() === ''),
      async run({ conversation, text, locale }) {
        const ms = Math.min(told(text).ms ?? muteIn(conversation), longest)
        await mutes.mute(channelOf(conversation), ctx.clock.now() + ms)
        return WORDS[locale].quiet(minutesOf(ms))
      },
    },
    {
      name: 'talk',
      does: { en: 'ends quiet', ja: 'quiet を解除する' },
      permission: 'moderator',
      async run({ conversation, locale }) {
        await mutes.lift(channelOf(conversation))
        return WORDS[locale].talk
      },
    },
  ]
}
