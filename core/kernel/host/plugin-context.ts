import type { Replays } from '../../../packages/replay/replays.ts'
import type {
  CliOutput,
  Database,
  Models,
  Operator,
  Persona,
  Platform,
  PluginContext,
  PluginDefinition,
  PluginHooks,
  Service,
  StoredSettings,
  Tool,
  Upcoming,
} from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { sleep } from '../../base/clock.ts'
import { milliseconds } from '../../base/duration.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Locale } from '../../base/locale.ts'
import type { Logger } from '../../base/log.ts'
import { createOperator } from '../../bot/create-operator.ts'
import { giveCommand, type NamedCommand } from '../../features/commands/commands.ts'
import type { Forget, Forgetter } from '../../features/erasure/erasure.ts'
import type { Routes } from '../../features/http/http.ts'
import { readImages } from '../../features/images/images.ts'
import type { SettingTable } from '../../features/options/table.ts'
import type { Prompts } from '../../prompt/prompts.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { Store } from '../../storage/store/store.ts'
import type { Conversations } from '../turns/conversations.ts'
import { sanitizeConversation } from '../turns/sanitize-input.ts'
import type { OptionsFor } from './overrides.ts'

/** What all plugins of one bot share. Filled in while it starts, and when a reload puts other plugins in their place. */
export interface Kernel {
  persona: Persona
  locale: Locale
  readonly log: Logger
  readonly clock: Clock
  readonly random: () => number
  /** Absent when the bot runs in memory alone. */
  readonly db: Database | undefined
  readonly models: Models
  readonly store: Store
  readonly jobs: Jobs
  readonly services: Map<string, unknown>
  readonly tools: Tool[]
  readonly routes: Routes[]
  readonly forgetters: Forgetter[]
  /** Of the chat, and what plugins tell of themselves there. */
  readonly chatCommands: NamedCommand[]
  readonly statuses: NonNullable<PluginHooks['status']>[]
  readonly settings: StoredSettings
  readonly table: SettingTable
  readonly upcoming: Upcoming
  /** What the environment keeps under names of secrets. */
  readonly secrets: readonly string[]
  /** Options of the plugins, by name. */
  readonly optionsFor: Map<string, OptionsFor>
  /** Of the command line, by name. */
  readonly commands: Map<string, (args: readonly string[], out: CliOutput) => Awaitable<void>>
  readonly platforms: Map<string, Platform>
  readonly http: PluginContext['http']
  /** See `Operator`. */
  plugins(): Operator['plugins']
  breakers(): Operator['breakers']
  spending: Operator['spending']
  /** Aborted when nothing more is taken in. */
  readonly closing: AbortSignal
  fail(error: Error): void
  /** Known once every plugin is set up. */
  conversations?: Conversations
  forget?: Forget
  replays?: Replays
}

/** What is one plugin's own. */
interface Lent extends Pick<PluginContext, 'optionsFor' | 'scope'> {
  readonly prompts: Prompts
  /** Whether its setup is still under way. */
  settingUp(): boolean
}

/** What a running bot lends to one plugin. */
export function createPluginContext(
  kernel: Kernel,
  plugin: PluginDefinition,
  { optionsFor, prompts, scope, settingUp }: Lent,
): PluginContext {
  const { name } = plugin
  const { clock, random, models, store, jobs, services, tools, platforms, closing } = kernel
  const log = kernel.log.child(name)
  const defined = new Set<string>()

  /** Jobs are known before the plugin is at work: one that waits since an earlier start may be due. */
  function duringSetup(what: string, id: string): void {
    const misplaced = (why: string) => new KikimimiError('JOB_MISPLACED', `[${name}] ${what} ${why}.`)
    if (!settingUp()) throw misplaced('comes too late: call it in setup')
    if (defined.has(id)) throw misplaced('is there twice: give one of them another name')
    defined.add(id)
    scope.defer(() => jobs.unregister(id))
  }

  function conversations(): Conversations {
    // PGlite has one connection: recording would wait for the transaction that waits for it.
    if (kernel.db?.inTransaction) {
      throw new KikimimiError(
        'IN_TRANSACTION',
        `[${name}] receives or sends inside ctx.db.transaction. Do it after the transaction.`,
      )
    }
    if (closing.aborted) throw new KikimimiError('STOPPED', `[${name}] handed something in, but the bot has stopped.`)
    if (scope.disposed) throw new KikimimiError('STOPPED', `[${name}] handed something in, but this plugin has stopped.`)
    if (kernel.conversations && !settingUp()) return kernel.conversations
    throw new KikimimiError('SETUP_FAILED', `[${name}] handed something in during setup. Receive in platform.start().`)
  }

  /** The platform that this plugin provides, or else the one that the conversation is on. */
  function platformOf(platform: string): Platform {
    const found = platforms.get(platform)
    if (found) return found
    throw new KikimimiError('PLATFORM_MISSING', `[${name}] named the platform "${platform}", and no plugin provides it.`)
  }

  function declared(service: Service<unknown>, list: 'needs' | 'provides'): void {
    if (plugin[list]?.some(one => one.name === service.name)) return
    throw new KikimimiError(
      'SERVICE_NOT_DECLARED',
      `[${name}] uses the service "${service.name}" without saying so. Add it to "${list}" in its definition.`,
    )
  }

  return {
    get persona() {
      return kernel.persona
    },
    get locale() {
      return kernel.locale
    },
    log,
    clock,
    random,
    models,
    tools,
    scope,
    optionsFor,
    commands: kernel.chatCommands,
    settings: kernel.settings,
    operator: createOperator(kernel),

    hasDatabase: kernel.db !== undefined,
    http: kernel.http,

    get platforms() {
      return [...platforms.values()]
    },

    get db() {
      if (kernel.db) return kernel.db
      throw new KikimimiError(
        'DATABASE_NONE',
        `[${name}] needs a database, and this bot runs in memory alone. Set "database" in bot.config.ts.`,
      )
    },

    use<T>(service: Service<T>): T {
      declared(service, 'needs')
      // The set-up order puts every provider before those who need it.
      return services.get(service.name) as T
    },

    find: <T>(service: Service<T>) => services.get(service.name) as T | undefined,

    provide(service, value) {
      declared(service, 'provides')
      services.set(service.name, value)
      scope.defer(() => void services.delete(service.name))
    },

    prompt: (prompt, values = {}, language = kernel.locale) => prompts.render(prompt, values, language),

    job(kind, run, { retries = 2 } = {}) {
      const id = `${name}.${kind}`
      duringSetup(`ctx.job("${kind}")`, id)
      // A payload comes back as the same plugin wrote it.
      jobs.define(id, { lane: 'work', retries, run: (payload, signal) => run(payload as Parameters<typeof run>[0], signal) })
      return {
        schedule: (payload, when) => jobs.schedule(id, payload, when),
        cancel: key => jobs.cancel(id, key),
      }
    },

    every(kind, interval, run) {
      const ms = milliseconds(interval)
      if (ms < 1_000) {
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          `ctx.every("${kind}"): the interval must be one second or more, got ${JSON.stringify(interval)}.`,
        )
      }
      duringSetup(`ctx.every("${kind}")`, `${name}.${kind}`)
      jobs.every(`${name}.${kind}`, ms, { lane: 'work', retries: 2, run: (_payload, signal) => run(signal) })
    },

    trackPosition: async (platform, only) => conversations().trackPosition(platformOf(platform), only),
    fail: error => kernel.fail(error),

    async receive(message) {
      await conversations().receive(platformOf(message.conversation.platform), message)
    },

    heed(message) {
      if (!closing.aborted) kernel.conversations?.heed(platformOf(message.conversation.platform), message)
    },
    command: given => giveCommand(kernel, given),

    edit: async (conversation, message, text) => conversations().edit(conversation, message, text),
    remove: async (conversation, message) => conversations().remove(conversation, message),

    reaction: async (conversation, message, change) => conversations().reaction(conversation, message, change),

    send: async (conversation, reply) => conversations().send(platformOf(conversation.platform), conversation, reply),
    async forget(person) {
      if (kernel.forget) return kernel.forget.ask(person)
      throw new KikimimiError('SETUP_FAILED', `[${name}] forgets somebody during setup. Do it once the bot runs.`)
    },

    history: async (conversation, limit = 50) => store.history(sanitizeConversation(conversation).id, limit),

    images: async ({ platform }, attachments, signal) =>
      attachments.length === 0 ? [] : readImages(attachments, { platform: platformOf(platform), clock, log, signal }),
  }
}

/** Waits until nothing runs, is due, or falls due within `horizonMs`. */
export async function drained(jobs: Jobs, clock: Clock, horizonMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { due, active, next } = await jobs.state('turn')
    const soon = next !== undefined && next - clock.now() <= horizonMs
    if (due === 0 && active === 0 && !soon) return
    await sleep(clock, soon && due + active === 0 ? Math.max(1, next - clock.now()) : 50, signal)
  }
}
