/**
 * Makes a plan from bot.config.ts, with the values of bot.settings.json: checked settings, and plugins that are loaded, ordered and have their prompts. Nothing
 * has started.
 */

import type { ChatModel } from '../api/chat-model.ts'
import { ConfigError, type ConfigMistake, type ConfigPath, refuse } from '../api/checks/config-error.ts'
import { suggestion } from '../api/checks/option-errors.ts'
import { type BotConfig, type ModelConfig, type PluginEntry, type Settings, settingsIn } from '../api/config.ts'
import {
  Access,
  Alerts,
  BotSettings,
  Channels,
  ChatCommands,
  Erasure,
  Files,
  MessageLog,
  MissedMessages,
  Operator,
  OptOuts,
  type Plugin,
  StoredSettings,
  Tools,
} from '../api/index.ts'
import { KikimimiError } from '../base/errors.ts'
import { rulesOf } from '../features/access/rules.ts'
import { parseAddress } from '../features/http/http.ts'
import { checkOptions } from '../features/options/check-options.ts'
import type { Plan } from '../features/reload/reload.ts'
import { partsOf, settingsMistakes } from '../features/settings-file/define-bot.ts'
import { withOrigin } from '../features/settings-file/origin.ts'
import type { LoadedPlugin, ReadyPlugin } from '../kernel/host/plugin-context.ts'
import { checkPrices } from '../models/budget.ts'
import { namesOf as modelNames } from '../models/models.ts'
import { NO_MODEL } from '../models/no-model.ts'
import { loadPrompts } from '../prompt/prompts.ts'
import { BotInternals } from './bot-internals.ts'
import { listPlugins, loadPlugins as loadAll, type Ordered } from './plugins/list.ts'
import { setupOrder, stageOrder } from './plugins/order.ts'

/** The services of the bot itself. */
const BUILT_IN = [
  Access,
  Alerts,
  BotInternals,
  BotSettings,
  Channels,
  ChatCommands,
  Erasure,
  Files,
  MessageLog,
  MissedMessages,
  Operator,
  OptOuts,
  StoredSettings,
  Tools,
]

/** What a bot.config.ts makes, as far as it is valid, and all mistakes in it and in bot.settings.json. */
export interface Inspected {
  /** Absent: there are mistakes. */
  readonly plan?: Plan
  /** Absent: the settings of the bot itself have mistakes. */
  readonly settings?: Settings
  /** The plugins whose options are valid, in the order in which stages ask them. */
  readonly plugins: readonly LoadedPlugin[]
  readonly mistakes: readonly ConfigMistake[]
}

/**
 * Checks everything that can be checked before a plugin is set up. Every part is checked, whatever is wrong with the others.
 *
 * @param defaultModel see `StartOptions.defaultModel`
 */
export async function inspect(config: BotConfig, project: URL | undefined, defaultModel = NO_MODEL): Promise<Inspected> {
  const { settings, mistakes: wrongSettings } = settingsIn(config)
  const listed = listPlugins(Array.isArray(config.plugins) ? config.plugins : [])
  const ordered = stageOrder(listed.plugins.map(({ plugin, ...rest }) => ({ ...rest, plugin, definition: plugin.definition })))
  const set = setupOrder(ordered.plugins, BUILT_IN)
  const loaded = await loadAll(ordered.plugins, checkOptions)
  const ready = await Promise.all(
    set.plugins.flatMap(({ name, path }) => {
      const plugin = loaded.plugins.find(one => one.name === name)
      return plugin ? [attempt(path, () => withPrompts(plugin, project))] : []
    }),
  )
  const models = settings && { ...settings.models, chat: settings.models?.chat ?? defaultModel }
  const found = [
    ...wrongSettings,
    ...listed.mistakes,
    ...ordered.mistakes,
    ...set.mistakes,
    ...loaded.mistakes,
    ...namesOf(ordered.plugins),
    ...commandsOf(ordered.plugins),
    ...ready.flatMap(one => one.mistakes),
    ...(settings ? [...wrongModels(settings, ordered.plugins), ...(await wrongValues(settings, models))] : []),
  ]
  const parts = partsOf(config)
  const mistakes = [...settingsMistakes(config), ...(parts ? withOrigin(found, parts, listed.plugins) : found)]
  const plugins = loaded.plugins
  if (!settings || !models || mistakes.length > 0) return { plugins, mistakes, ...(settings && { settings }) }
  const names = ordered.plugins.map(({ name }) => name)
  const access = rulesOf(config.access, settings.access)
  const order = ready.flatMap(({ value }) => value ?? [])
  const paths = new Map(ordered.plugins.map(({ name, path }) => [name, path]))
  return { plan: { config, project, settings, models, access, names, order, paths }, settings, plugins, mistakes }
}

/** Throws a ConfigError with all mistakes. */
export async function planOf(config: BotConfig, project: URL | undefined, defaultModel?: ChatModel): Promise<Plan> {
  const { plan, mistakes } = await inspect(config, project, defaultModel)
  if (!plan) throw new ConfigError(mistakes)
  return plan
}

/** An error that says what to do becomes a mistake at a place of bot.config.ts. */
async function attempt<T>(
  path: ConfigPath,
  run: () => T | Promise<T>,
): Promise<{ readonly value?: T; readonly mistakes: readonly ConfigMistake[] }> {
  try {
    return { value: await run(), mistakes: [] }
  } catch (error) {
    if (!(error instanceof KikimimiError)) throw error
    return { mistakes: [{ code: error.code, path, message: error.message }] }
  }
}

/** Models for a plugin that the bot does not have. */
function wrongModels({ models }: Settings, plugins: readonly Ordered[]): readonly ConfigMistake[] {
  const names = plugins.map(({ name }) => name)
  const unknown = Object.keys(models?.plugins ?? {}).filter(name => !names.includes(name))
  return unknown.map(name => ({
    code: 'CONFIG_INVALID',
    path: ['models', 'plugins', name],
    message: `models.plugins has models for "${name}", but the bot has no plugin of this name${suggestion(name, names, '.')}`,
  }))
}

/** Values of settings that have the right form and cannot be used. */
async function wrongValues({ budget, http }: Settings, models: ModelConfig = {}): Promise<readonly ConfigMistake[]> {
  const checked = [
    attempt(['budget'], () => budget && checkPrices(budget, modelNames(models))),
    attempt(['http'], () => http !== undefined && parseAddress(http)),
  ]
  return (await Promise.all(checked)).flatMap(({ mistakes }) => mistakes)
}

/** The plugins of a bot.config.ts. Throws PLUGIN_INVALID, PLUGIN_DUPLICATE, OPTIONS_INVALID. */
export async function loadPlugins(entries: readonly PluginEntry[]): Promise<readonly LoadedPlugin[]> {
  const listed = listPlugins(entries)
  const { plugins, mistakes } = await loadAll(listed.plugins, checkOptions)
  refuse([...listed.mistakes, ...mistakes])
  return plugins
}

function namesOf(plugins: readonly Ordered[]): readonly ConfigMistake[] {
  return plugins.flatMap(({ name, path }) => {
    if (!name.startsWith('kikimimi-')) return []
    const message = `[${name}] has a name that belongs to kikimimi itself. Give it another name.`
    return [{ code: 'PLUGIN_INVALID', path, message }]
  })
}

/** The commands of kikimimi itself, which plugins cannot have. A test compares them with those of the command line. */
export const OWN_COMMANDS: readonly string[] = [
  ...['help', 'start', 'check', 'doctor', 'upgrade', 'invite', 'add', 'remove', 'search', 'new', 'why', 'explain'],
  ...['replay', 'eval', 'alert'],
  ...['forget', 'backup', 'restore', 'rescue', 'drill', 'move', 'export'],
]

/** Commands of the command line with a name that they cannot have, or that is taken. */
function commandsOf(plugins: readonly Ordered[]): readonly ConfigMistake[] {
  const taken = new Map(OWN_COMMANDS.map(name => [name, 'kikimimi itself']))
  return plugins.flatMap(({ name: plugin, definition, path }) =>
    (definition.cli ?? []).flatMap(({ name }): ConfigMistake[] => {
      const other = taken.get(name)
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
        const problem = `has a command ${JSON.stringify(name)}: use one lower-case word, such as "facts".`
        return [{ code: 'PLUGIN_INVALID', path, message: `[${plugin}] ${problem}` }]
      }
      taken.set(name, other ?? `[${plugin}]`)
      if (other === undefined) return []
      const problem = `has a command "${name}", and so has ${other}. Give it another name.`
      return [{ code: 'COMMAND_DUPLICATE', path, message: `[${plugin}] ${problem}` }]
    }),
  )
}

export async function withPrompts(plugin: LoadedPlugin, project: URL | undefined): Promise<ReadyPlugin> {
  const { name, definition, given } = plugin
  return { ...plugin, prompts: await loadPrompts({ plugin: name, builtIn: definition.prompts, project, lines: given.prompts }) }
}

/** The built-in plugins, in this order, before those of bot.config.ts. */
export async function featuresOf(plugins: readonly Plugin[]): Promise<ReadyPlugin[]> {
  return Promise.all((await loadPlugins(plugins)).map(plugin => withPrompts(plugin, undefined)))
}
