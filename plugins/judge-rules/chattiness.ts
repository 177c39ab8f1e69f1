/** How much it talks unasked, as somebody has set it for a channel. */
import {
  type ChatCommand,
  type Conversation,
  channelOf,
  type Locale,
  type PluginContext,
  type Score,
  StoredSettings,
  service,
} from 'kikimimi'

export const LEVELS = ['quiet', 'normal', 'lively'] as const

export type Level = (typeof LEVELS)[number]

/** For those who bring something up of their own accord: not where it is `quiet`. */
export const Chattiness = service<{ in(conversation: Conversation): Level }>('chattiness', '@kikimimi/judge-rules')

/** What it is worth, in a turn that nobody has called for. */
export const SCORES: Readonly<Record<Level, Score | undefined>> = {
  quiet: { points: -20, why: 'is to talk less here' },
  normal: undefined,
  lively: { points: 15, why: 'may talk more here' },
}

interface Words {
  readonly set: Readonly<Record<Level, string>>
  is(level: Level): string
}

export const WORDS: Readonly<Record<Locale, Words>> = {
  en: {
    set: {
      quiet: 'I’ll join in less often here, and bring nothing up myself.',
      normal: 'I’ll join in here as usual.',
      lively: 'I’ll join in more often here.',
    },
    is: level => `Chattiness here: ${level}.`,
  },
  ja: {
    set: {
      quiet: 'ここでは口を挟むのを控えて、自分からは話題を出さないね。',
      normal: 'ここではいつもどおりに話すね。',
      lively: 'ここではもっと会話に加わるね。',
    },
    is: level => `ここでのおしゃべり度：${level}`,
  },
}

export function chattinessCommand(ctx: Pick<PluginContext, 'use'>, levelIn: (conversation: Conversation) => Level): ChatCommand {
  const levelOf = (text: string) => LEVELS.find(level => level === text.toLowerCase())
  return {
    name: 'chattiness',
    does: { en: 'how much I talk here unasked', ja: 'ここで自分からどれだけ話すか' },
    usage: '[quiet|normal|lively]',
    permission: 'moderator',
    takes: text => text === '' || levelOf(text) !== undefined,
    async run({ conversation, person, text, locale }) {
      const value = levelOf(text)
      if (value === undefined) return WORDS[locale].is(levelIn(conversation))
      await ctx.use(StoredSettings).set({
        ...{ place: channelOf(conversation), plugin: 'judge-rules', key: 'chattiness' },
        ...{ value, by: person },
      })
      return WORDS[locale].set[value]
    },
  }
}
