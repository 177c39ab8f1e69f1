/** `/kiki settings`: people who run a server see and change the options of plugins there. */
import {
  type ChatCommand,
  type CommandCall,
  type Conversation,
  channelOf,
  type ExplainedOption,
  type StoredSettings,
} from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { texts } from '../../base/text/core-texts.ts'
import { nearest } from '../../base/text/nearest.ts'
import { widestPlace } from './places.ts'

export interface SettingsCommandOptions {
  readonly settings: StoredSettings
  /** Every option in a conversation, with the source of its value. */
  explain(conversation: Conversation): readonly ExplainedOption[]
  /** Every option that can be set. */
  scoped(): readonly Pick<ExplainedOption, 'plugin' | 'option'>[]
  /** The name of the slash command. */
  name(): string
}

const HERE = 'here'
const RESET = 'reset'
const SWITCHES = new Map([
  ...['true', 'on', 'yes'].map(word => [word, true] as const),
  ...['false', 'off', 'no'].map(word => [word, false] as const),
])
/** Characters of a value in the list. */
const SHOWN = 60
/** A longer text whose first word is not an option is a message to the bot. */
const WORDS = 3

/** An option by the name that people use. */
interface Named extends ExplainedOption {
  readonly title: string
}

export function settingsCommand({ settings, explain, scoped, name }: SettingsCommandOptions): ChatCommand {
  const optionsIn = (conversation: Conversation): readonly Named[] =>
    explain(conversation)
      .filter(({ scoped }) => scoped)
      .map(one => ({ ...one, title: titleOf(one) }))
      .toSorted((a, b) => (a.title < b.title ? -1 : 1))

  /** The option of this name, or why there is none. */
  function find({ conversation, locale }: Pick<CommandCall, 'conversation' | 'locale'>, typed: string): Named | string {
    const say = texts(locale)
    const all = optionsIn(conversation)
    const exact = all.filter(({ title }) => title.toLowerCase() === typed.toLowerCase())
    const found = exact.length > 0 ? exact : all.filter(({ option }) => option.toLowerCase() === typed.toLowerCase())
    const [one] = found
    if (one && found.length === 1) return one
    if (one) return say('settings.ambiguous', { options: found.map(({ title }) => title).join(', ') })
    const meant = nearest(typed, [...all.map(({ title }) => title), ...all.map(({ option }) => option)])
    return meant === undefined
      ? say('settings.unknown', { option: typed, name: name() })
      : say('settings.nearest', { option: typed, nearest: meant })
  }

  function list({ conversation, locale }: CommandCall): string {
    const say = texts(locale)
    const lines = optionsIn(conversation).map(one => line(one, locale))
    return [say('settings.head', { channel: conversation.name }), ...lines, say('settings.tail', { name: name() })].join('\n')
  }

  async function set(call: CommandCall, option: Named, given: string): Promise<string> {
    const { conversation, person, locale } = call
    const say = texts(locale)
    const { isHere, text } = withoutHere(given)
    const place = isHere ? channelOf(conversation) : widestPlace(conversation)
    const value = readValue(option, text)
    const { plugin, option: key, title } = option
    try {
      await settings.set({ place, plugin, key, value, by: person })
    } catch (error) {
      if (!(error instanceof KikimimiError) || error.code !== 'OPTIONS_INVALID') throw error
      const why = error.message.replace(/^.*?: /, '').replace(/\.$/, '')
      return say('settings.refused', { option: title, value: shown(value, locale), why })
    }
    const now = optionsIn(conversation).find(one => one.title === title)
    const isOverridden = now !== undefined && JSON.stringify(now.value) !== JSON.stringify(value)
    return [
      say(place === channelOf(conversation) ? 'settings.setHere' : 'settings.setEverywhere', {
        ...{ option: title, value: shown(value, locale) },
      }),
      ...(isOverridden ? [say('settings.staysHere', { option: title, value: valueIn(now, locale), name: name() })] : []),
    ].join('\n')
  }

  async function reset(call: CommandCall, given: string): Promise<string> {
    const { conversation, locale } = call
    const { isHere, text } = withoutHere(given)
    const option = text === '' ? undefined : find(call, text)
    if (typeof option === 'string') return option
    const titles = new Set(optionsIn(conversation).map(({ title }) => title))
    const places = [...new Set([channelOf(conversation), ...(isHere ? [] : [widestPlace(conversation)])])]
    const undone = places
      .flatMap(place => settings.list(place))
      .filter(({ plugin, key }) => {
        const title = titleOf({ plugin, option: key })
        return option ? option.title === title : titles.has(title)
      })
    for (const one of undone) await settings.clear(one)
    if (!option) return texts(locale)('settings.resetAll', { count: undone.length })
    const now = optionsIn(conversation).find(({ title }) => title === option.title) ?? option
    return texts(locale)('settings.reset', { option: now.title, value: valueIn(now, locale), from: fromIn(now, locale) })
  }

  return {
    name: 'settings',
    names: texts.all('command.settings.name'),
    does: texts.all('command.settings'),
    usage: '[option] [value]',
    permission: 'admin',
    // "/kiki settings are hard to find, aren't they?" is a message to the bot.
    takes(text) {
      const [first = '', ...rest] = text.toLowerCase().split(/\s+/)
      const names = scoped().flatMap(one => [titleOf(one), one.option])
      return rest.length < WORDS || names.some(one => one.toLowerCase() === first)
    },

    complete({ conversation, words, locale }) {
      const [first = '', ...rest] = words
      const typed = (words.at(-1) ?? '').toLowerCase()
      const names = optionsIn(conversation).map(({ title }) => title)
      if (rest.length === 0) return [...names, RESET].filter(one => one.toLowerCase().includes(typed))
      if (first === RESET) return [...names, HERE].filter(one => one.toLowerCase().includes(typed))
      const option = find({ conversation, locale }, first)
      if (typeof option === 'string') return []
      return [...valuesOf(option), HERE].filter(one => one.toLowerCase().startsWith(typed))
    },

    async run(call) {
      const { locale, text } = call
      const [first = ''] = /^\S*/.exec(text) ?? []
      const rest = text.slice(first.length).trimStart()
      if (first === '') return list(call)
      if (first.toLowerCase() === RESET) return reset(call, rest)
      const option = find(call, first)
      if (typeof option === 'string') return option
      if (rest !== '' && withoutHere(rest).text !== '') return set(call, option, rest)
      return [line(option, locale), ...(option.does === undefined ? [] : [option.does])].join('\n')
    },
  }
}

/** Options of the bot itself are called as in bot.config.ts: `listen`, `access.call`. */
function titleOf({ plugin, option }: Pick<ExplainedOption, 'plugin' | 'option'>): string {
  const group = plugin.replace(/^kikimimi-/, '')
  return group === option ? option : `${group}.${option}`
}

function withoutHere(given: string): { readonly isHere: boolean; readonly text: string } {
  const text = given.replace(/(?:^|(?<!\s)\s+)here\s*$/i, '')
  return { isHere: text !== given, text: text.trim() }
}

/** The value that a text stands for. The schema of the plugin checks it. */
function readValue({ takes }: ExplainedOption, text: string): unknown {
  if (takes === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (takes === 'boolean') return SWITCHES.get(text.toLowerCase()) ?? text
  if (takes === 'choice' || takes === 'text') return text
  if (takes === 'texts')
    return text
      .split(/[,、]/)
      .map(one => one.trim())
      .filter(one => one !== '')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function valuesOf({ takes, choices = [], value, least, most }: ExplainedOption): readonly string[] {
  if (takes === 'boolean') return ['on', 'off']
  if (takes === 'choice') return choices
  const known = [value, least, most].filter(one => typeof one === 'number' || typeof one === 'string').map(String)
  return [...new Set(known)]
}

function line(option: Named, locale: string): string {
  const { title } = option
  return texts(locale)('settings.line', { option: title, value: valueIn(option, locale), from: fromIn(option, locale) })
}

function valueIn({ redacted, value }: ExplainedOption, locale: string): string {
  return redacted ? texts(locale)('settings.hidden') : shown(value, locale)
}

function shown(value: unknown, locale: string): string {
  if (value === undefined || value === null) return texts(locale)('settings.none')
  const text = [...(typeof value === 'string' ? value : JSON.stringify(value))]
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1).join('')}…` : text.join('')
}

function fromIn({ from }: ExplainedOption, locale: string): string {
  const say = texts(locale)
  const [, kind, by = ''] = /^set in the (workspace|channel) by (.*) on \d{4}-\d\d-\d\d$/s.exec(from) ?? []
  if (kind === 'workspace' || kind === 'channel') return say(`settings.from.${kind}`, { by })
  return from === 'default' ? say('settings.from.default') : from
}
