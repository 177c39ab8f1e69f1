/**
 * From the list in bot.config.ts to plugins that fit together: flattened, named apart, their options checked,
 * and an order of set-up in which every service is there before it is needed. All of it before anything starts.
 */

import type { PluginEntry } from '../../api/config.ts'
import type { Plugin, PluginDefinition, Service } from '../../api/index.ts'
import { invalidOptions } from '../../api/option-errors.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { mistakesIn, type OptionsFor, optionsFor } from './overrides.ts'
import { COMMANDS } from './reserved-commands.ts'

export interface Loaded {
  readonly name: string
  readonly definition: PluginDefinition
  /** As bot.config.ts has them. */
  readonly given: Omit<Plugin, 'definition'>
  /** As the plugin's schema returned them. */
  readonly options: unknown
  /** Those of a place. */
  readonly optionsFor: OptionsFor
}

/**
 * The plugins in their declared order. Throws PLUGIN_INVALID, PLUGIN_DUPLICATE, COMMAND_DUPLICATE or OPTIONS_INVALID with
 * every mistake.
 */
export async function loadPlugins(entries: readonly PluginEntry[]): Promise<Loaded[]> {
  const plugins = flatten(entries)
  for (const [index, { definition }] of plugins.entries()) {
    if (plugins.findIndex(other => other.definition.name === definition.name) < index) {
      throw new KikimimiError(
        'PLUGIN_DUPLICATE',
        `[${definition.name}] stands twice in the plugins of bot.config.ts. Remove one, or give your own plugin another name.`,
      )
    }
  }
  checkCommands(plugins)
  const checked = await Promise.all(plugins.map(checkOptions))
  const mistakes = checked.filter(one => typeof one === 'string')
  if (mistakes.length > 0) throw new KikimimiError('OPTIONS_INVALID', mistakes.join('\n'))
  return checked.filter(one => typeof one !== 'string')
}

/** Whether a plugin cannot do without its tables. */
export function needsDatabase({ definition, options }: Loaded): boolean {
  return definition.migrations !== undefined && (definition.needsDatabase?.(options) ?? true)
}

/**
 * The order of set-up: declared, but providers before those who need them.
 * Throws SERVICE_MISSING, SERVICE_DUPLICATE or SERVICE_CYCLE.
 */
export function setupOrder(plugins: readonly Loaded[]): Loaded[] {
  const providers = new Map<string, Loaded>()
  for (const plugin of plugins) {
    for (const { name } of plugin.definition.provides ?? []) {
      const other = providers.get(name)
      if (other) {
        throw new KikimimiError(
          'SERVICE_DUPLICATE',
          `[${other.name}] and [${plugin.name}] both provide the service "${name}". Keep one of them in bot.config.ts.`,
        )
      }
      providers.set(name, plugin)
    }
  }

  const order: Loaded[] = []
  function visit(plugin: Loaded, path: readonly Loaded[]): void {
    if (order.includes(plugin)) return
    if (path.includes(plugin)) {
      const circle = [...path.slice(path.indexOf(plugin)), plugin].map(({ name }) => `[${name}]`).join(' needs ')
      throw new KikimimiError('SERVICE_CYCLE', `Plugins need each other in a circle: ${circle}. Remove one of these needs.`)
    }
    for (const needed of plugin.definition.needs ?? []) {
      const provider = providers.get(needed.name)
      if (!provider) throw missing(plugin, needed)
      visit(provider, [...path, plugin])
    }
    order.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return order
}

function missing({ name }: Loaded, { name: needed, from }: Service<unknown>): KikimimiError {
  const hint = from ? `Add the plugin ${from} to bot.config.ts.` : 'Add the plugin that provides it to bot.config.ts.'
  return new KikimimiError('SERVICE_MISSING', `[${name}] needs the service "${needed}", and no plugin provides it. ${hint}`)
}

function flatten(entries: readonly PluginEntry[]): Plugin[] {
  return entries.flatMap((entry, index) => {
    if (!entry) return []
    if (isList(entry)) return flatten(entry)
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
  if (
    typeof definition.name !== 'string' ||
    !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(definition.name) ||
    RESERVED.has(definition.name)
  ) {
    throw new KikimimiError(
      'PLUGIN_INVALID',
      `${JSON.stringify(definition.name)} is no name for a plugin: use lower-case words with hyphens, such as "judge-rules".`,
    )
  }
}

/** Throws PLUGIN_INVALID for a name that no command can have, and COMMAND_DUPLICATE for one that is taken. */
function checkCommands(plugins: readonly Plugin[]): void {
  const taken = new Map<string, string>()
  for (const { definition } of plugins) {
    for (const { name } of definition.cli ?? []) {
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
        throw new KikimimiError(
          'PLUGIN_INVALID',
          `[${definition.name}] has a command ${JSON.stringify(name)}: use one lower-case word, such as "facts".`,
        )
      }
      const other = COMMANDS.has(name) ? 'kikimimi itself' : taken.has(name) ? `[${taken.get(name)}]` : undefined
      if (other) {
        throw new KikimimiError(
          'COMMAND_DUPLICATE',
          `[${definition.name}] has a command "${name}", and so has ${other}. Give it another name.`,
        )
      }
      taken.set(name, definition.name)
    }
  }
}

/** Schemas of the database that are not a plugin's. */
const RESERVED: ReadonlySet<string> = new Set(['kikimimi', 'pgboss', 'public'])

async function checkOptions({ definition, options, overrides = {} }: Plugin): Promise<Loaded | string> {
  const { name, options: schema } = definition
  const loaded = (checked: unknown): Loaded => ({
    name,
    definition,
    given: { options, overrides },
    options: checked,
    optionsFor: optionsFor({ definition, given: options, options: checked, overrides }),
  })
  if (!schema) {
    if (options === undefined) return (await mistakesIn({ definition, given: options, overrides })) ?? loaded(undefined)
    return `[${name}] takes no options. Remove what stands between its brackets in bot.config.ts.`
  }
  try {
    const checked = await schema['~standard'].validate(options)
    if (checked.issues) return invalidOptions(`[${name}] invalid options in bot.config.ts:`, checked.issues, options)
    return (await mistakesIn({ definition, given: options, overrides })) ?? loaded(checked.value)
  } catch (error) {
    return `[${name}] could not check its options: ${reason(error)}`
  }
}
