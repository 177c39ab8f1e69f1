/** Turns the list in bot.config.ts into plugins: flattened, with unique names and checked options. No plugin has started by then. */

import type { ConfigMistake, ConfigPath } from '../../api/checks/config-error.ts'
import type { OptionMistake } from '../../api/checks/option-errors.ts'
import type { PluginEntry } from '../../api/config.ts'
import type { Plugin, PluginDefinition } from '../../api/index.ts'
import type { LoadedPlugin } from '../../kernel/host/plugin-context.ts'

/** A plugin to put in order. */
export interface Ordered {
  readonly name: string
  readonly definition: PluginDefinition
  readonly path: ConfigPath
}

/** Names that plugins cannot have: the database schemas of these names have other owners. */
const RESERVED: ReadonlySet<string> = new Set(['kikimimi', 'kikimimi-v1', 'pgboss', 'public'])

/** A plugin with its place in bot.config.ts. */
export interface Listed {
  readonly name: string
  readonly plugin: Plugin
  readonly path: ConfigPath
}

/** What is left of a list, and all mistakes in it. */
export interface Checked<T> {
  readonly plugins: readonly T[]
  readonly mistakes: readonly ConfigMistake[]
}

/** The plugins of nested lists, in their order, without entries that are not plugins and without the second of one name. */
export function listPlugins(entries: readonly PluginEntry[]): Checked<Listed> {
  const mistakes: ConfigMistake[] = []
  const found = new Map<string, Listed>()
  function visit(list: readonly PluginEntry[], at: ConfigPath): void {
    for (const [index, entry] of list.entries()) {
      const path = [...at, index]
      if (!entry) continue
      if (isList(entry)) {
        visit(entry, path)
        continue
      }
      const plugin = typeof entry === 'function' ? { definition: entry.definition, options: undefined } : entry
      const problem = whyNoPlugin(plugin, entry)
      if (problem !== undefined) mistakes.push({ code: 'PLUGIN_INVALID', path, message: problem })
      else if (found.has(plugin.definition.name)) mistakes.push({ code: 'PLUGIN_DUPLICATE', path, message: twice(plugin) })
      else found.set(plugin.definition.name, { name: plugin.definition.name, plugin, path })
    }
  }
  visit(entries, ['plugins'])
  return { plugins: [...found.values()], mistakes }
}

function twice({ definition: { name } }: Plugin): string {
  return `[${name}] is listed twice in the plugins of bot.config.ts. Remove one, or give your own plugin another name.`
}

/**
 * Checks the options of plugins.
 * @param checkOptions returns the checked plugin, or all mistakes in its options
 */
export async function loadPlugins(
  listed: readonly Listed[],
  checkOptions: (plugin: Plugin) => Promise<LoadedPlugin | readonly OptionMistake[]>,
): Promise<Checked<LoadedPlugin>> {
  const checked = await Promise.all(listed.map(async ({ plugin, path }) => ({ path, result: await checkOptions(plugin) })))
  return {
    plugins: checked.flatMap(({ result }) => ('definition' in result ? [result] : [])),
    mistakes: checked.flatMap(({ path: at, result }) => {
      if ('definition' in result) return []
      return result.map(({ path, message }): ConfigMistake => ({ code: 'OPTIONS_INVALID', path: [...at, ...path], message }))
    }),
  }
}

/** Whether a plugin needs its tables to work. */
export function needsDatabase({ definition, options }: LoadedPlugin): boolean {
  return definition.migrations !== undefined && (definition.needsDatabase?.(options) ?? true)
}

/** `Array.isArray` loses the element type of a readonly array. */
function isList(entry: PluginEntry): entry is readonly PluginEntry[] {
  return Array.isArray(entry)
}

function whyNoPlugin(plugin: Plugin, entry: unknown): string | undefined {
  const definition: Partial<PluginDefinition> | undefined = Object(plugin).definition
  if (typeof definition !== 'object' || typeof definition.setup !== 'function') {
    return `${kindOf(entry)} is not a plugin. A plugin is what definePlugin({ name, setup }) returns, or a call of it.`
  }
  const { name } = definition
  if (typeof name === 'string' && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && !RESERVED.has(name)) return undefined
  return `${JSON.stringify(name)} is no name for a plugin: use lower-case words with hyphens, such as "judge-rules".`
}

/** What an entry is, without its values: they could be secrets. */
function kindOf(entry: unknown): string {
  if (entry instanceof Promise) return 'A promise, which needs "await" before it,'
  if (typeof entry === 'object' && entry !== null) return `An object with ${Object.keys(entry).join(', ') || 'nothing in it'}`
  return typeof entry === 'string' || typeof entry === 'number' ? JSON.stringify(entry) : `A ${typeof entry}`
}
