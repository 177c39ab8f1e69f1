/** The slash command with a subcommand for each chat command, and one for any other text. */
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js'
import type { ChatCommand } from 'kikimimi'
import type { Translations } from 'kikimimi/platform'
import { texts } from '../texts.ts'

/** The subcommand for any text. A command with subcommands cannot be used alone. */
const ASK = 'ask'
const TEXT = 'text'
/** Limits of Discord. https://discord.com/developers/docs/interactions/application-commands#application-command-object */
const MOST = 25
const DESCRIPTION = 100
const NAME = /^[-_\p{L}\p{N}]{1,32}$/u

/** What a person has written in the fields of a command. */
export interface Typed {
  /** The text as people write it after `/kiki`. For autocompletion: up to the field in which they are typing. */
  readonly text: string
  /** The subcommand of a chat command. Absent: any text. */
  readonly subcommand?: string
}

/** @param userInstall whether people can use it where the bot is no member */
export function treeOf(
  name: string,
  commands: readonly ChatCommand[],
  userInstall: boolean,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  const { GuildInstall, UserInstall } = ApplicationIntegrationType
  const { Guild, BotDM, PrivateChannel } = InteractionContextType
  // Commands that do not fit are typed as a text.
  const listed = commands
    .filter(command => NAME.test(command.name) && command.name !== ASK && command.on?.at !== 'message')
    .slice(0, MOST - 1)
  return {
    name,
    type: ApplicationCommandType.ChatInput,
    ...described(texts.all('command')),
    integration_types: [GuildInstall, ...(userInstall ? [UserInstall] : [])],
    contexts: [Guild, BotDM, ...(userInstall ? [PrivateChannel] : [])],
    options: [
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: ASK,
        ...named(texts.all('command.ask')),
        ...described(texts.all('command')),
        options: [
          {
            type: ApplicationCommandOptionType.String,
            name: TEXT,
            ...named(texts.all('command.text')),
            ...described(texts.all('command.option')),
            required: true,
            autocomplete: true,
          },
        ],
      },
      ...listed.map(subcommandOf),
    ],
  }
}

/** The text of a use, or of one in progress. A client that still has an older definition sends the text alone. */
export function typedIn(options: readonly APIApplicationCommandInteractionDataOption[] = []): Typed {
  const [first] = options
  if (first?.type !== ApplicationCommandOptionType.Subcommand) return { text: valuesOf(options) }
  const text = valuesOf(first.options ?? [])
  return first.name === ASK ? { text } : { text: `${first.name} ${text}`.trimEnd(), subcommand: first.name }
}

/** The same for a use in progress: an empty field begins a word. */
export function typingIn(options: readonly APIApplicationCommandInteractionDataOption[] = []): Typed {
  const [first] = options
  const fields = first?.type === ApplicationCommandOptionType.Subcommand ? (first.options ?? []) : options
  const focused = fields.findIndex(one => 'focused' in one && one.focused)
  const text = valuesOf(fields.slice(0, focused + 1))
  const isAsk = first?.type !== ApplicationCommandOptionType.Subcommand || first.name === ASK
  return isAsk ? { text } : { text: `${first.name} ${text}`, subcommand: first.name }
}

function valuesOf(options: readonly APIApplicationCommandInteractionDataOption[]): string {
  return options.flatMap(one => ('value' in one ? [String(one.value)] : [])).join(' ')
}

function subcommandOf(command: ChatCommand): APIApplicationCommandSubcommandOption {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name: command.name,
    ...(command.names && named({ en: command.name, ...command.names })),
    ...described(command.does),
    options: fieldsOf(command),
  }
}

/** `[sides]` is optional, `WHAT` is required, `[quiet|normal]` is a choice. Any other notation is one text. */
function fieldsOf({ usage = '', args, complete }: ChatCommand): APIApplicationCommandBasicOption[] {
  const parts = usage === '' ? [] : (usage.match(/\[[^[\]]*\]|[^\s[\]]+/g) ?? [])
  const isPlain = parts.join(' ').length === usage.replace(/\s+/g, ' ').trim().length
  const fields = isPlain ? parts : [usage.startsWith('[') ? `[${TEXT}]` : TEXT]
  const types = wordsOf(args)
  let isOptional = false
  const names = new Set<string>()
  return fields.slice(0, MOST).map((part, index) => {
    isOptional ||= part.startsWith('[')
    const inner = part.replace(/[[\]"]/g, '').trim()
    const choices = /^[^\s|]+(?:\|[^\s|]+)+$/.test(inner) ? inner.split('|') : (types[index]?.enum ?? [])
    const plain = inner
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 32)
    const name = choices.length > 0 && inner.includes('|') ? 'value' : NAME.test(plain) ? plain : TEXT
    const unique = names.has(name) ? `${name.slice(0, 29)}-${index + 1}` : name
    names.add(unique)
    const about = { name: unique, description: shortened(part), required: !isOptional }
    const { type, minimum, maximum } = types[index] ?? {}
    const range = { ...inRange('min_value', minimum), ...inRange('max_value', maximum) }
    if (type === 'integer') return { ...about, type: ApplicationCommandOptionType.Integer, ...range }
    if (type === 'number') return { ...about, type: ApplicationCommandOptionType.Number, ...range }
    const text = { ...about, type: ApplicationCommandOptionType.String } as const
    if (choices.length > 0 && choices.length <= MOST) {
      return { ...text, choices: choices.map(one => ({ name: shortened(one), value: one })) }
    }
    return complete ? { ...text, autocomplete: true } : text
  })
}

function inRange(name: 'min_value' | 'max_value', bound: number | undefined) {
  return bound !== undefined && Number.isSafeInteger(bound) && Math.abs(bound) < 2 ** 53 - 1 ? { [name]: bound } : {}
}

interface WordSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
}

/** The schema of each word, as far as the library of the schema can tell it. */
function wordsOf(args: ChatCommand['args']): readonly WordSchema[] {
  const standard = args?.['~standard']
  if (!standard || !('jsonSchema' in standard)) return []
  try {
    const { jsonSchema } = standard as { jsonSchema: { output(how: object): { prefixItems?: readonly WordSchema[] } } }
    return jsonSchema.output({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } }).prefixItems ?? []
  } catch {
    return []
  }
}

function named(all: Translations) {
  const valid = Object.entries(all).filter(([, text]) => NAME.test(text) && text === text.toLowerCase())
  return { name_localizations: localised(Object.fromEntries(valid)) }
}

function described(all: Translations) {
  return { description: shortened(all.en), description_localizations: localised(all) }
}

/** A text in the languages of Discord, which refuses unknown ones, and names some with their country: `es-ES`. */
export function localised(all: Readonly<Record<string, string>>): Partial<Record<Locale, string>> {
  const known = Object.values(Locale).flatMap(locale => {
    const text = all[locale] ?? all[locale.replace(/-.*/, '')]
    return text === undefined || text === all.en ? [] : [[locale, shortened(text)]]
  })
  return Object.fromEntries(known)
}

function shortened(text: string): string {
  const all = [...text]
  return all.length > DESCRIPTION ? `${all.slice(0, DESCRIPTION - 1).join('')}…` : text
}
