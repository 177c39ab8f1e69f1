/**
 * Every public type of kikimimi, and `definePlugin`. Read this file first: the rest of the kernel
 * carries out what these types promise.
 *
 * A message arrives, passes the filters, is recorded once, and leads to a turn: one look at its
 * conversation. A turn goes through score → decide → context → respond → deliver → after.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { Models, Tool } from '../models/models.ts'
import type { Database } from '../storage/database/database.ts'
import type { Operator } from './operator.ts'

export type Awaitable<T> = T | PromiseLike<T>

// ---------------------------------------------------------------- what is said, where, by whom

/** Who may read along. `direct` is a conversation of one person with the bot. */
export type Visibility = 'public' | 'private' | 'direct'

/** A channel, or a thread in one. Turns are taken per conversation, one at a time. */
export interface Conversation {
  /** `platform/workspace/channel` or `platform/workspace/channel/thread`, each part URL-encoded. See {@link conversationId}. */
  readonly id: string
  readonly platform: string
  /** A Discord guild or a Slack workspace; `''` where the platform has none. */
  readonly workspace: string
  readonly channel: string
  readonly thread?: string
  /** What people call it, without `#`. */
  readonly name: string
  readonly visibility: Visibility
}

export interface Person {
  readonly id: string
  readonly name: string
  /** Another bot, a webhook or an app. */
  readonly bot?: boolean
}

/** A person, wherever they are spoken of: ids are unique within a platform. */
export interface PersonKey {
  readonly platform: string
  readonly id: string
}

export interface Attachment {
  readonly url: string
  readonly type?: string
  readonly name?: string
}

/** How a message calls on the bot. */
export type Address = 'mention' | 'reply' | 'name' | 'direct'

/** A message as a platform hands it to {@link PluginContext.receive}. */
export interface IncomingMessage {
  /** The platform's own id: the same event delivered twice carries the same id. Unique within the channel. */
  readonly id: string
  readonly conversation: Omit<Conversation, 'id'>
  readonly author: Person
  readonly text: string
  readonly at: Date
  /** Whom the message mentions. Without mentions of everyone or of roles. */
  readonly mentions?: readonly Person[]
  /** The message that this one answers. `author` where the platform tells it. */
  readonly replyTo?: { readonly id: string; readonly author?: string }
  readonly attachments?: readonly Attachment[]
  /** Its author is an admin: see {@link ChatCommand.permission}. As far as the platform knows that without asking. */
  readonly admin?: boolean
}

/** An emoji under a message, as people write it (`👍`, `:party:`), and who put it there. */
export interface Reaction {
  readonly emoji: string
  /** Ids of people. */
  readonly by: readonly string[]
}

/** A message as the bot keeps it. */
export interface Message {
  readonly id: string
  readonly author: Person
  readonly text: string
  readonly at: Date
  readonly mentions: readonly Person[]
  readonly replyTo?: string
  readonly attachments: readonly Attachment[]
  /** Said by the bot itself. Recorded, never judged. */
  readonly own: boolean
  /** Read later, from the platform's history: known, but nothing to judge. */
  readonly missed?: boolean
  /** How it calls on the bot; absent when it does not. */
  readonly addressed?: Address
  /** The bot's own among them. Absent when there are none. */
  readonly reactions?: readonly Reaction[]
}

// ---------------------------------------------------------------- a turn and what it makes

/** One look at a conversation, for the batch of messages that arrived since the last look. */
export interface Turn {
  readonly id: string
  readonly conversation: Conversation
  /** Since the last look, oldest first; never empty, and without the bot's own messages. */
  readonly messages: readonly Message[]
  /** The last of `messages` that addresses the bot, or else the last one: what a reply answers. */
  readonly message: Message
  /** Working memory, oldest first, the batch and the bot's own messages included. */
  readonly history: readonly Message[]
  readonly addressed?: Address
  /** When the bot last said something here. A reaction counts. */
  readonly lastReplyAt?: Date
  /** Who the bot is on this platform. */
  readonly me: Person
  /** Aborted when the work is no longer wanted: the stage's deadline passed, the bot stops, or something newer was said. */
  readonly signal: AbortSignal
}

export interface Score {
  /** Any finite number; the sum of a turn is clamped to 0…100. */
  readonly points: number
  /** A short reason, for people: "asks a question". */
  readonly why: string
}

/** What the scorers say together. */
export interface TotalScore {
  /** 0…100. */
  readonly points: number
  readonly parts: readonly (Score & { readonly plugin: string })[]
}

/** Silence is a value, so that no text can turn into it by accident, nor it into text. */
export type Decision =
  | { readonly kind: 'silent'; readonly why: string; readonly confidence?: number }
  | {
      readonly kind: 'react' | 'ack' | 'full'
      readonly why: string
      /** How long to wait before answering. A newer message here cancels the answer and judging starts over. */
      readonly delayMs?: number
      /** 0…1. */
      readonly confidence?: number
    }

export type Silence = Extract<Decision, { kind: 'silent' }>

export type DecisionToSpeak = Exclude<Decision, Silence> & {
  /** Who decided. Absent when nobody did, and the bot was addressed. */
  readonly plugin?: string
}

/** Where a section stands in the prompt, from wide to narrow. */
export const PLACES = ['workspace', 'whereabouts', 'channel', 'thread', 'situation', 'person', 'facts', 'other'] as const

/** A titled piece of prompt. */
export interface Section {
  /** Its heading. One in brackets, `【…】`, stands as it is, with the text right below. */
  readonly title: string
  readonly text: string
  readonly place: (typeof PLACES)[number]
  /** When the sections do not fit the token budget, the lightest is dropped first. Default 1. */
  readonly weight?: number
}

/** The context that the responders get: sections in order, already fitted to the budget. */
export interface Context {
  readonly sections: readonly Section[]
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string /** Quote or thread under this message. */; readonly replyTo?: string }
  | { readonly kind: 'reaction'; readonly emoji: string /** Default: `turn.message`. */; readonly to?: string }

// ---------------------------------------------------------------- the stages

/**
 * The places in the pipeline that a plugin can fill. How several plugins combine belongs to the stage:
 *
 * | stage   | combination                                                   | an error or a timeout means      |
 * |---------|---------------------------------------------------------------|----------------------------------|
 * | filter  | in order, the first reason drops                               | dropped                          |
 * | onDropped | all at once                                                  | logged                           |
 * | address | in order, the first answer stands                              | does not address, says this one  |
 * | score   | all at once, points add up, clamped 0…100                      | no points from this one          |
 * | decide  | in order, the first decision stands; else full if addressed, silent otherwise | silent; the next when addressed |
 * | context | all at once, sorted by place, the lightest dropped to fit      | left out                         |
 * | respond | in order, the first reply stands                               | the next; none left: silent, or the apology when addressed |
 * | beforeSend | in order, the first reason withholds                        | still wanted, says this one      |
 * | after   | all at once, every turn, silent ones too                       | logged                           |
 */
export interface Stages {
  /**
   * On arrival. A reason drops the message: it is not recorded and never judged. The reason is told to other plugins, and people
   * read it: it names nobody and quotes nothing.
   */
  filter?(message: IncomingMessage, call: Call): Awaitable<string | void>
  /** A message was dropped, by a filter or by `listen`. Nothing waits for this. */
  onDropped?(drop: Drop, call: Call): Awaitable<void>
  /** On arrival, when neither a mention nor a reply calls on the bot: does the message do it in another way? */
  address?(message: IncomingMessage, call: Call): Awaitable<Address | void>
  score?(turn: Turn): Awaitable<Score | readonly Score[] | void>
  decide?(turn: Turn, score: TotalScore, call: DecideCall): Awaitable<Decision | void>
  /** At most once in a turn. While a decider still asks, `decision` is what it may come to: `full`. */
  context?(turn: Turn, decision: DecisionToSpeak): Awaitable<Section | readonly Section[] | void>
  /** Silence is an answer too: no other responder is asked, and nobody gets an apology. */
  respond?(turn: Turn, decision: DecisionToSpeak, context: Context): Awaitable<Reply | Silence | void>
  /**
   * The answer is ready, and people have said something since the batch: a reason to keep it to oneself. An unasked
   * answer is withdrawn without asking.
   */
  beforeSend?(turn: Turn, news: readonly Message[], reply: Reply): Awaitable<string | void>
  after?(turn: Turn, trace: Trace): Awaitable<void>
}

export type Stage = keyof Stages

/** That a message was dropped: where, when and why. Not what it says, nor who said it: that is nobody's to read. */
export interface Drop {
  readonly platform: string
  /** Absent where somebody is alone with the bot: it would say who. */
  readonly conversation?: Conversation
  /** When it arrived. */
  readonly at: Date
  /** Whose filter it was; absent when `listen` in bot.config.ts leaves it out. */
  readonly plugin?: string
  /** A short reason, for people. */
  readonly why: string
}

export interface Call {
  /** Aborted when the deadline of the stage has passed or the bot stops. */
  readonly signal: AbortSignal
}

export interface DecideCall {
  /** What the context providers know, for a decider that needs it. The responders get the same. Never rejects. */
  context(): Promise<Context>
}

// ---------------------------------------------------------------- the trace

export type Outcome =
  /** Decided to say nothing, or the responder did: then `why` tells. */
  | 'silent'
  /** Decided to answer later; another turn follows. */
  | 'delayed'
  /** Sent. */
  | 'replied'
  /** Something newer was said, or the trigger is gone: not sent. */
  | 'cancelled'
  /** Wanted to answer, and could not. */
  | 'failed'

/** Everything that happened to a turn and why. Holds no message text. */
export interface Trace {
  readonly turn: string
  readonly conversation: string
  readonly at: Date
  readonly messages: readonly string[]
  readonly trigger: string
  readonly addressed?: Address
  readonly score?: TotalScore
  readonly decision?: Decision & { readonly plugin?: string }
  readonly sections: readonly {
    readonly title: string
    readonly plugin: string
    readonly tokens: number
    readonly kept: boolean
  }[]
  readonly models: readonly ModelCall[]
  readonly reply?: { readonly kind: Reply['kind']; readonly plugin: string; readonly length: number }
  readonly sent: readonly string[]
  readonly outcome: Outcome
  /** Why a turn that wanted to speak did not. */
  readonly why?: string
  /** Which plugin says so: one that withdrew the answer, or would rather be silent. Absent when the kernel does. */
  readonly by?: string
  readonly problems: readonly { readonly plugin: string; readonly stage: string; readonly message: string }[]
  /** Milliseconds spent in each stage, by the bot's clock. */
  readonly ms: Readonly<Record<string, number>>
}

export interface ModelCall {
  readonly role: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
  readonly attempts: number
  /** In the currency of the prices in bot.config.ts; absent for a model without a price. */
  readonly cost?: number
  readonly error?: string
}

// ---------------------------------------------------------------- platforms

/** What a platform can do, stated as values: the kernel knows no platform by name. */
export interface PlatformLimits {
  /** The longest text of one message, in UTF-16 code units. Longer replies are split. */
  readonly textLength: number
}

/** A message on its way out. */
export interface Outgoing {
  readonly text: string
  readonly replyTo?: string
  /** The message that it answers, whether it quotes it or not; absent for what is said unasked, and for all parts but the first. */
  readonly answers?: string
  /** The same for every attempt to send the same message, so that a platform can refuse the second. At most 25 characters. */
  readonly nonce: string
}

/** Where a message came to stand. */
export interface Posted {
  readonly id: string
  /** A quoted answer may open a thread: the bot's words are then remembered there. */
  readonly thread?: string
}

/**
 * A place where people talk. A plugin returns one from `setup` and hands in what it hears with `ctx.receive`.
 * Every method may throw; the kernel decides what that means.
 */
export interface Platform {
  /** `discord`, `slack`, `terminal`: the first part of conversation ids. */
  readonly name: string
  /** The bot's own account here; its id may be empty until `start` has resolved. */
  readonly me: Person
  readonly limits: PlatformLimits
  /**
   * True when sending twice with one nonce within two minutes posts once. A message that was on its way when the process
   * died less long ago is then sent again; otherwise it is given up, because twice is worse than not at all.
   */
  readonly idempotent?: boolean
  /**
   * Connects. Called once every plugin is set up; messages may be received from then on. `signal`: nothing more is taken in, for
   * the bot stops, or this plugin restarts.
   */
  start?(signal: AbortSignal): Awaitable<void>
  /** Why it hears nothing right now; nothing when it does. The bot is then not ready. */
  unready?(): string | undefined
  /** Resolves when no more messages will come (standard input ended). The bot stops when all platforms are closed. */
  readonly closed?: Promise<void>
  /** True: it does not keep the bot running when all others are closed. Where there is no other it does. */
  readonly companion?: boolean
  /** Posts one message. Must not let `@everyone` or a role mention fire. Returns the platform's id, and `thread` when it stands in another than asked. */
  send(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<Posted>
  react?(conversation: Conversation, message: string, emoji: string, signal: AbortSignal): Promise<void>
  /** Shows that the bot is thinking. Returns what ends it; called exactly once, whatever happens. */
  typing?(conversation: Conversation, signal: AbortSignal): Awaitable<() => void>
  /**
   * Fetches a picture where that needs the platform's own token, or its own network. Without this the kernel fetches it,
   * over https and from public addresses only. The kernel looks after type and size. A token is for the platform's own
   * hosts: what a message links to may be anybody's.
   */
  fetchAttachment?(attachment: Attachment, signal: AbortSignal): Promise<Response>
  /** Messages before or after a point, oldest first. */
  history?(
    conversation: Conversation,
    range: { readonly after?: string; readonly before?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly IncomingMessage[]>
  /** Where the bot can hear: channels, and threads that are open. Those it has never heard are caught up too. */
  channels?(signal: AbortSignal): Promise<readonly Omit<Conversation, 'id'>[]>
}

// ---------------------------------------------------------------- services

declare const lent: unique symbol

/** A typed thing that one plugin lends to others. Compared by name, so two copies of a package agree. */
export interface Service<T> {
  readonly name: string
  /** The package that usually provides it, for the message when nobody does. */
  readonly from?: string
  readonly [lent]?: T
}

/** @example export const Facts = service<FactStore>('facts', '@kikimimi/facts') */
export function service<T>(name: string, from?: string): Service<T> {
  return from === undefined ? { name } : { name, from }
}

// ---------------------------------------------------------------- what a running bot lends to a plugin

export interface Persona {
  readonly name: string
  /** What people call the bot, its name included. */
  readonly names: readonly string[]
  /** Who the bot is, in its own prompt. */
  readonly prompt: string
}

export type Locale = 'en' | 'ja'

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
  /** Takes back what is pending under the key. What already runs goes on. */
  cancel(key: string): Promise<void>
}

/** What a running bot lends to one plugin, whose options are `O`. */
export interface PluginContext<O = unknown> {
  readonly persona: Persona
  readonly locale: Locale
  readonly log: Logger
  /** "Now" is always this clock, in SQL too: pass it as a parameter. */
  readonly clock: Clock
  /** 0 ≤ x < 1. Tests and replays seed it. */
  readonly random: () => number
  /** Tables of the plugin, and the views of docs/database.md. Throws DATABASE_NONE where there is none: see `hasDatabase`. */
  readonly db: Database
  /** Whether the bot has a database; without one it keeps messages in memory. */
  readonly hasDatabase: boolean
  /** Where people talk: every platform, once all plugins are set up. */
  readonly platforms: readonly Platform[]
  /** Where the bot's HTTP server listens, if it runs: see `PluginHooks.routes`. */
  readonly http: { readonly host: string; readonly port: number }
  readonly models: Models
  /** The tools of every plugin, for a model that can call them. */
  readonly tools: readonly Tool[]
  /** Whatever opens goes in here on the same line; undone in reverse when the bot stops, or this plugin restarts. */
  readonly scope: AsyncDisposableStack
  /**
   * The options where a conversation is: what `setup` got, in their place what bot.config.ts says for there, and in the place
   * of that what was set there in the chat. See `scoped` and `settings`.
   */
  optionsFor(conversation: Conversation): O
  /** A service listed in `needs`. */
  use<T>(service: Service<T>): T
  /** A service that somebody may lend, or nobody. Call it in a stage: in `setup` who lends it may not be there yet. */
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
  /** The bot cannot go on and has to be started anew: it becomes unready and ends. The message says what to do. */
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
  /** Somebody put an emoji under a message, or took it back. Kept with the message; leads to no turn. */
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

export interface ReactionChange {
  /** As people write it: `👍`, `:party:`. */
  readonly emoji: string
  /** The id of the person. */
  readonly by: string
  readonly removed?: boolean
}

/** A number of seconds, or `'90s'`, `'5m'`, `'1h'`, `'30d'`, `'500ms'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

// ---------------------------------------------------------------- a plugin

export interface PluginHooks extends Stages {
  readonly platform?: Platform
  readonly tools?: readonly Tool[]
  readonly commands?: readonly ChatCommand[]
  /** A line of `/kiki status`: how this plugin stands in a conversation. Nothing when there is nothing to tell. */
  status?(call: CommandCall): Awaitable<string | void>
  /**
   * Adds routes to the bot's HTTP server, which then runs: by default on 127.0.0.1:8787. Called anew, with another server, when
   * plugins restart. A plugin with routes says so in `servesHttp`.
   */
  routes?(server: FastifyInstance): Awaitable<void>
  /**
   * Deletes what this plugin keeps of a person: their words, what was made of them, and their names. The message log still
   * has all of it: the kernel deletes that last. Called anew until it succeeds, so it may find half of it done.
   */
  forget?(person: ForgottenPerson, signal: AbortSignal): Awaitable<void>
}

/** Somebody who wants to be forgotten. */
export interface ForgottenPerson extends PersonKey {
  /** What they were called, in the message log. */
  readonly names: readonly string[]
  /** What was said after this is not meant. */
  readonly before: Date
}

/**
 * A command in the chat, `/kiki NAME …`: answered at once, where the platform can for its author alone. It is no message: not
 * recorded, never judged, and works where the bot does not listen.
 */
export interface ChatCommand {
  /** Lower-case words with hyphens, unique in a bot. */
  readonly name: string
  /** For `/kiki help`: what it does, in a few words. */
  readonly does: Readonly<Record<Locale, string>>
  /** For `/kiki help`: what may follow the name, such as `[for]`. */
  readonly usage?: string
  /**
   * A moderator is who may change the channel or the workspace, an admin who may change the workspace. In a direct conversation
   * its person is both, on a console everybody.
   */
  readonly permission: 'everyone' | 'moderator' | 'admin'
  /**
   * Whether what follows the name makes sense to it; if not, all of it is said to the bot: "/kiki stop joking". Default: anything
   * does where there is a `usage`, and nothing but the bare name where there is none.
   */
  takes?(text: string): boolean
  /** Returns the answer. When it throws, or takes more than 20 s, people are told in a sentence that it failed. */
  run(call: CommandCall): Awaitable<string>
}

export interface CommandCall {
  readonly conversation: Conversation
  readonly person: Person
  /** What follows the name. */
  readonly text: string
  readonly words: readonly string[]
  /** The language of the answer. */
  readonly locale: Locale
  readonly at: Date
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A command as a platform hands it to {@link PluginContext.command}. */
export interface GivenCommand {
  readonly conversation: Omit<Conversation, 'id'>
  readonly person: Person
  /** All that follows `/kiki`. */
  readonly text: string
  /** Whether they may change what the bot does in the channel. Asked only where it matters; rejecting means no. */
  moderator(): Awaitable<boolean>
  /** The same of the whole workspace. */
  admin(): Awaitable<boolean>
  /** The language of their client, where the platform tells it. */
  readonly locale?: Locale
}

/** Something that was set in the chat. */
export interface Setting {
  /** The id of a channel, as {@link channelOf} gives it. */
  readonly place: string
  readonly plugin: string
  readonly key: string
  readonly value: unknown
  /** Who set it; without a name once they are forgotten. */
  readonly by: Person
  readonly at: Date
}

/** Options that were set in the chat: the narrowest of all layers, kept in the bot's database, or in memory where there is none. */
export interface StoredSettings {
  /** Throws OPTIONS_INVALID for what the plugin's schema refuses, and for an option that is not among its `scoped`. */
  set(setting: Omit<Setting, 'at'>): Promise<void>
  clear(setting: Pick<Setting, 'place' | 'plugin' | 'key'>): Promise<void>
  /** Those of a place, or all. */
  list(place?: string): readonly Setting[]
}

/** A command of `kikimimi`, beside the kernel's own. The bot is set up for it, with its database and services, and does not listen. */
export interface CliCommand {
  /** One lower-case word: `kikimimi NAME …`. */
  readonly name: string
  /** For `--help`: each way to call it, and what that does. */
  readonly usage: readonly { readonly call: string; readonly does: string }[]
  /** Throws a KikimimiError with code USAGE when it is called in another way. */
  run(ctx: PluginContext, args: readonly string[], out: CliOutput): Awaitable<void>
}

export interface CliOutput {
  /** One line on standard output. */
  print(line: string): void
  /** `--json` was given: print one JSON value a line. */
  readonly json: boolean
}

/** Something that was looked at before a start. */
export interface Finding {
  /** What is there, or what it is about. */
  readonly what: string
  /** What is wrong with it, and what to do. Never a secret. */
  readonly problem?: string
}

/** Known before start: data. Needs a running bot: `setup`. */
export interface PluginDefinition<S extends StandardSchemaV1 = StandardSchemaV1, K extends string = string> {
  /** Lower-case words with hyphens, unique in a bot. Also its Postgres schema, with underscores. */
  readonly name: string
  /** Any Standard Schema (zod, valibot, arktype). All mistakes are told at once, before anything starts. */
  readonly options?: S
  /** Resolved before `setup`. */
  readonly needs?: readonly Service<unknown>[]
  readonly provides?: readonly Service<unknown>[]
  /** A folder of plain SQL files `001-name.sql`, run once each, in order. `new URL('../storage/migrations/', import.meta.url)` */
  readonly migrations?: URL
  /** Keeps what was said for later. A replay leaves it out, and who needs a service of it. */
  readonly remembers?: boolean
  /** Whether it cannot do without its tables, with these options. Default: it cannot. Where no plugin needs one, a replay opens no database. */
  needsDatabase?(options: StandardSchemaV1.InferOutput<S>): boolean
  /** Whether it has routes, with these options: see `PluginHooks.routes`. For `kikimimi check`, and for replays, which leave it out. Default: it has none. */
  servesHttp?(options: StandardSchemaV1.InferOutput<S>): boolean
  /** A folder `en/`, `ja/` of Markdown files. `new URL('./prompts/', import.meta.url)` */
  readonly prompts?: URL
  /** How the bot is brought to where people talk, for `kikimimi invite`: a link with a sentence. Nothing is running then. */
  invite?(options: StandardSchemaV1.InferOutput<S>): Awaitable<string>
  /** Whether it could do its work, for `kikimimi check`: are the tokens accepted, may they do enough? Nothing is running then. */
  check?(options: StandardSchemaV1.InferOutput<S>): Awaitable<readonly Finding[]>
  readonly cli?: readonly CliCommand[]
  /** Options that may differ from place to place: those that the plugin reads with `ctx.optionsFor`. */
  readonly scoped?: readonly K[]
  setup(
    ctx: PluginContext<StandardSchemaV1.InferOutput<S>>,
    options: StandardSchemaV1.InferOutput<S>,
  ): Awaitable<PluginHooks | void>
}

/** Options for some places. The narrower wins: a thread's over its channel's, a channel's over its workspace's. */
export interface Overrides<O> {
  /** By id. */
  readonly workspaces?: Readonly<Record<string, O>>
  /** By name or id; with their threads. */
  readonly channels?: Readonly<Record<string, O>>
  /** By id. */
  readonly threads?: Readonly<Record<string, O>>
}

/** A plugin with the options that bot.config.ts gave it. */
export interface Plugin {
  readonly definition: PluginDefinition
  readonly options: unknown
  readonly overrides?: Overrides<Readonly<Record<string, unknown>>>
}

/** Calling it gives it options; left uncalled in `plugins` it runs with its defaults. */
export interface PluginFactory<In, K extends string = never> {
  (...options: undefined extends In ? [options?: In, places?: Places<In, K>] : [options: In, places?: Places<In, K>]): Plugin
  readonly definition: PluginDefinition
}

type Places<In, K extends string> = Overrides<Partial<Pick<NonNullable<In>, K & keyof NonNullable<In>>>>

/**
 * Defines a plugin.
 *
 * @example
 * export default definePlugin({
 *   name: 'question',
 *   options: z.object({ points: z.number().min(0).max(100).default(20) }).prefault({}),
 *   setup: (_app, { points }) => ({
 *     score: ({ messages }) =>
 *       messages.some(m => /[?？]\s*$/u.test(m.text)) ? { points, why: 'asks a question' } : undefined,
 *   }),
 * })
 */
export function definePlugin<
  S extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  const K extends keyof NonNullable<StandardSchemaV1.InferInput<S>> & string = never,
>(definition: PluginDefinition<S, K>): PluginFactory<StandardSchemaV1.InferInput<S>, K> {
  // The schema's types have done their work at the caller; the kernel goes by what it validates.
  const erased = definition as unknown as PluginDefinition
  const make = (options?: unknown, overrides?: NonNullable<Plugin['overrides']>): Plugin => ({
    definition: erased,
    options,
    ...(overrides && { overrides }),
  })
  return Object.assign(make, { definition: erased })
}

/** The id of a conversation: its parts, URL-encoded, joined by `/`. */
export function conversationId({ platform, workspace, channel, thread }: Omit<Conversation, 'id'>): string {
  const parts = [platform, workspace, channel]
  if (thread !== undefined) parts.push(thread)
  return parts.map(encodeURIComponent).join('/')
}

/** The id of the channel that a conversation is in: its own, without the thread. Message ids are unique there. */
export function channelOf({ id, thread }: Conversation): string {
  return thread === undefined ? id : id.slice(0, id.lastIndexOf('/'))
}
