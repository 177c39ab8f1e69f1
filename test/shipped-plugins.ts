/** The plugins of bot.config.ts, without its terminal and the platforms that need tokens. */
import { join } from 'node:path'
import backup, { newKey } from '@kikimimi/backup'
import dashboard from '@kikimimi/dashboard'
import judgeLlm from '@kikimimi/judge-llm'
import type { PluginEntry } from 'kikimimi'
import { flattenPlugins } from 'kikimimi/host'
import config from '../bot.config.ts'

/** With those that only a key, a password or a model adds. Backups are in the folder. */
export async function shippedPlugins(folder: string): Promise<readonly PluginEntry[]> {
  const { secret } = await newKey()
  const added = [
    dashboard({ password: 'a long enough password' }),
    backup({ key: secret, to: join(folder, 'backups') }),
    judgeLlm(),
  ]
  const others = new Set(['terminal', ...added.map(({ definition }) => definition.name)])
  return [...added, ...flattenPlugins(config.plugins).filter(({ definition }) => !others.has(definition.name))]
}
