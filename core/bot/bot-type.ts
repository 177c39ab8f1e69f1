import type { LightMyRequestResponse as InjectedResponse, InjectOptions } from 'fastify'
import type { BotConfig } from '../api/config.ts'
import type {
  ChatCommands,
  CliOutput,
  ConfigWarning,
  IncomingMessage,
  Persona,
  PersonKey,
  Platform,
  PlatformContext,
  StoredSettings,
  Trace,
} from '../api/index.ts'
import type { Forgotten } from '../features/erasure/erasure.ts'
import type { Reloaded } from '../features/reload/reload.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import type { ModelUsage } from '../models/meter.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'
import type { Jobs } from '../storage/jobs/jobs.ts'
import type { TurnQueue } from '../storage/turns/turn-queue.ts'
import type { StartOptions } from './start-options.ts'

/** A running bot. */
export interface Bot extends AsyncDisposable {
  /** The name and the character of the bot itself: see `ctx.bot.personaIn`. */
  readonly persona: Persona
  /** The queue of background jobs. */
  readonly jobs: Jobs
  /** The database of the bot. Undefined: it has none. */
  readonly db: OpenDatabase | undefined
  /** The queue of turns. */
  readonly turns: TurnQueue
  /** Passes a message from a platform of `StartOptions.platforms` to the bot. */
  receive(platform: Platform, message: IncomingMessage): Promise<boolean>
  /** Reports the edit of a message. */
  edit: PlatformContext['edit']
  /** Hands in the new name, visibility and details of a conversation. */
  describe: PlatformContext['describe']
  /** Hands in the deletion of a message. */
  remove: PlatformContext['remove']
  /** Reports a reaction that was added or removed. */
  reaction: PlatformContext['reaction']
  /** See `ChatCommands.run`. */
  chatCommand: ChatCommands['run']
  /** See {@link StoredSettings}. */
  readonly settings: StoredSettings
  /** The latest traces, newest first. */
  traces(limit?: number, conversation?: string): Promise<readonly Trace[]>
  /** What in the running bot.config.ts is valid and cannot work as it says. */
  warnings(): readonly ConfigWarning[]
  /** The plugins that are set up, those of the bot itself too, with their hooks. */
  running(): PluginHost['running']
  /** Calls and tokens of each model since the start. */
  modelUsage(): readonly ModelUsage[]
  /** Runs a command of a plugin: see `PluginDefinition.cli`. */
  command(name: string, args: readonly string[], out: CliOutput): Promise<void>
  /** Erases a person at once: see `Erasure.forget`. Throws FORGET_FAILED with every plugin that could not. */
  forget(person: PersonKey): Promise<Forgotten>
  /**
   * Sends a request to the routes of the bot and its plugins without a connection, also when the HTTP server does not listen:
   * `await bot.inject('/healthz')`, `await bot.inject({ method: 'POST', url: '/hook', payload: { ok: true } })`.
   */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** Where the HTTP server listens. Undefined: it does not. */
  readonly address: { readonly host: string; readonly port: number } | undefined
  /** Resolves when every platform has closed: no more messages will come. */
  readonly closed: Promise<void>
  /** Rejects when the bot cannot continue and needs a restart: it has lost its database or a platform. */
  readonly failed: Promise<never>
  /** Resolves when no turn runs or is due within half a minute. Later turns wait for the next start. */
  drained(): Promise<void>
  /**
   * Replaces the running bot.config.ts. Parts that are equal keep running, connections of platforms too. On a mistake it
   * throws with all mistakes, and the bot keeps its settings. `later` lists settings that need a restart.
   * @param project the folder of bot.config.ts. Default: the folder at the start
   */
  reload(config: BotConfig, project?: URL): Promise<Reloaded>
  /** Takes no more messages, lets turns end, and closes everything in reverse order. */
  stop(): Promise<void>
}

export type StartBot = (config: BotConfig, options?: StartOptions) => Promise<Bot>
