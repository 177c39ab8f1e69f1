/** The plugins of bot.config.ts as it is shipped, without its terminal and what needs a token or a key. */
import dashboard from '@kikimimi/dashboard'
import judgeLlm from '@kikimimi/judge-llm'
import type { PluginEntry } from 'kikimimi'
import { listPlugins } from 'kikimimi/host'
import config from '../bot.config.ts'

/** With those that only a password or a model adds. */
export function shippedPlugins(): readonly PluginEntry[] {
  const added = [dashboard({ password: 'a long enough password' }), judgeLlm()]
  const others = new Set(['terminal', 'backup', 'discord', 'slack', ...added.map(({ definition }) => definition.name)])
  return [...added, ...listPlugins(config.plugins).plugins.flatMap(({ name, plugin }) => (others.has(name) ? [] : [plugin]))]
}
