/** Puts the values of bot.settings.json over those of bot.config.ts. Pure: neither argument changes, and nothing is checked. */
import type { BotConfig, ModelConfig, PluginEntry, RoleModels } from '../../api/config.ts'
import type { Overrides, Plugin } from '../../api/index.ts'
import { modelsByName } from '../../models/models.ts'
import type { PluginSettings, SettingsFile } from './schema.ts'
import { isLayer, type Layer } from './values.ts'

/** What has a value for each place. Places are merged by name, all other values are replaced whole. */
const PLACES = ['workspaces', 'channels', 'threads'] as const

/** The config with the values of the file. Plugins that the config does not list, and models that it does not have, are ignored. */
export function merge(config: BotConfig, { plugins = {}, models, ...settings }: SettingsFile): BotConfig {
  return {
    ...settingsWith(config, settings),
    ...(models && { models: chosen(config.models ?? {}, models) }),
    plugins: withSettings(config.plugins, plugins),
  }
}

/** Each plugin of the list, changed or left out. */
export function mapPlugins(
  entries: readonly PluginEntry[],
  change: (plugin: Plugin) => Plugin | undefined,
): readonly PluginEntry[] {
  // What is neither a list nor a plugin is refused when the plugins are loaded.
  if (!isList(entries)) return entries
  return entries.map((entry): PluginEntry => {
    if (!entry) return entry
    if (isList(entry)) return mapPlugins(entry, change)
    if (!entry.definition) return entry
    return change(typeof entry === 'function' ? { definition: entry.definition, options: undefined } : entry)
  })
}

function withSettings(entries: readonly PluginEntry[], settings: Readonly<Record<string, PluginSettings>>) {
  return mapPlugins(entries, plugin => {
    const { name } = plugin.definition
    const own = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (own?.enabled === false) return undefined
    return own ? pluginWith(plugin, own) : plugin
  })
}

function pluginWith(plugin: Plugin, { options, prompts, enabled: _, ...places }: PluginSettings): Plugin {
  const given = Object.keys(options ?? {})
  const overrides: Overrides<Layer> = Object.fromEntries(
    PLACES.flatMap(kind => (places[kind] ? [[kind, placesWith(plugin.overrides?.[kind], places[kind])]] : [])),
  )
  return {
    ...plugin,
    options: options ? layered(plugin.options, options) : plugin.options,
    ...(Object.keys(places).length > 0 && { overrides: { ...plugin.overrides, ...overrides } }),
    ...(given.length > 0 && { fromSettingsFile: given }),
    ...(prompts && { prompts }),
  }
}

/** The settings of the bot: of a section, each key; of the places in it, each key of each place. */
function settingsWith(config: BotConfig, settings: Layer): BotConfig {
  const below: Layer = { ...config }
  const merged = Object.entries(settings).flatMap(([name, above]) => {
    if (!isLayer(above)) return [[name, above]]
    const placed = Object.entries(above).map(([key, value]) => {
      const isPlaces = PLACES.some(one => one === key) && isLayer(value)
      return [key, isPlaces ? placesWith(asLayer(below[name])[key], value) : value]
    })
    return [[name, layered(below[name], Object.fromEntries(placed))]]
  })
  return layered(config, Object.fromEntries(merged)) as unknown as BotConfig
}

function placesWith(below: unknown, above: Layer): Layer {
  const placed = Object.entries(above).map(([name, layer]) => [
    name,
    isLayer(layer) ? layered(asLayer(below)[name], layer) : layer,
  ])
  return layered(below, Object.fromEntries(placed))
}

/** Replaces values. A `null` takes the value below away. */
function layered(below: unknown, above: Layer): Layer {
  const values = Object.entries({ ...asLayer(below), ...above }).filter(([key, value]) => value !== null || above[key] !== null)
  return Object.fromEntries(values)
}

function chosen(models: ModelConfig, { plugins, channels, ...roles }: NonNullable<SettingsFile['models']>): ModelConfig {
  const known = modelsByName(models)
  const withRoles = (below: RoleModels | undefined, names: Readonly<Record<string, string | undefined>>): RoleModels => {
    const found = Object.entries(names).flatMap(([role, name]) => {
      const model = known.get(name ?? '')
      return model ? [[role, model]] : []
    })
    return { ...below, ...Object.fromEntries(found) }
  }
  const all = (below: ModelConfig['plugins'], above: typeof plugins) => ({
    ...below,
    ...Object.fromEntries(Object.entries(above ?? {}).map(([name, names]) => [name, withRoles(below?.[name], names)])),
  })
  return {
    ...models,
    ...withRoles(models, roles),
    ...(plugins && { plugins: all(models.plugins, plugins) }),
    ...(channels && { channels: all(models.channels, channels) }),
  }
}

/** `Array.isArray` loses the element type of a readonly array. */
function isList(entry: PluginEntry): entry is readonly PluginEntry[] {
  return Array.isArray(entry)
}

function asLayer(value: unknown): Layer {
  return isLayer(value) ? value : {}
}
