/**
 * Makes a plan from bot.config.ts: checked settings, and plugins that are loaded, ordered and have their prompts. Nothing
 * has started.
 */

import type { ChatModel } from '../api/chat-model.ts'
import { type BotConfig, checkConfig, type PluginEntry } from '../api/config.ts'
import {
  Access,
  Alerts,
  BotSettings,
  ChatCommands,
  Erasure,
  Files,
  MissedMessages,
  Operator,
  type Plugin,
  StoredSettings,
  Tools,
} from '../api/index.ts'
import { KikimimiError } from '../base/errors.ts'
import { rulesOf } from '../features/access/rules.ts'
import { checkOptions } from '../features/options/check-options.ts'
import type { Plan } from '../features/reload/reload.ts'
import { type LoadedPlugin, loadPlugins as load, setupOrder as order } from '../kernel/host/load-plugins.ts'
import type { ReadyPlugin } from '../kernel/host/plugin-context.ts'
import { loadPrompts } from '../prompt/prompts.ts'
import { BotInternals } from './bot-internals.ts'

/** The services of the bot itself. */
const BUILT_IN = [
  Access,
  Alerts,
  BotInternals,
  BotSettings,
  ChatCommands,
  Erasure,
  Files,
  MissedMessages,
  Operator,
  StoredSettings,
  Tools,
]

/** Throws a KikimimiError with all mistakes. */
export async function planOf(config: BotConfig, project: URL | undefined): Promise<Plan> {
  const settings = checkConfig(config)
  const plugins = await loadPlugins(config.plugins)
  checkModelPlugins(settings.models?.plugins ?? {}, plugins)
  const ready = await Promise.all(setupOrder(plugins).map(plugin => withPrompts(plugin, project)))
  const chat = settings.models?.chat ?? (await offlineModel())
  const names = plugins.map(({ name }) => name)
  const access = rulesOf(config.access, settings.access)
  return { config, project, settings, models: { ...settings.models, chat }, access, names, order: ready }
}

/** Throws CONFIG_INVALID for a model of a plugin that the bot does not have. */
function checkModelPlugins(models: object, plugins: readonly LoadedPlugin[]): void {
  const names = plugins.map(({ name }) => name)
  const unknown = Object.keys(models).find(name => !names.includes(name))
  if (unknown === undefined) return
  const problem = `models.plugins has models for "${unknown}", but the bot has no plugin of this name. It has: ${names.join(', ')}.`
  throw new KikimimiError('CONFIG_INVALID', `bot.config.ts is invalid: ${problem}`)
}

/** Loaded only for a bot without a chat model, from its own package. */
async function offlineModel(): Promise<ChatModel> {
  const { offline } = await import('@kikimimi/offline')
  return offline()
}

/** The plugins of a bot.config.ts. Throws PLUGIN_INVALID, PLUGIN_DUPLICATE, OPTIONS_INVALID. */
export async function loadPlugins(entries: readonly PluginEntry[]): Promise<LoadedPlugin[]> {
  const plugins = await load(entries, checkOptions)
  const taken = plugins.find(({ name }) => name.startsWith('kikimimi-'))
  if (taken) {
    throw new KikimimiError('PLUGIN_INVALID', `[${taken.name}] has a name that belongs to kikimimi itself. Give it another name.`)
  }
  checkCommands(plugins)
  return plugins
}

/** Throws PLUGIN_INVALID for a name that a command cannot have, and COMMAND_DUPLICATE for one that is taken. */
function checkCommands(plugins: readonly LoadedPlugin[]): void {
  const taken = new Map<string, string>()
  for (const { name: plugin, definition } of plugins) {
    for (const { name } of definition.cli ?? []) {
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
        const problem = `has a command ${JSON.stringify(name)}: use one lower-case word, such as "facts".`
        throw new KikimimiError('PLUGIN_INVALID', `[${plugin}] ${problem}`)
      }
      const other = taken.get(name)
      if (other !== undefined) {
        const problem = `has a command "${name}", and so has [${other}]. Give it another name.`
        throw new KikimimiError('COMMAND_DUPLICATE', `[${plugin}] ${problem}`)
      }
      taken.set(name, plugin)
    }
  }
}

/** The order of set-up. Throws SERVICE_MISSING, SERVICE_DUPLICATE, SERVICE_CYCLE. */
export function setupOrder(plugins: readonly LoadedPlugin[]): LoadedPlugin[] {
  return order(plugins, BUILT_IN)
}

export async function withPrompts(plugin: LoadedPlugin, project: URL | undefined): Promise<ReadyPlugin> {
  const { name, definition, given } = plugin
  return { ...plugin, prompts: await loadPrompts({ plugin: name, builtIn: definition.prompts, project, lines: given.prompts }) }
}

/** The built-in plugins, in this order, before those of bot.config.ts. */
export async function featuresOf(plugins: readonly Plugin[]): Promise<ReadyPlugin[]> {
  const loaded = await load(plugins, checkOptions)
  return Promise.all(loaded.map(plugin => withPrompts(plugin, undefined)))
}
