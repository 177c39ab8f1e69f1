/** Checks the changed options of a replay: `threshold: 40` of the request becomes a config and settings of that channel. */
import { type BotConfig, type Conversation, channelOf, KikimimiError, type StoredSettings } from 'kikimimi'
import type { Setting } from 'kikimimi/host'
import { settings as configSchema, invalidOptions, type LoadedPlugin, loadPlugins, needsDatabase, type Plan } from 'kikimimi/host'
import { mapPlugins } from './map-plugins.ts'
import type { ReplayRequest } from './request.ts'
import { replayed } from './without-memory.ts'

/** The name of the pacing in requests. */
export const PACING = 'pacing'

export interface Variant {
  readonly config: BotConfig
  readonly set: readonly Setting[]
}

const BY = { id: 'replay', name: 'replay' }

export interface Variants {
  /** The plugins that take part. */
  readonly plugins: readonly LoadedPlugin[]
  readonly today: Variant
  /** Without changes it is the same object as `today`. */
  readonly changed: Variant
}

/** @throws OPTIONS_INVALID for a value that a schema refuses */
export async function variantsOf(
  conversation: Conversation,
  settings: ReplayRequest['settings'],
  { plan, stored }: { readonly plan: Plan; readonly stored: Pick<StoredSettings, 'list'> },
): Promise<Variants> {
  const config = replayed(plan)
  const plugins = await loadPlugins(config.plugins)
  const fits = ({ plugin, key, value }: Setting) => {
    const options = plugins.find(({ name }) => name === plugin)?.optionsFor
    return options !== undefined && options.refuses(key, value) === undefined
  }
  const today = { config, set: stored.list(channelOf(conversation)).filter(fits) }
  const isSame = Object.keys(settings).length === 0
  return { plugins, today, changed: isSame ? today : await withChanges(today, settings, { conversation, plugins }) }
}

/**
 * The config and the settings of the channel with the changes. Scoped options become settings of the channel, the narrowest
 * layer; other options change the config. Throws OPTIONS_INVALID for a value that a schema refuses.
 * @param plugins the plugins that take part in the replay
 */
export async function withChanges(
  { config, set }: Variant,
  settings: ReplayRequest['settings'],
  { conversation, plugins }: { readonly conversation: Conversation; readonly plugins: readonly LoadedPlugin[] },
): Promise<Variant> {
  let changed = config
  const here: Setting[] = []
  for (const [name, options] of Object.entries(settings)) {
    if (name === PACING) {
      changed = { ...changed, pacing: paceOf(changed.pacing, options, conversation) }
      continue
    }
    const plugin = plugins.find(one => one.name === name)
    if (!plugin) throw new KikimimiError('OPTIONS_INVALID', `[${name}] takes no part in a replay of this bot.`)
    const { scoped = [] } = plugin.definition
    const elsewhere = Object.entries(options).filter(([key]) => !scoped.includes(key))
    changed = await withOptions(changed, plugin, Object.fromEntries(elsewhere))
    for (const [key, value] of Object.entries(options)) {
      if (!scoped.includes(key)) continue
      const problem = plugin.optionsFor.refuses(key, value)
      if (problem !== undefined) throw refused(name, `${key} to ${JSON.stringify(value)}: ${problem}.`)
      here.push({ place: channelOf(conversation), plugin: name, key, value, by: BY, at: new Date(0) })
    }
  }
  const stays = set.filter(({ plugin, key }) => !here.some(one => one.plugin === plugin && one.key === key))
  for (const { name, optionsFor } of plugins) {
    const own = here.filter(({ plugin }) => plugin === name)
    // Each option is valid alone; two can conflict.
    optionsFor(conversation, own, problem => {
      throw new KikimimiError('OPTIONS_INVALID', problem)
    })
  }
  return { config: changed, set: [...stays, ...here] }
}

async function withOptions(config: BotConfig, plugin: LoadedPlugin, changes: object): Promise<BotConfig> {
  const { name, definition, given } = plugin
  if (Object.keys(changes).length === 0) return config
  const options = { ...(typeof given.options === 'object' ? given.options : {}), ...changes }
  const checked = await definition.options?.['~standard'].validate(options)
  if (!checked) throw refused(name, 'anything: this plugin has no options.')
  if (checked.issues) throw new KikimimiError('OPTIONS_INVALID', invalidOptions(`[${name}]`, checked.issues, options))
  if (needsDatabase({ ...plugin, options: checked.value })) {
    throw refused(name, 'that here: it would need tables of its own. Replay it with `kikimimi replay`, which has some.')
  }
  const plugins = mapPlugins(config.plugins, one => (one.definition.name === name ? { ...one, options } : one))
  return { ...config, plugins }
}

/** The pacing of a channel is under its name or its id. The id is tried first. */
function paceOf(pacing: BotConfig['pacing'], changes: object, { channel, name }: Conversation) {
  const known = pacing?.channels ?? {}
  const own = known[channel] ?? known[name] ?? known[`#${name}`]
  const { error } = configSchema.shape.pacing.safeParse({ channels: { [channel]: changes } })
  if (!error) return { ...pacing, channels: { ...known, [channel]: { ...own, ...changes } } }
  const issues = error.issues.map(issue => ({ ...issue, path: issue.path.slice(2) }))
  throw new KikimimiError('OPTIONS_INVALID', invalidOptions('[pacing]', issues, changes))
}

function refused(name: string, what: string): KikimimiError {
  return new KikimimiError('OPTIONS_INVALID', `[${name}] cannot set ${what}`)
}
