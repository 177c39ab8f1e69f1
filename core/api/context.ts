/** What a running bot gives to a plugin. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Duration } from '../base/duration.ts'
import type { Logger } from '../base/log.ts'
import type { Locale } from '../base/text/texts.ts'
import type { Database } from './database.ts'
import type { Conversation, Message } from './message.ts'
import type { Models } from './models.ts'
import type { Service } from './service.ts'
import type { Reply } from './turn.ts'

/** The name and the character of the bot. */
export interface Persona {
  /** The name of the bot: `persona.name` of bot.config.ts. */
  readonly name: string
  /** What people call the bot, its name included. */
  readonly names: readonly string[]
  /** Who the bot is, in its own prompt. */
  readonly prompt: string
}

/** Options of a kind of job. */
export interface JobOptions {
  /** How many further attempts after a failure or a crash. Default 2. */
  readonly retries?: number
}

/** Work for later that survives a restart. */
export interface Job<P> {
  /**
   * Runs at `at` (default: now). With a `key`, replaces what is pending under it, or with `unlessSooner` only what is due
   * later. Inside `ctx.db.transaction` it commits with the transaction.
   */
  schedule(payload: P, when?: { readonly at?: Date; readonly key?: string; readonly unlessSooner?: boolean }): Promise<void>
  /** Removes the waiting job with this key. A running job continues. */
  cancel(key: string): Promise<void>
}

/**
 * What a running bot lends to one plugin, whose options are `O`. More is lent as services: {@link ChatCommands}, {@link Erasure},
 * {@link Images}, {@link Operator}, {@link StoredSettings}, {@link Tools}. A platform gets {@link PlatformContext}.
 */
export interface PluginContext<O = unknown> {
  /** The name and the character of the bot. */
  readonly persona: Persona
  /** The language of the bot, a BCP 47 tag such as `en` or `ja`. */
  readonly locale: Locale
  /** Writes lines that bear the plugin's name. */
  readonly log: Logger
  /** "Now" is always this clock, in SQL too: pass it as a parameter. */
  readonly clock: Clock
  /** A random number, 0 ≤ x < 1. Tests and replays seed it. */
  readonly random: () => number
  /**
   * The bot's database. Without one its `kind` is `none`, and every statement rejects.
   *
   * @throws DATABASE_NONE from its methods, when the bot runs in memory alone
   */
  readonly db: Database
  /** The models of bot.config.ts, with deadlines, retries, breakers and the budget. */
  readonly models: Models
  /** Put everything that opens into it on the same line. It is closed in reverse order when the bot stops or the plugin restarts. */
  readonly scope: AsyncDisposableStack
  /**
   * The options that hold in a conversation, from wide to narrow: those of `setup`, those of bot.config.ts for its workspace,
   * channel and thread, those that were set there in the chat. See `PluginDefinition.scoped`.
   *
   * @throws OPTIONS_INVALID when two layers of bot.config.ts do not fit together
   */
  optionsFor(conversation: Conversation): O
  /**
   * A service listed in `needs`. With `optional`, a service that may be missing and need not be listed: ask for it in a stage,
   * because its provider may be set up later.
   *
   * @throws SERVICE_NOT_DECLARED
   */
  use<T>(service: Service<T>): T
  use<T>(service: Service<T>, need: 'optional'): T | undefined
  /**
   * Lends a service listed in `provides`. Call it in `setup`.
   *
   * @throws SERVICE_NOT_DECLARED
   */
  provide<T>(service: Service<T>, value: T): void
  /**
   * The prompt `prompts/<locale>/<name>.md` with its `{{values}}` filled in. A file `prompts/<plugin>/<locale>/<name>.md` beside
   * bot.config.ts wins. Default of `locale`: the language of the bot.
   *
   * @throws PROMPT_MISSING, PROMPT_VALUE_MISSING
   */
  prompt(name: string, values?: Readonly<Record<string, string>>, locale?: Locale): string
  /**
   * Declares a kind of job. Call it in `setup`.
   *
   * @throws JOB_MISPLACED after `setup`, or for a second job of this name
   */
  job<P>(name: string, run: (payload: P, signal: AbortSignal) => Awaitable<void>, options?: JobOptions): Job<P>
  /**
   * Runs once in each interval for the whole deployment, however many processes run. Call it in `setup`.
   *
   * @param interval one second or more
   * @throws JOB_MISPLACED after `setup`, for a second one of this name, or for an interval below one second
   */
  every(name: string, interval: Duration, run: (signal: AbortSignal) => Awaitable<void>): void
  /**
   * Posts a message that answers no other. Resolves with the ids of what was posted.
   *
   * @throws SEND_FAILED, HALTED where the bot was stopped, IN_TRANSACTION inside `ctx.db.transaction`, PLATFORM_MISSING, STOPPED
   */
  send(conversation: Omit<Conversation, 'id'>, reply: Reply): Promise<readonly string[]>
  /** The last messages of a conversation, oldest first. Default of `limit`: 50. */
  history(conversation: Omit<Conversation, 'id'>, limit?: number): Promise<readonly Message[]>
}
