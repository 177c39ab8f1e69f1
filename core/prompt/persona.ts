import type { PlacePersona, Settings } from '../api/config.ts'
import type { Persona, PersonaPlace } from '../api/message.ts'
import { texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'

/**
 * The name of the bot's command in the chat: the bot's name, where Discord allows it.
 * https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming
 */
export function commandName({ name }: Pick<Persona, 'name'>): string {
  const lower = name.toLowerCase()
  return /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u.test(lower) ? lower : 'kiki'
}

/** The personas of a bot. */
export interface Personas {
  /** The persona of all places that have none of their own. */
  readonly bot: Persona
  /** The persona of a place. Threads belong to their channel. */
  in(place: PersonaPlace): Persona
  /** The persona of a place, if it has another name than the bot itself. */
  speaker(place: PersonaPlace): Persona | undefined
  /** Whose memory each place has, for the database. */
  readonly memories: Memories
}

/** The memories of places, by the keys of bot.config.ts: `''` is that of the bot itself, null that of the wider place. */
export interface Memories {
  readonly workspaces: Readonly<Record<string, string | null>>
  readonly channels: Readonly<Record<string, string | null>>
}

/** The personas of the bot, from the config. */
export function personasOf({ persona: { workspaces = {}, channels = {}, ...rules }, locale, timeZone }: Settings): Personas {
  const bot = { ...personaWith(rules.name, rules, locale), timeZone: timeZone ?? machineZone() }
  const byWorkspace = new Map(Object.entries(workspaces))
  // Names of channels are written with `#` or without.
  const byChannel = new Map(Object.entries(channels).map(([key, one]) => [key.replace(/^#/, ''), one]))

  const personas: Personas = {
    bot,
    speaker(place) {
      const persona = personas.in(place)
      return persona.name === bot.name ? undefined : persona
    },
    in({ workspace, channel, name, visibility }) {
      if (byWorkspace.size + byChannel.size === 0) return bot
      // A direct conversation has the name of a person.
      const called = visibility === 'direct' ? undefined : name
      const layers = [
        byWorkspace.get(workspace),
        byChannel.get(channel) ?? (called === undefined ? undefined : byChannel.get(called)),
      ]
      return layers.reduce<Persona>((wider, one) => (one ? narrowed(wider, one, locale) : wider), bot)
    },
    memories: {
      workspaces: Object.fromEntries([...byWorkspace].map(([key, one]) => [key, memoryOf(one, rules.name)])),
      channels: Object.fromEntries([...byChannel].map(([key, one]) => [key, memoryOf(one, rules.name)])),
    },
  }
  return personas
}

function narrowed(
  wider: Persona,
  { name, names, prompt, picture, timeZone = wider.timeZone }: PlacePersona,
  locale: Locale,
): Persona {
  if (name !== undefined)
    return { ...personaWith(name, { names, prompt }, locale), timeZone, ...(picture !== undefined && { picture }) }
  return {
    ...wider,
    timeZone,
    ...(names && { names: [...new Set([wider.name, ...names])] }),
    ...(prompt !== undefined && { prompt }),
  }
}

/** Of `TZ`, which can change while the process runs. */
const machineZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

function personaWith(
  name: string,
  { names = [], prompt }: Pick<PlacePersona, 'names' | 'prompt'>,
  locale: Locale,
): Omit<Persona, 'timeZone'> {
  return { name, names: [...new Set([name, ...names])], prompt: prompt ?? texts(locale)('persona', { name }) }
}

/** Memory belongs to the name of a persona. */
function memoryOf({ name, sharesMemory }: PlacePersona, bot: string): string | null {
  if (name === undefined) return null
  const key = (text: string) => encodeURIComponent(text.normalize('NFKC').toLowerCase())
  return sharesMemory || key(name) === key(bot) ? '' : key(name)
}

/** What the bot says, once, when its budget is spent. Empty when the config turns apologies off. */
export function overspentNotice({ apology, locale }: Settings, period: 'hour' | 'day'): string | undefined {
  return apology === false ? undefined : texts(locale)(`overspent.${period}`)
}

/** The text that the bot posts when it cannot answer. Nothing when the config turns apologies off. */
export function apologyOf({ apology, locale }: Settings): string | undefined {
  return apology === false ? undefined : (apology ?? texts(locale)('apology'))
}
