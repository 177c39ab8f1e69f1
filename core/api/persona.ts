import type { Settings } from './config.ts'
import type { Persona } from './context.ts'

const DEFAULT_PERSONA = {
  en: (name: string) =>
    `You are ${name}, one of the people in this chat. You are friendly, attentive and brief. You help when you can, admit what you do not know, and never talk for the sake of talking.`,
  ja: (name: string) =>
    `あなたは${name}。このチャットの参加者のひとりです。親しみやすく、よく話を聞き、短く話します。役に立てるときに役に立ち、知らないことは知らないと言い、無駄なおしゃべりはしません。`,
}

/**
 * What the bot's command is called in the chat: by its name, where Discord allows that.
 * https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming
 */
export function commandName({ name }: Pick<Persona, 'name'>): string {
  const lower = name.toLowerCase()
  return /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u.test(lower) ? lower : 'kiki'
}

/** Who the bot is, by what the config says of it. */
export function personaOf({ persona: { name, names, prompt }, locale }: Settings): Persona {
  return { name, names: [...new Set([name, ...names])], prompt: prompt ?? DEFAULT_PERSONA[locale](name) }
}

const DEFAULT_APOLOGY = {
  en: 'Sorry, I could not come up with an answer just now.',
  ja: 'ごめん、いまうまく答えられなかった。',
}

const OVERSPENT = {
  en: {
    hour: 'I have used up what I may spend in an hour. I will be able to answer again within the hour.',
    day: 'I have used up what I may spend in a day. I will be able to answer again tomorrow.',
  },
  ja: {
    hour: '1時間ぶんの予算を使い切ってしまいました。1時間以内にまた答えられるようになります。',
    day: '1日ぶんの予算を使い切ってしまいました。明日にはまた答えられるようになります。',
  },
}

/** What it says, once, when it may not spend more; nothing where the config wants silence. */
export function overspentNotice({ apology, locale }: Settings, period: 'hour' | 'day'): { notice?: string } {
  return apology === false ? {} : { notice: OVERSPENT[locale][period] }
}

/** What it says when it cannot answer; nothing where the config wants silence. */
export function apologyOf({ apology, locale }: Settings): string | undefined {
  return apology === false ? undefined : (apology ?? DEFAULT_APOLOGY[locale])
}
