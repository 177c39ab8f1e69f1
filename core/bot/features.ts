/** The plugins of the bot itself, which fill stages and services like any other. */
import type { ChatCommands, Plugin, StoredSettings } from '../api/index.ts'
import { reason } from '../base/errors.ts'
import { accessFeature } from '../features/access/index.ts'
import { withRules } from '../features/access/rules.ts'
import { answersFeature } from '../features/answers/index.ts'
import { createCatchUp } from '../features/catch-up/catch-up.ts'
import { catchUpFeature } from '../features/catch-up/index.ts'
import { channelsFeature } from '../features/channels/index.ts'
import { type CommandsOptions, createChatCommands } from '../features/commands/commands.ts'
import { commandsFeature } from '../features/commands/index.ts'
import { createErasure, type PersonErasure } from '../features/erasure/erasure.ts'
import { erasureFeature } from '../features/erasure/index.ts'
import { tombstoneFile, tombstonesFeature } from '../features/erasure/tombstones.ts'
import { filesFeature } from '../features/files/index.ts'
import { LISTEN, listenFeature, listensWith } from '../features/listen/index.ts'
import { hearsIn } from '../features/listen/listen.ts'
import { messageLogFeature } from '../features/message-log/index.ts'
import { optOutsFeature } from '../features/opt-outs/index.ts'
import { optionsFeature } from '../features/options/index.ts'
import { createSettings } from '../features/options/settings.ts'
import type { Reloads } from '../features/reload/reload.ts'
import { retentionFeature } from '../features/retention/retention.ts'
import { createBotSettings, settingsFileFeature } from '../features/settings-file/bot-settings.ts'
import { stopFeature } from '../features/stop/index.ts'
import { surroundingsFeature } from '../features/surroundings/index.ts'
import { toolsFeature } from '../features/tools/tools.ts'
import type { ReadyPlugin } from '../kernel/host/plugin-context.ts'
import type { Caller } from '../models/budget.ts'
import { namesOf } from '../models/models.ts'
import type { BotInternals } from './bot-internals.ts'
import { operatorFeature } from './create-operator.ts'
import type { Parts } from './parts.ts'
import { featuresOf } from './plan.ts'
import type { Service } from './serve.ts'

export interface Features {
  /** The plugins, in the order in which stages ask them: before those of bot.config.ts. */
  readonly plugins: readonly ReadyPlugin[]
  readonly settings: StoredSettings
  readonly erasure: PersonErasure
  readonly chatCommands: Pick<ChatCommands, 'run'>
}

export interface FeatureParts extends Parts {
  readonly service: Service
  readonly reloads: Reloads
  /** Starts another bot, for replays. */
  readonly startBot: BotInternals['startBot']
}

export async function composeFeatures(parts: FeatureParts): Promise<Features> {
  const { foundation, storage, configured, talk, host } = parts
  const { clock } = foundation
  const { store, jobs, table, log, shared } = storage
  const optionsOf = (name: string) => host.running.find(({ plugin }) => plugin.name === name)?.plugin.optionsFor
  const settings = createSettings({ table, clock, optionsOf })
  const erasure = createErasure({
    ...{ store: store.forgetting, jobs, turns: talk.turns, clock, log, host, shared: shared !== undefined },
  })
  const commands = commandsOf(parts)
  const plugins = await featuresOf([
    optOutsFeature(),
    ...forPeople(parts, commands),
    optionsFeature({ settings, table, explain: parts.service.explain, scoped: () => scopedOptions(parts) }),
    erasureFeature(erasure, talk.conversations),
    ...forMessages(parts),
    ...forOperators(parts),
  ])
  const tools = () => toolsOf(parts).map(({ name }) => name)
  return {
    plugins: plugins.map(one => withRules(one, () => configured.current.plan.access, tools)),
    ...{ settings, erasure },
    chatCommands: createChatCommands({ ...commands, locale: () => configured.current.identity.locale }),
  }
}

/** The tools of all plugins. */
export const toolsOf = ({ host }: Pick<Parts, 'host'>) => host.hooks('tools').flatMap(({ hook }) => hook)

type Commands = Omit<CommandsOptions, 'locale'>

function commandsOf({ foundation, storage, configured, talk, host }: Parts): Commands {
  const { platforms, clock, closing } = foundation
  const admit = (caller: Caller | undefined) => caller && configured.current.budget.admit(caller)
  return { host, platforms, clock, log: storage.log, closing: closing.signal, access: talk.access, admit }
}

/** What people call the bot with. */
function forPeople(parts: Parts, commands: Commands): readonly Plugin[] {
  const { foundation, storage, configured, talk } = parts
  const { platforms, clock, stopping } = foundation
  const { store, table, ledger } = storage
  const { access, stop, shedding, turns, delivery, conversations } = talk
  return [
    // First: a refused call is for no other plugin.
    accessFeature({ access, admit: commands.admit, tools: () => toolsOf(parts), forget: ledger.forget }),
    commandsFeature({
      ...{ ...commands, store, stop },
      isOverloaded: () => shedding.now !== undefined,
      hears: conversation =>
        hearsIn(conversation, configured.current.plan.settings.listen) && listensWith(table.within(conversation, LISTEN)),
      budget: () => (configured.current.plan.settings.budget ? configured.current.budget : undefined),
      models: () => namesOf(configured.current.plan.models),
    }),
    answersFeature({ store, queue: turns, delivery, platforms, clock, stopping: stopping.signal }, conversations),
    stopFeature(stop),
    listenFeature(),
  ]
}

/** What messages, and the data of people, need. */
function forMessages({ foundation, storage, configured, talk, host }: Parts): readonly Plugin[] {
  const { options, env, clock, platforms, stopping } = foundation
  const { store, log, shared } = storage
  const { surroundings, conversations, models, shedding, metrics } = talk
  return [
    tombstonesFeature({
      file: tombstoneFile(configured.current.plan.settings.database, options.project, env.KIKIMIMI_ERASED),
      store: store.forgetting,
    }),
    surroundingsFeature({ reader: surroundings, conversations, shared }),
    filesFeature(platforms, models),
    messageLogFeature(),
    channelsFeature({ platforms, store, settings: configured }),
    toolsFeature(host),
    catchUpFeature(
      createCatchUp({
        ...{ store, clock, log, stopping: stopping.signal, conversations, platforms, shedding },
        wasRead: metrics.readLater,
      }),
    ),
  ]
}

/** What operators use, and what keeps the data small. */
function forOperators({ foundation, storage, configured, host, service, reloads, startBot }: FeatureParts): readonly Plugin[] {
  const { secrets, closing } = foundation
  const { store, log, modelUse } = storage
  const plan = () => configured.current.plan
  const reload = (config: Parameters<Reloads['reload']>[0]) => reloads.reload(config, plan().project)
  return [
    settingsFileFeature(createBotSettings({ plan, secrets, reload })),
    operatorFeature(service.operator, {
      ...{ host, plan, closing: closing.signal, startBot },
      keepCall: async call =>
        modelUse?.add(call, undefined).catch((error: unknown) => log.warn(`could not count a call: ${reason(error)}`)),
    }),
    service.alerts.plugin,
    retentionFeature({
      ...{ store, kept: () => plan().settings.retention },
      costs: () => [configured.current.budget, ...(modelUse ? [modelUse] : [])],
    }),
  ]
}

/** Options of which a place can have another value. */
function scopedOptions({ host }: Parts) {
  return host.running.flatMap(({ plugin: { name, definition } }) =>
    (definition.scoped ?? []).map(option => ({ plugin: name, option })),
  )
}
