/**
 * Turns the list in bot.config.ts into plugins that fit together: flattened, with unique names and checked options, in an
 * order in which every service exists before a plugin needs it. No plugin has started by then.
 */
import type { PluginEntry } from '../../api/config.ts'
import type { OptionsFor, Plugin, PluginDefinition, Service } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'

/** A plugin whose options have been checked. */
export interface LoadedPlugin {
  readonly name: string
  readonly definition: PluginDefinition
  /** The options in bot.config.ts, not checked. */
  readonly given: Omit<Plugin, 'definition'>
  /** The options that the plugin's schema returned. */
  readonly options: unknown
  /** The options for each conversation. */
  readonly optionsFor: OptionsFor
}

/** Names that plugins cannot have: the database schemas of these names have other owners. */
const RESERVED: ReadonlySet<string> = new Set(['kikimimi', 'kikimimi-v1', 'pgboss', 'public'])

/**
 * The plugins in their declared order.
 *
 * @param checkOptions returns the checked plugin, or all mistakes in its options as one text
 * @throws PLUGIN_INVALID, PLUGIN_DUPLICATE, OPTIONS_INVALID with the mistakes of all plugins
 */
export async function loadPlugins(
  entries: readonly PluginEntry[],
  checkOptions: (plugin: Plugin) => Promise<LoadedPlugin | string>,
): Promise<LoadedPlugin[]> {
  const plugins = flattenPlugins(entries)
  const names = plugins.map(({ definition }) => definition.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) {
    throw new KikimimiError(
      'PLUGIN_DUPLICATE',
      `[${twice}] is listed twice in the plugins of bot.config.ts. Remove one, or give your own plugin another name.`,
    )
  }
  const checked = await Promise.all(plugins.map(checkOptions))
  const mistakes = checked.filter(one => typeof one === 'string')
  if (mistakes.length > 0) throw new KikimimiError('OPTIONS_INVALID', mistakes.join('\n'))
  return checked.filter(one => typeof one !== 'string')
}

/** Whether a plugin needs its tables to work. */
export function needsDatabase({ definition, options }: LoadedPlugin): boolean {
  return definition.migrations !== undefined && (definition.needsDatabase?.(options) ?? true)
}

/**
 * The order of set-up: the declared order, with providers before the plugins that need them.
 * @param provided services that exist already
 * @throws SERVICE_MISSING, SERVICE_DUPLICATE, SERVICE_CYCLE
 *
 */
export function setupOrder(plugins: readonly LoadedPlugin[], provided: readonly Service<unknown>[]): LoadedPlugin[] {
  const built = new Set(provided.map(({ name }) => name))
  const providers = new Map<string, LoadedPlugin>()
  for (const plugin of plugins) {
    for (const { name } of plugin.definition.provides ?? []) {
      const other = providers.get(name)?.name ?? (built.has(name) ? 'kikimimi' : undefined)
      if (other !== undefined) {
        throw new KikimimiError(
          'SERVICE_DUPLICATE',
          `[${other}] and [${plugin.name}] both provide the service "${name}". Keep one of them in bot.config.ts.`,
        )
      }
      providers.set(name, plugin)
    }
  }

  const order: LoadedPlugin[] = []
  function visit(plugin: LoadedPlugin, path: readonly LoadedPlugin[]): void {
    if (order.includes(plugin)) return
    if (path.includes(plugin)) {
      const circle = [...path.slice(path.indexOf(plugin)), plugin].map(({ name }) => `[${name}]`).join(' needs ')
      throw new KikimimiError('SERVICE_CYCLE', `Plugins need each other in a circle: ${circle}. Remove one of these needs.`)
    }
    for (const needed of plugin.definition.needs ?? []) {
      if (built.has(needed.name)) continue
      const provider = providers.get(needed.name)
      if (!provider) throw missing(plugin, needed)
      visit(provider, [...path, plugin])
    }
    order.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return order
}

function missing({ name }: LoadedPlugin, { name: needed, from }: Service<unknown>): KikimimiError {
  const hint = from ? `Add the plugin ${from} to bot.config.ts.` : 'Add the plugin that provides it to bot.config.ts.'
  return new KikimimiError('SERVICE_MISSING', `[${name}] needs the service "${needed}", and no plugin provides it. ${hint}`)
}

/** The plugins of nested lists, in their order. Throws PLUGIN_INVALID for an entry that is no plugin. */
export function flattenPlugins(entries: readonly PluginEntry[]): Plugin[] {
  return entries.flatMap((entry, index) => {
    if (!entry) return []
    if (isList(entry)) return flattenPlugins(entry)
    const plugin = typeof entry === 'function' ? { definition: entry.definition, options: undefined } : entry
    checkShape(plugin, index)
    return [plugin]
  })
}

/** `Array.isArray` loses the element type of a readonly array. */
function isList(entry: PluginEntry): entry is readonly PluginEntry[] {
  return Array.isArray(entry)
}

function checkShape(plugin: Plugin, index: number): void {
  const definition: Partial<PluginDefinition> | undefined = plugin.definition
  if (typeof definition !== 'object' || typeof definition.setup !== 'function') {
    throw new KikimimiError(
      'PLUGIN_INVALID',
      `Entry ${index + 1} of the plugins in bot.config.ts is no plugin. A plugin is what definePlugin({ name, setup }) returns, or a call of it.`,
    )
  }
  const { name } = definition
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || RESERVED.has(name)) {
    throw new KikimimiError(
      'PLUGIN_INVALID',
      `${JSON.stringify(name)} is no name for a plugin: use lower-case words with hyphens, such as "judge-rules".`,
    )
  }
}
