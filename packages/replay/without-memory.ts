import type { BotConfig, Plugin, PluginEntry } from 'kikimimi'
import { mapPlugins } from './map-plugins.ts'

/**
 * The bot without plugins that remember, and without plugins that need them. A replay measures when the bot speaks, and has
 * no model that could write memories. Storing them took sixteen times as long as everything else.
 */
export function withoutMemory(config: BotConfig): BotConfig {
  return without(config, ({ definition }) => definition.remembers === true)
}

/** The bot without some plugins, and without plugins that need them. */
export function without(config: BotConfig, isUnwanted: (plugin: Plugin) => boolean): BotConfig {
  const plugins = mapPlugins(config.plugins, plugin => (isUnwanted(plugin) ? undefined : plugin))
  const there = provided(plugins)
  const gone = provided(config.plugins).filter(name => !there.includes(name))
  const left = { ...config, plugins }
  if (gone.length === 0) return left
  // A removed plugin can make another one unusable.
  return without(left, ({ definition }) => definition.needs?.some(({ name }) => gone.includes(name)) === true)
}

function provided(entries: readonly PluginEntry[]): string[] {
  const names: string[] = []
  mapPlugins(entries, (plugin: Plugin) => {
    names.push(...(plugin.definition.provides ?? []).map(({ name }) => name))
    return plugin
  })
  return names
}
