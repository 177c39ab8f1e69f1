import type { PluginEntry } from '../api/config.ts'
import type { PluginDefinition } from '../api/index.ts'
import { reason } from '../base/errors.ts'
import { loadPlugins } from '../bot/plan.ts'
import type { LoadedPlugin } from '../kernel/host/load-plugins.ts'

type Finding = Awaited<ReturnType<NonNullable<PluginDefinition['check']>>>[number]

/**
 * Runs a plugin's `check` on its validated options, and returns the output of `kikimimi check`: each finding with the name
 * of the plugin. An error that `check` throws becomes a finding with a problem.
 * @throws OPTIONS_INVALID
 */
export async function checkPlugin(entry: PluginEntry): Promise<readonly Finding[]> {
  const { name, definition, options } = await load(entry)
  try {
    const findings = (await definition.check?.(options)) ?? []
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
export async function invitePlugin(entry: PluginEntry): Promise<string> {
  const { definition, options } = await load(entry)
  return (await definition.invite?.(options)) ?? ''
}

async function load(entry: PluginEntry): Promise<LoadedPlugin> {
  const [loaded, ...rest] = await loadPlugins([entry])
  if (!loaded || rest.length > 0) throw new TypeError('expected one plugin')
  return loaded
}
