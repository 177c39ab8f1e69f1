/** Registered slash commands: what Discord accepts, and what a client sends for a text. */
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10'
import { Refusal } from './answers.ts'

/** A slash command that the bot has registered. */
export interface RegisteredCommand {
  readonly name: string
  readonly options?: readonly APIApplicationCommandOption[]
  /** Absent: a slash command. */
  readonly type?: ApplicationCommandType
}

const { Integer, Number: Numeric, String: Text, Subcommand } = ApplicationCommandOptionType
const MOST = 25
const LENGTH = 8_000
const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u

/** Refuses a definition that Discord refuses. https://discord.com/developers/docs/interactions/application-commands */
export function checkCommand({ name, type = ApplicationCommandType.ChatInput, options = [] }: RegisteredCommand): void {
  const invalid = (what: string) => new Refusal(400, 50035, `Invalid Form Body: ${what}`)
  if (type !== ApplicationCommandType.ChatInput) {
    // A menu entry is a title, without a description and without fields.
    if (name.length < 1 || name.length > 32 || options.length > 0) throw invalid('name')
    return
  }
  let length = 0
  const visit = (
    one: Pick<APIApplicationCommandOption, 'name' | 'description' | 'name_localizations' | 'description_localizations'>,
  ) => {
    const names = [one.name, ...Object.values(one.name_localizations ?? {})]
    const descriptions = [one.description, ...Object.values(one.description_localizations ?? {})]
    if (names.some(given => typeof given !== 'string' || !NAME.test(given) || given !== given.toLowerCase()))
      throw invalid('name')
    if (descriptions.some(given => typeof given === 'string' && ([...given].length < 1 || [...given].length > 100)))
      throw invalid('description')
    length += one.name.length + (one.description?.length ?? 0)
    const inner: readonly APIApplicationCommandOption[] = 'options' in one ? ((one.options ?? []) as never) : []
    if (inner.length > MOST || ('choices' in one && (one.choices as readonly unknown[]).length > MOST)) throw invalid('options')
    for (const each of inner) visit(each)
  }
  visit({ name, description: '-' })
  if (options.length > MOST) throw invalid('options')
  for (const option of options) visit(option)
  if (length > LENGTH) throw invalid('the command is too long')
}

/** The fields that a client sends. Without a definition: one text. */
export function fieldsOf(
  command: RegisteredCommand | undefined,
  text: string,
  typing: boolean,
): APIApplicationCommandInteractionDataOption[] {
  const subcommands = (command?.options ?? []).filter(one => one.type === Subcommand)
  const free = subcommands.find(({ options = [] }) => options.some(({ required }) => required))
  if (!free) return [{ name: 'text', type: Text, value: text, ...(typing && { focused: true }) } as never]
  const [, word = '', gap = '', rest = ''] = /^(\S*)(\s*)([\s\S]*)$/.exec(text) ?? []
  const meant = subcommands.find(({ name }) => name === word.toLowerCase())
  const takesRest = (one: APIApplicationCommandSubcommandOption) =>
    typing ? gap !== '' : rest === '' || (one.options ?? []).length > 0
  if (!meant || !takesRest(meant)) return [filled(free, text, typing)]
  return [filled(meant, rest, typing)]
}

/** Each field takes one word, and the last one the rest. */
function filled(
  { name, options = [] }: APIApplicationCommandSubcommandOption,
  text: string,
  typing: boolean,
): APIApplicationCommandInteractionDataOption {
  const values: APIApplicationCommandInteractionDataOption[] = []
  let left = text
  for (const [index, option] of options.entries()) {
    if (left === '' && !(typing && index === values.length)) break
    const [, word = '', rest = ''] = index === options.length - 1 ? [left, left] : (/^(\S*)\s*([\s\S]*)$/.exec(left) ?? [])
    const isLast = typing && (rest === '' || index === options.length - 1) && !/\s$/.test(left)
    values.push(field(option, word, isLast))
    left = rest
    if (isLast) break
  }
  return { name, type: Subcommand, options: values } as APIApplicationCommandInteractionDataOption
}

function field({ name, type }: APIApplicationCommandBasicOption, text: string, focused: boolean) {
  const isNumber = type === Integer || type === Numeric
  if (isNumber && !Number.isFinite(Number(text)))
    throw new Error(`The client of Discord refuses ${JSON.stringify(text)} as a number.`)
  return { name, type, value: isNumber ? Number(text) : text, ...(focused && { focused: true }) } as never
}
