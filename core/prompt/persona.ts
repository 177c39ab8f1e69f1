import type { Settings } from '../api/config.ts'
import type { Persona } from '../api/context.ts'
import { texts } from '../base/text/core-texts.ts'

/**
 * The name of the bot's command in the chat: the bot's name, where Discord allows it.
 * https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming
 */
export function commandName({ name }: Pick<Persona, 'name'>): string {
  const lower = name.toLowerCase()
  return /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u.test(lower) ? lower : 'kiki'
}

/** The persona of the bot, from the config. */
export function personaOf({ persona: { name, names, prompt }, locale }: Settings): Persona {
  return { name, names: [...new Set([name, ...names])], prompt: prompt ?? texts(locale)('persona', { name }) }
}

/** What the bot says, once, when its budget is spent. Empty when the config turns apologies off. */
export function overspentNotice({ apology, locale }: Settings, period: 'hour' | 'day'): string | undefined {
  return apology === false ? undefined : texts(locale)(`overspent.${period}`)
}

/** The text that the bot posts when it cannot answer. Nothing when the config turns apologies off. */
export function apologyOf({ apology, locale }: Settings): string | undefined {
  return apology === false ? undefined : (apology ?? texts(locale)('apology'))
}
