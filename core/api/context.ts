/** What a running bot gives to a plugin. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Duration } from '../base/duration.ts'
import type { Locale } from '../base/locale.ts'
import type { Logger } from '../base/log.ts'
import type { ChatCommand, GivenCommand } from './commands.ts'
import type { Database } from './database.ts'
import type { Attachment, Conversation, IncomingMessage, Message, PersonKey, ReactionChange } from './message.ts'
import type { Models, Tool } from './models.ts'
import type { Operator } from './operator.ts'
import type { StoredSettings } from './options.ts'
import type { Platform } from './platform.ts'
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

/** What a running bot lends to one plugin, whose options are `O`. */
export interface PluginContext<O = unknown> {
  /** The name and the character of the bot. */
  readonly persona: Persona
  /** The language of the bot: `locale` of bot.config.ts. */
  readonly locale: Locale
  /** The log of the plugin. Lines bear its name. Never write what people say into it. */
  readonly log: Logger
  /** "Now" is always this clock, in SQL too: pass it as a parameter. */
  readonly clock: Clock
  /** 0 ≤ x < 1. Tests and replays seed it. */
  readonly random: () => number
  /** Throws DATABASE_NONE where there is none: see `hasDatabase`. */
  readonly db: Database
  /** Whether the bot has a database; without one it keeps messages in memory. */
  readonly hasDatabase: boolean
  /** Where people talk: every platform, once all plugins are set up. */
  readonly platforms: readonly Platform[]
  /** Where the bot's HTTP server listens, if it runs: see `PluginHooks.routes`. */
  readonly http: { readonly host: string; readonly port: number }
  /** The models of bot.config.ts, with deadlines, retries, breakers and the budget. */
  readonly models: Models
  /** The tools of every plugin, for a model that can call them. */
  readonly tools: readonly Tool[]
  /** Put everything that opens into it on the same line. It is closed in reverse order when the bot stops or the plugin restarts. */
  readonly scope: AsyncDisposableStack
  /**
   * The options where a conversation is: what `setup` got, in their place what bot.config.ts says for there, and in the place
   * of that what was set there in the chat. See `scoped` and `settings`.
   */
  optionsFor(conversation: Conversation): O
  /** A service listed in `needs`. */
  use<T>(service: Service<T>): T
  /** A service that may be missing. Call it in a stage, because its provider may be set up later. */
  find<T>(service: Service<T>): T | undefined
  /** Lends a service listed in `provides`. Call it in `setup`. */
  provide<T>(service: Service<T>, value: T): void
  /** The prompt `prompts/<locale>/<name>.md` with its `{{values}}` filled in. A file `prompts/<plugin>/<locale>/<name>.md` beside bot.config.ts wins. */
  prompt(name: string, values?: Readonly<Record<string, string>>, locale?: Locale): string
  /** Declares a kind of job. Call it in `setup`. */
  job<P>(name: string, run: (payload: P, signal: AbortSignal) => Awaitable<void>, options?: JobOptions): Job<P>
  /** Runs once in each interval for the whole deployment, however many processes run. At least one second. Call it in `setup`. */
  every(name: string, interval: Duration, run: (signal: AbortSignal) => Awaitable<void>): void
  /**
   * Remembers how far each conversation of this platform has been read. Call it when the connection begins and
   * whenever it is lost; the returned function, called once it stands again, reads with `platform.history` what was
   * said meanwhile, up to 500 messages each in the 200 conversations heard last. Those are recorded and not judged;
   * who addressed the bot not longer ago than `listen.missed` is answered.
   *
   * @param only of those conversations alone: where this process is one of several that each hear a part
   */
  trackPosition(platform: string, only?: (conversation: Omit<Conversation, 'id'>) => boolean): Promise<() => Promise<void>>
  /** Ends the bot, which cannot continue and has to be restarted. The message of the error says what to do. */
  fail(error: Error): void
  /**
   * Hands in a message. Resolves once it is recorded (or dropped): acknowledge after that. Wait for it before the
   * next message of the same channel, or they may be recorded in another order.
   */
  receive(message: IncomingMessage): Promise<void>
  /**
   * Looks for STOP and START of an admin in a message, at once. {@link receive} does so too: this is for a platform that
   * hands messages in one after the other, so that none waits behind what cannot be recorded. Nothing happens once the bot has
   * stopped.
   */
  heed(message: IncomingMessage): void
  /** The text of a message changed. */
  edit(conversation: Omit<Conversation, 'id'>, message: string, text: string): Promise<void>
  /**
   * A command that somebody has given in the chat, `status` or `quiet 1h`: see `PluginHooks.commands`. Nothing when there is
   * no such command, and the text is to be taken for a message to the bot. Known at once, so that a platform can acknowledge
   * it for its author alone; what is returned never rejects. Throws MESSAGE_INVALID, and STOPPED.
   */
  command(given: GivenCommand): Promise<string> | undefined
  /** The commands of the chat: the kernel's own, and those of every plugin. Complete once the bot runs. */
  readonly commands: readonly ChatCommand[]
  /** What was set in the chat, for a dashboard and for commands. */
  readonly settings: StoredSettings
  /** How the bot stands, for those who run it. */
  readonly operator: Operator
  /** A message was deleted: it leaves working memory, and a reply to it is no longer sent. */
  remove(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
  /** A person added a reaction or removed it. It is kept with the message and leads to no turn. */
  reaction(conversation: Omit<Conversation, 'id'>, message: string, change: ReactionChange): Promise<void>
  /**
   * Says something unasked. Resolves with the ids of what was posted; rejects when it could not be sent.
   * Not inside `ctx.db.transaction`.
   */
  send(conversation: Omit<Conversation, 'id'>, reply: Reply): Promise<readonly string[]>
  /**
   * Forgets a person: everything that the plugins and the kernel keep of what they said until now, their names, and what
   * others and the bot said with their words. Resolves once that is sure to happen, after a crash too.
   */
  forget(person: PersonKey): Promise<void>
  /** The last messages of a conversation, oldest first. */
  history(conversation: Omit<Conversation, 'id'>, limit?: number): Promise<readonly Message[]>
  /**
   * The pictures among the attachments (PNG, JPEG, WebP; four at most, of 5 MB each) as data URLs, for
   * `ModelRequest.messages[].images`. Those that cannot be had are left out.
   */
  images(conversation: Conversation, attachments: readonly Attachment[], signal?: AbortSignal): Promise<readonly string[]>
}
