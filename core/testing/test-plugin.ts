import type { BotConfig, PluginEntry } from '../api/config.ts'
import type { PluginDefinition } from '../api/index.ts'
import { reason } from '../base/errors.ts'
import { loadPlugins } from '../bot/plan.ts'
import { configuredFor } from '../features/options/unused.ts'

/** What else is in the bot. */
type RestOfBot = Partial<Pick<BotConfig, 'plugins' | 'models' | 'persona'>>

type Finding = Awaited<ReturnType<NonNullable<PluginDefinition['check']>>>[number]

/**
 * Runs a plugin's `check` on its validated options, and returns the output of `kikimimi check`: each finding with the name
 * of the plugin. An error that `check` throws becomes a finding with a problem.
 * @throws OPTIONS_INVALID
 */
export async function checkPlugin(entry: PluginEntry, bot: RestOfBot = {}): Promise<readonly Finding[]> {
  const { name, definition, options, configured } = await load(entry, bot)
  try {
    const findings = (await definition.check?.(options, configured)) ?? []
    return findings.map(finding => ({ ...finding, what: `${name}: ${finding.what}` }))
  } catch (error) {
    return [{ what: name, problem: reason(error).replace(`[${name}] `, '') }]
  }
}

/**
 * Runs a plugin's `invite` on its validated options, and returns its text. Empty for a plugin without one.
 * @throws OPTIONS_INVALID, and the errors of `invite`
 *
 */
export async function invitePlugin(entry: PluginEntry, bot: RestOfBot = {}): Promise<string> {
  const { definition, options, configured } = await load(entry, bot)
  return (await definition.invite?.(options, configured)) ?? ''
}

async function load(entry: PluginEntry, { plugins = [], models, persona = { name: 'kiki' } }: RestOfBot) {
  const [loaded, ...rest] = await loadPlugins([entry])
  if (!loaded || rest.length > 0) throw new TypeError('expected one plugin')
  const configured = configuredFor(loaded.name, { plugins: [loaded, ...(await loadPlugins(plugins))], models, persona })
  return { ...loaded, configured }
}
