/** What a running bot gives to one plugin. */

import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import {
  type BotIdentity,
  ChatCommands,
  type Conversation,
  type Database,
  type JobOptions,
  MissedMessages,
  type Models,
  type OptionsFor,
  type Platform,
  type PlatformContext,
  type Plugin,
  type PluginContext,
  type PluginDefinition,
  type Service,
} from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { type Schedule, type Times, timesOf } from '../../base/schedule.ts'
import type { Prompts } from '../../prompt/prompts.ts'
import { noDatabase } from '../../storage/database/no-database.ts'
import { type Jobs, plannedFor } from '../../storage/jobs/jobs.ts'
import type { Store } from '../../storage/store/store.ts'
import { note } from '../pipeline/trace.ts'
import type { Conversations } from '../turns/conversations.ts'

/** What all plugins of one bot share. */
export interface Shared {
  readonly bot: BotIdentity
  readonly log: Logger
  readonly clock: Clock
  readonly random: () => number
  /** Absent when the bot runs in memory alone. */
  readonly db: Database | undefined
  readonly models: { for(plugin: string): Models }
  readonly store: Store
  readonly jobs: Jobs
  readonly conversations: Conversations
  /** Posts a message that is not a reply. Rejects when it could not be sent. Returns the ids of the posted messages. */
  send(platform: Platform, ...given: Parameters<PluginContext['send']>): ReturnType<PluginContext['send']>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly services: Map<string, unknown>
  /** Returns the options of a plugin for a conversation, with settings made in the chat. */
  optionsFor(plugin: LoadedPlugin): (conversation: Conversation) => unknown
  /** Aborts when the bot takes no more messages. */
  readonly closing: AbortSignal
  /** See `PlatformContext.fail`. */
  fail(error: Error): void
}

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

/** A plugin whose options are checked and whose prompts are loaded. */
export interface ReadyPlugin extends LoadedPlugin {
  readonly prompts: Prompts
}

/** What belongs to one plugin. */
export interface Own {
  readonly plugin: ReadyPlugin
  readonly scope: AsyncDisposableStack
  /** Whether its `setup` still runs. */
  settingUp(): boolean
}

/** Adds the methods of {@link PlatformContext} only for plugins made by `definePlatform`. */
export function createContext(shared: Shared, own: Own): PluginContext & Partial<PlatformContext> {
  const ctx = pluginContext(shared, own)
  return own.plugin.definition.platform ? Object.assign(ctx, platformContext(shared, own)) : ctx
}

function pluginContext(shared: Shared, own: Own): PluginContext {
  const { bot, clock, random, models, store, jobs, services } = shared
  const { plugin, scope, settingUp } = own
  const { name, definition, prompts } = plugin
  const defined = new Set<string>()

  /** All kinds of jobs are known before the plugin works: a job of an earlier start can be due. */
  function defineOnce(call: string, id: string): string {
    const misplaced = (why: string) => new KikimimiError('JOB_MISPLACED', `[${name}] ${call} ${why}.`)
    if (!settingUp()) throw misplaced('comes too late: call it in setup')
    if (defined.has(id)) throw misplaced('is declared twice: give one of them another name')
    defined.add(id)
    scope.defer(() => jobs.unregister(id))
    return id
  }

  function declared(service: Service<unknown>, list: 'needs' | 'provides'): void {
    if (definition[list]?.some(one => one.name === service.name)) return
    throw new KikimimiError(
      'SERVICE_NOT_DECLARED',
      `[${name}] uses the service "${service.name}" without declaring it. Add it to "${list}" in its definition.`,
    )
  }

  return {
    bot,
    log: shared.log.child(name),
    clock,
    random,
    db: shared.db ?? noDatabase(name),
    models: models.for(name),
    scope,
    optionsFor: shared.optionsFor(plugin),

    use<T>(service: Service<T>, need?: 'optional') {
      if (!need) declared(service, 'needs')
      // The order of set-up puts every provider before the plugins that need it.
      return services.get(service.name) as T
    },

    provide(service, value) {
      declared(service, 'provides')
      services.set(service.name, value)
      scope.defer(() => void services.delete(service.name))
    },

    prompt: (prompt, values = {}, language = bot.locale) => prompts.render(prompt, values, language),

    job<P>(kind: string, run: (payload: P, signal: AbortSignal) => unknown, { retries = 2 }: JobOptions = {}) {
      const id = defineOnce(`ctx.job("${kind}")`, `${name}.${kind}`)
      // A payload comes back in the form in which the same plugin wrote it.
      jobs.define(id, { retries, run: async (payload, signal) => void (await run(payload as P, signal)) })
      return {
        schedule: (payload, when) => jobs.schedule(id, payload, when),
        cancel: key => jobs.cancel(id, key),
      }
    },

    every(kind, schedule, run) {
      const call = `ctx.every("${kind}")`
      const id = defineOnce(call, `${name}.${kind}`)
      jobs.every(id, timesFor(schedule, `[${name}] ${call}`), {
        retries: 2,
        run: (payload, signal) => run(signal, plannedFor(payload, clock.now())),
      })
    },

    async send(conversation, reply, options) {
      inbound(shared, own)
      return shared.send(platformOf(shared, name, conversation.platform), conversation, reply, options)
    },

    note: text => note(name, text),

    history: async (conversation, limit = 50) => store.history(sanitizeConversation(conversation).id, limit),
  }
}

function platformContext(shared: Shared, own: Own): Omit<PlatformContext, keyof PluginContext> {
  const { services, closing } = shared
  const { name } = own.plugin
  const platform = (named: string) => platformOf(shared, name, named)
  const use = <T>(service: Service<T>) => services.get(service.name) as T

  return {
    async receive(message, { slot, missed = false } = {}) {
      const inside = inbound(shared, own)
      const from = platform(message.conversation.platform)
      await (missed ? use(MissedMessages).receive(from, message) : inside.receive(from, message, slot))
    },
    admit: arrival => inbound(shared, own).admit(platform(arrival.conversation.platform), arrival),
    handleStopCommand(message) {
      if (!closing.aborted) shared.conversations.handleStopCommand(platform(message.conversation.platform), message)
    },
    edit: async (conversation, message, edit) => inbound(shared, own).edit(conversation, message, edit),
    describe: async conversation => inbound(shared, own).describe(conversation),
    remove: async (conversation, message) => inbound(shared, own).remove(conversation, message),
    reaction: async (conversation, message, change) => inbound(shared, own).reaction(conversation, message, change),
    command: given => use(ChatCommands).run(given),
    refusal: given => use(ChatCommands).refusal(given),
    async trackPosition(named, only) {
      inbound(shared, own)
      return use(MissedMessages).trackPosition(platform(named), only)
    },
    fail: error => shared.fail(error),
  }
}

/** Where messages go in and out. Throws when the plugin may not do that now. */
function inbound({ db, closing, conversations }: Shared, { plugin: { name, definition }, scope, settingUp }: Own): Conversations {
  // PGlite has one connection: recording would wait for the transaction, and the transaction for recording.
  if (db?.inTransaction) {
    throw new KikimimiError(
      'IN_TRANSACTION',
      `[${name}] receives or sends inside ctx.db.transaction. Do it after the transaction.`,
    )
  }
  if (closing.aborted) throw new KikimimiError('STOPPED', `[${name}] called the bot after it had stopped.`)
  if (scope.disposed) throw new KikimimiError('STOPPED', `[${name}] called the bot after this plugin had stopped.`)
  if (settingUp()) {
    const problem = definition.platform
      ? 'receives or sends in setup. Receive in platform.start(), and send when the bot runs.'
      : 'sends in setup, before the bot is connected. Send from a stage, a command, a job or a route.'
    throw new KikimimiError('SETUP_FAILED', `[${name}] ${problem}`)
  }
  return conversations
}

function timesFor(schedule: Schedule, where: string): Times {
  try {
    return timesOf(schedule)
  } catch (error) {
    throw new KikimimiError('SCHEDULE_INVALID', `${where}: ${reason(error)}.`, { cause: error })
  }
}

function platformOf({ platforms }: Shared, plugin: string, platform: string): Platform {
  const found = platforms.get(platform)
  if (found) return found
  throw new KikimimiError('PLATFORM_MISSING', `[${plugin}] named the platform "${platform}", and no plugin provides it.`)
}
