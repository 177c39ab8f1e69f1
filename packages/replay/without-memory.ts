import type { BotConfig, Plugin, PluginEntry } from 'kikimimi'
import { type LoadedPlugin, needsDatabase } from 'kikimimi/host'
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

/**
 * A replay sends nothing and opens no port: it leaves out platforms and plugins with routes. It opens no second database
 * in the process of a running bot: with one for eavesdrop, 1,688 messages took minutes, and its start blocked the bot for
 * a second.
 */
export function replayed({ config, order }: { readonly config: BotConfig; readonly order: readonly LoadedPlugin[] }): BotConfig {
  const outside = order.filter(
    plugin => plugin.definition.platform || plugin.definition.servesHttp?.(plugin.options) === true || needsDatabase(plugin),
  )
  return withoutMemory(without(config, ({ definition }) => outside.some(({ name }) => name === definition.name)))
}

function provided(entries: readonly PluginEntry[]): string[] {
  const names: string[] = []
  mapPlugins(entries, (plugin: Plugin) => {
    names.push(...(plugin.definition.provides ?? []).map(({ name }) => name))
    return plugin
  })
  return names
}
