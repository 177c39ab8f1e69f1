/** The running bot with its options of today and with others, for bots that post nothing. */
import {
  type BotConfig,
  type Conversation,
  channelOf,
  type Operator,
  type Person,
  type Setting,
  type StoredSettings,
} from 'kikimimi'
import { type LoadedPlugin, loadPlugins, needsDatabase, type Plan } from 'kikimimi/host'
import { type Variant, withChanges } from './changes.ts'
import type { ReplayRequest } from './request.ts'
import { without, withoutMemory } from './without-memory.ts'

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

/** The account of the bot in a conversation. */
export async function accountIn(
  conversation: Conversation,
  operator: Pick<Operator, 'platforms'>,
  persona: string,
): Promise<Person> {
  const platform = operator.platforms.find(({ name }) => name === conversation.platform)
  return (await platform?.meIn?.(conversation)) ?? platform?.me ?? { id: 'kikimimi', name: persona }
}
