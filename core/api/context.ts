/** What a running bot gives to a plugin. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { Schedule } from '../base/schedule.ts'
import type { Locale } from '../base/text/texts.ts'
import type { Database } from './database.ts'
import type { Conversation, Message, Person, Persona, PersonaPlace } from './message.ts'
import type { Models } from './models.ts'
import type { Service } from './service.ts'
import type { MessageSource, Reply } from './turn.ts'

/** Options of a kind of job. */
export interface JobOptions {
  /** How many further attempts after a failure or a crash. Default 2. */
  readonly retries?: number
}

/** How {@link PluginContext.send} posts a message. */
export interface SendOptions {
  /**
   * The messages that the words are made from, also when a model wrote them. `'none'`: no message is behind them, such as an alert. The
   * posted message follows its sources as an answer does: when one of them is deleted, edited, left out or forgotten, it leaves the log,
   * and what was made of it too. Name what was read before by ids: of a range, only what happens from the call on counts.
   */
  readonly sources: readonly MessageSource[] | 'none'
  /** Until when the message waits for a platform that does not take it now. Default: it does not wait, and `send` rejects. */
  readonly until?: Date
  /**
   * The people whom the message notifies, 20 at most, where the platform has notifications. The first place of each name in the text becomes
   * a mention. A name that the text does not contain is put in front. Other mentions in the text do not notify. A direct message has no
   * mentions. Default: no one.
   */
  readonly notify?: readonly Person[]
  /**
   * Runs in the transaction that stores the message before it is sent, so that a crash keeps both or none: the mark that something was
   * said. When it rejects, nothing is sent. Statements and jobs in it belong to the transaction. It stays when the platform then
   * refuses the message, so that nothing is said twice: with `until`, the message waits for a platform that is away.
   */
  also?(): Promise<void>
}

/** Work for later that survives a restart. */
export interface Job<P> {
  /**
   * Runs the job at `at` (default: now). With a `key`, it replaces the pending job of that key. With `unlessSooner`, it
   * replaces only a job that is due later. Inside `ctx.db.transaction` it commits with the transaction.
   */
  schedule(payload: P, when?: { readonly at?: Date; readonly key?: string; readonly unlessSooner?: boolean }): Promise<void>
  /** Removes the waiting job with this key. A running job continues. */
  cancel(key: string): Promise<void>
}

/** Who the bot is, from bot.config.ts. A reload can change it. */
export interface BotIdentity {
  /** `persona.name` of bot.config.ts: the name of the bot's command, and of its account where the platform gives it none. */
  readonly name: string
  /** The language of the bot, a BCP 47 tag such as `en` or `ja`. */
  readonly locale: Locale
  /** The name and the character of the bot in a place. A turn has it as `turn.persona`. */
  personaIn(place: PersonaPlace): Persona
}

/**
 * What a running bot gives to one plugin with options `O`. Services give more: {@link ChatCommands}, {@link Erasure},
 * {@link Files}, {@link Operator}, {@link StoredSettings}, {@link Tools}. A platform gets {@link PlatformContext}.
 */
export interface PluginContext<O = unknown> {
  /** Who the bot is: its name, its language, and its persona in a place. */
  readonly bot: BotIdentity
  /** The log. Each line has the plugin's name. */
  readonly log: Logger
  /** The only source of time. Pass its time to SQL as a parameter. */
  readonly clock: Clock
  /** A random number, 0 ≤ x < 1. Tests and replays use a seed. */
  readonly random: () => number
  /**
   * The bot's database. Without a database its `kind` is `none`, and every statement rejects.
   * @throws DATABASE_NONE from its methods, when the bot runs in memory alone
   */
  readonly db: Database
  /** The models of bot.config.ts, with deadlines, retries, breakers and the budget. */
  readonly models: Models
  /**
   * Add everything that the plugin opens, on the same line. The bot closes it in reverse order when the bot stops or the
   * plugin restarts.
   */
  readonly scope: AsyncDisposableStack
  /**
   * The options for a conversation. The layers are, from wide to narrow: the options that `setup` gets, those of
   * bot.config.ts for the workspace, channel and thread, and those set in the chat. See `PluginDefinition.scoped`.
   * @throws OPTIONS_INVALID when two layers of bot.config.ts do not fit together
   */
  optionsFor(conversation: Conversation): O
  /**
   * A service that `needs` lists. With `optional`, the service can be missing and `needs` does not have to list it. Call
   * that in a stage, because its provider can be set up later.
   * @throws SERVICE_NOT_DECLARED
   */
  use<T>(service: Service<T>): T
  use<T>(service: Service<T>, need: 'optional'): T | undefined
  /**
   * Provides a service that `provides` lists. Call it in `setup`.
   * @throws SERVICE_NOT_DECLARED
   */
  provide<T>(service: Service<T>, value: T): void
  /**
   * The prompt `prompts/<locale>/<name>.md` with its `{{values}}` filled in. A file `prompts/<plugin>/<locale>/<name>.md`
   * beside bot.config.ts overrides it. Default of `locale`: the language of the bot.
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
   * Runs once in each interval, or once at each time of a cron expression, for the whole deployment, however many processes run. Call
   * it in `setup`. Work that was due while no process ran is run once at the next start. `planned` is the time for which a run was
   * planned: of several times without a process, the first. A plugin that does work for each day keeps the last day in a table. Work
   * whose time depends on what people write takes `runWhenDue` instead.
   *
   * When the clocks are set forward, work at a time that does not exist runs at the end of the gap. When they are set back, work at a
   * time that comes twice runs the first time; with `*` as the hour it runs both times.
   *
   * @param schedule an interval of one second or more, such as `'1h'`, or `{ cron: '0 7 * * MON-FRI', timeZone: 'Asia/Tokyo' }`
   * @throws JOB_MISPLACED after `setup`, or for a second one of this name
   * @throws SCHEDULE_INVALID for an interval below one second, a wrong expression or an unknown time zone
   */
  every(name: string, schedule: Schedule, run: (signal: AbortSignal, planned: Date) => Awaitable<void>): void
  /**
   * Posts a message that is not a reply. Resolves with the ids of the posted messages; those that wait are not among them.
   * `conversation` is as it was when the message was written: if more people read it now, nothing is posted.
   * @throws SEND_FAILED the platform does not take the message, or has no such place
   * @throws SOURCES_LOST one of the sources is gone, left out or edited: nothing is posted
   * @throws ARGUMENT_INVALID without `sources`, or with more people to notify than 20
   * @throws HALTED while STOP is active: people have silenced the bot, so leave the message out
   * @throws PLATFORM_MISSING no plugin provides the platform of the conversation, such as one that was removed
   * @throws IN_TRANSACTION inside `ctx.db.transaction`
   * @throws SETUP_FAILED in `setup`
   * @throws STOPPED after the bot or the plugin has stopped
   */
  send(conversation: Omit<Conversation, 'id'>, reply: Reply, options: SendOptions): Promise<readonly string[]>
  /**
   * Adds a line to the trace of the turn for which the code runs, such as what a tool did and how much it returned. 200 characters at
   * most, 50 lines in a turn; the rest is left out. Never words of people. Does nothing outside of a turn.
   */
  note(text: string): void
  /** The last messages of a conversation, oldest first, those of the bot (`own`) too. Default of `limit`: 50. */
  history(conversation: Omit<Conversation, 'id'>, limit?: number): Promise<readonly Message[]>
}
