/** Platforms: places where people talk. */

import type { Awaitable } from '../base/awaitable.ts'
import type { GivenCommand } from './commands.ts'
import type { PluginContext } from './context.ts'
import type { Attachment, Conversation, IncomingMessage, MessageEdit, Person, Persona, ReactionChange } from './message.ts'
import { service } from './service.ts'

/** The limits of a platform. The kernel contains no name of a platform. */
export interface PlatformLimits {
  /** The longest text of one message, in UTF-16 code units. Longer replies are split. */
  readonly textLength: number
}

/** A button under an answer of the bot: see {@link ChatCommand.on}. */
export interface Handle {
  /** The name of its command. A platform passes it to {@link PlatformContext.command} with the id of the message. */
  readonly command: string
  /** The words on the button. */
  readonly label: string
  /** The emoji on the button. */
  readonly emoji: string
}

/** A message that the bot sends. */
export interface Outgoing {
  /** The text, not longer than `limits.textLength`. */
  readonly text: string
  /** The id of the message to quote, or under which to open a thread. Absent: none. */
  readonly replyTo?: string
  /**
   * The id of the message that it answers, quoted or not. Absent for an unasked message, and for all parts except the
   * first.
   */
  readonly answers?: string
  /** True: further parts of the same answer follow. They go to the place where this one was posted. */
  readonly hasMore?: boolean
  /**
   * The people to notify. `withMentions` of `kikimimi/platform` gives the places of their mentions. Other mentions in the text, such as
   * `@everyone`, must not notify. Absent: no one is notified.
   */
  readonly notify?: readonly Person[]
  /**
   * The nonce: equal for each attempt to send this message, so that a platform can refuse the second. At most 25
   * characters.
   */
  readonly nonce: string
  /**
   * Under whose name and picture (an address) it is posted, where the persona of the place has another name than the bot. The message is
   * still one of the bot's account. A platform that shows one name only ignores it. Absent: under those of the account.
   */
  readonly as?: Pick<Persona, 'name' | 'picture'>
  /** The buttons under it, for a platform that can show them. Absent: none. */
  readonly handles?: readonly Handle[]
}

/** Where a message was posted. */
export interface Posted {
  /** The id of the posted message on the platform. */
  readonly id: string
  /**
   * The thread in which the message was posted. A quoted answer may open a thread; the bot then records its message there.
   */
  readonly thread?: string
}

/** What a person is in a workspace. */
export interface Membership {
  /** `guest`: an account with fewer rights, or a person of another workspace. */
  readonly rank: 'owner' | 'admin' | 'member' | 'guest'
  /** The roles or user groups of the person, each with its id and its names. Rejects when they cannot be known now. */
  roles(): Awaitable<readonly { readonly id: string; readonly names: readonly string[] }[]>
}

/**
 * A place where people talk. A plugin returns one from `setup` and passes messages to {@link PlatformContext.receive}.
 * Every method may throw; the kernel handles it.
 */
export interface Platform {
  /** `discord`, `slack`, `terminal`: the first part of conversation ids. */
  readonly name: string
  /** The bot's own account here; its id may be empty until `start` has resolved. */
  readonly me: Person
  /**
   * The bot's account in one conversation. Absent: `me` everywhere. A platform whose account differs by workspace tells messages of
   * the bot and mentions of it by this account. `undefined`: the bot was removed there, and its turns end without an answer. Rejects
   * when it cannot be known now.
   */
  meIn?(conversation: Omit<Conversation, 'id'>): Awaitable<Person | undefined>
  /** What the platform accepts. */
  readonly limits: PlatformLimits
  /**
   * Splits a text into messages, for a platform that counts something else than characters, such as bytes or lines. None is empty or
   * longer than `limits.textLength`. Absent: the text is split by `limits.textLength` alone.
   */
  split?(conversation: Conversation, text: string): readonly string[]
  /**
   * True: two sends with one nonce within two minutes post once. The bot then repeats a send whose result it does not know, within
   * that time. A function says it of one conversation, where posts differ: such as those under the name of a persona.
   */
  readonly idempotent?: boolean | ((conversation: Conversation) => boolean)
  /**
   * Connects. Runs when every plugin is set up. Messages may arrive from then on. `signal` aborts when the bot stops or
   * this plugin restarts: the bot then takes no more messages.
   */
  start?(signal: AbortSignal): Awaitable<void>
  /** Why the platform receives no messages now; the bot is then not ready. `undefined`: it receives them. */
  unready?(): string | undefined
  /** Resolves when no more messages will come (standard input ended). The bot stops when all platforms are closed. */
  readonly closed?: Promise<void>
  /** True: the platform does not keep the bot running after all others are closed. It does when it is the only one. */
  readonly companion?: boolean
  /**
   * Posts one message, which notifies the people of `notify` only. Returns the platform's id, and `thread`
   * when the message is in another thread than requested.
   *
   * What an error means for the message:
   * - with `retryAfterMs` (milliseconds, also on one of its causes): it is not posted. The bot waits and sends it again.
   * - with the code PLATFORM_UNAVAILABLE, and those of the network, such as of `fetch`: whether it is posted is unknown. The bot sends it
   *   again where that cannot post it twice: see `idempotent` and `find`.
   * - any other: it is refused for good.
   *
   * The bot sends a message again until it is as old as `sendWithin` in bot.config.ts.
   */
  send(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<Posted>
  /**
   * Looks for a message of the bot that may have been posted since a time, by its nonce. `undefined`: it was not posted. Rejects when
   * that cannot be known now. Absent: the bot gives up a message of which it does not know whether it was posted, because a missing
   * message is better than a double one.
   */
  find?(
    conversation: Conversation,
    message: Pick<Outgoing, 'text' | 'nonce' | 'replyTo' | 'answers' | 'notify'> & { readonly since: Date },
    signal: AbortSignal,
  ): Promise<Posted | undefined>
  /**
   * Replaces the text of a message of the bot. Resolves with false when there is no such message any more. Errors mean the same as
   * for {@link send}; a repeated call does no harm. Absent: a message stays as it was sent.
   */
  edit?(
    conversation: Conversation,
    message: string,
    to: Pick<Outgoing, 'text' | 'handles'>,
    signal: AbortSignal,
  ): Promise<boolean>
  /** Deletes a message of the bot. Resolves when there is no such message any more. Absent: a message stays. */
  delete?(conversation: Conversation, message: string, signal: AbortSignal): Promise<void>
  /** Whether an answer there has buttons: see {@link Handle}. Absent: no. */
  showsHandles?(conversation: Conversation): boolean
  /**
   * Whether people see an answer there while it is written: a message that is edited once a second. Needs {@link edit} and
   * {@link delete}. Absent: no.
   * @param answers the id of the message that is answered
   */
  streams?(conversation: Conversation, answers: string): Awaitable<boolean>
  /** Adds a reaction to a message. Absent: the platform has no reactions. */
  react?(conversation: Conversation, message: string, emoji: string, signal: AbortSignal): Promise<void>
  /**
   * Shows that the bot is thinking. Returns the function that ends it. The kernel calls that function exactly once.
   * @param answers the id of the message that is answered
   */
  typing?(conversation: Conversation, signal: AbortSignal, answers: string): Awaitable<() => void>
  /**
   * Fetches a file that needs the platform's own token or network. Absent: the kernel fetches it, over https and from
   * public addresses only. The kernel checks type and size. Send the token only to the platform's own hosts, because a
   * message can link to any host. `conversation`: where the file was sent, for a platform with a token for each workspace.
   */
  fetchAttachment?(attachment: Attachment, signal: AbortSignal, conversation: Conversation): Promise<Response>
  /**
   * Messages of the conversation before or after a point, oldest first: those next to the point, or the latest without one. An
   * error with `retryAfterMs` (milliseconds, also on one of its causes) makes the bot wait before it reads again.
   */
  history?(
    conversation: Conversation,
    range: { readonly after?: string; readonly before?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly IncomingMessage[]>
  /**
   * One message by its id, from the channel of the conversation: the root of a thread, or a message that another one answers.
   * `undefined`: it was deleted, or it never existed. Rejects when it cannot be read, with `retryAfterMs` as for `history`.
   */
  message?(conversation: Conversation, id: string, signal: AbortSignal): Promise<IncomingMessage | undefined>
  /**
   * The pinned messages of a channel as they are now, the latest pin first. Rejects when they cannot be read, with `retryAfterMs` as for
   * `history`. Absent: the platform has no pinned messages.
   */
  pins?(conversation: Conversation, signal: AbortSignal): Promise<readonly IncomingMessage[]>
  /**
   * The address at which people see a message of a channel or a thread, such as `https://discord.com/channels/…`. `undefined`: it has
   * none. Rejects when it cannot be known now. Absent: the platform has no addresses of messages.
   */
  link?(conversation: Omit<Conversation, 'id'>, message: string, signal: AbortSignal): Awaitable<string | undefined>
  /**
   * What a person is in the workspace of a conversation, not more than a minute old. `undefined`: the person does not belong to it, or
   * the conversation has no workspace. Rejects when it cannot be known now: the person may then do nothing that a rank or a role
   * allows. Absent: the platform has no ranks and roles.
   */
  membership?(conversation: Conversation, person: Person, signal: AbortSignal): Awaitable<Membership | undefined>
  /**
   * The direct conversation of the bot with a person of a workspace, opened if there is none yet. Rejects when it cannot be opened.
   * Absent: the platform has no direct messages.
   */
  direct?(workspace: string, person: Person, signal: AbortSignal): Awaitable<Omit<Conversation, 'id'>>
  /** True: only the operator of the bot can write here, so that `access` of bot.config.ts does not apply. Default: false. */
  readonly isConsole?: boolean
  /**
   * Where the bot can hear: channels, and threads that are open. Those it has never heard are caught up too, and {@link Channels} finds
   * channels here.
   */
  channels?(signal: AbortSignal): Promise<readonly Omit<Conversation, 'id'>[]>
}

/**
 * How urgent an event is when not all can be taken. `call`: it addresses the bot, or deletes a message. `talk`: another message.
 * `change`: an edit or a reaction.
 */
export type ArrivalKind = 'call' | 'talk' | 'change'

/** An event of a platform, as far as it is known without a look-up. */
export interface Arrival extends Pick<IncomingMessage, 'id' | 'conversation' | 'at'> {
  /** What it is, as far as the platform can tell. */
  readonly kind: ArrivalKind
  /** The text of a message. `talk` that contains a name of the bot counts as a call. */
  readonly text?: string
}

/** A place among the events that wait. Dispose it when the event is handled, or will not be. */
export interface Slot extends Disposable {
  /** Resolves when it is the turn of this event. {@link PlatformContext.receive} waits for it. */
  begin(): Promise<void>
}

/** How a message reaches the bot. */
export interface ReceiveOptions {
  /** The result of {@link PlatformContext.admit}. Default: the bot looks for a place itself. */
  readonly slot?: Slot
  /**
   * True: the message was written while the bot was not connected, on a platform that delivers such events later: from a queue, or
   * after a cursor. It is recorded and not judged, and needs no slot; the bot answers a mention that is not older than `listen.missed`. A
   * platform that does not deliver them, and has `history`, uses {@link PlatformContext.trackPosition}. Default: false.
   */
  readonly missed?: boolean
}

/** What a running bot gives to a platform plugin: see `definePlatform`. Its methods do not work during `setup`. */
export interface PlatformContext<O = unknown> extends PluginContext<O> {
  /**
   * Passes a message to the bot. Resolves when the message is recorded or dropped: acknowledge after that. Wait for it
   * before the next message of the same channel; otherwise the order of recording is undefined. Messages of the bot itself may be
   * passed too: they are recorded once and lead to no turn.
   *
   * A bot that cannot keep up rejects with OVERLOADED. The message is counted, and read later with `platform.history`. Do not
   * acknowledge it.
   * @throws MESSAGE_INVALID, PLATFORM_MISSING, STOPPED, IN_TRANSACTION, OVERLOADED
   */
  receive(message: IncomingMessage, how?: ReceiveOptions): Promise<void>
  /**
   * Asks for a place for an event, before look-ups and before it waits for other events of its channel. Nothing: the bot cannot keep
   * up. The event is counted then; do not handle it and do not acknowledge it.
   */
  admit(arrival: Arrival): Slot | undefined
  /**
   * A message says something else now. An edit that adds a mention of the bot is answered. The channel and the id find the message: the
   * thread may be absent here, and for {@link remove} and {@link reaction}. A message that is not recorded is left alone.
   *
   * @throws MESSAGE_INVALID
   */
  edit(conversation: Omit<Conversation, 'id'>, message: string, edit: MessageEdit): Promise<void>
  /**
   * The name, the visibility or the details of a conversation changed. Each received message carries them too: call this when the
   * platform announces a change. Does nothing for a conversation of which no message is recorded.
   *
   * @throws MESSAGE_INVALID
   */
  describe(conversation: Omit<Conversation, 'id'>): Promise<void>
  /** A message was deleted: it leaves working memory, and a reply to it is not sent any more. */
  remove(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
  /** Reports that a person added or removed a reaction. The bot records it with the message. It leads to no turn. */
  reaction(conversation: Omit<Conversation, 'id'>, message: string, change: ReactionChange): Promise<void>
  /** Runs a command of the chat: see {@link ChatCommands.run}. */
  command(given: GivenCommand): Promise<string> | undefined
  /** See {@link ChatCommands.refusal}. */
  refusal(given: Pick<GivenCommand, 'conversation' | 'person' | 'text' | 'locale'>): Promise<string | undefined>
  /**
   * Stores how far the bot has read each conversation of this platform. Call it when the connection begins and each time it
   * is lost. When the connection is back, call the returned function: it reads the missed messages with `platform.history`,
   * up to 500 in each of the 200 conversations with the latest messages. They are recorded and not judged; the bot answers
   * mentions that are not older than `listen.missed`.
   * @param only the conversations to read, when this process is one of several that each receive a part
   */
  trackPosition(platform: string, only?: (conversation: Omit<Conversation, 'id'>) => boolean): Promise<() => Promise<void>>
  /**
   * Runs a STOP or START of an admin in a message at once. {@link receive} does so too. A platform that passes messages one
   * after the other calls it first, so that STOP does not wait for a message that cannot be recorded. Does nothing when the
   * bot has stopped.
   */
  handleStopCommand(message: IncomingMessage): void
  /**
   * Reports that the bot cannot continue and needs a restart: it becomes unready and ends. The error message says what to
   * do.
   */
  fail(error: Error): void
}

/** Takes the messages that were missed while a platform was not connected. */
export interface MissedMessages {
  /** See {@link ReceiveOptions.missed}. */
  receive(platform: Platform, message: IncomingMessage): Promise<void>
  /** See {@link PlatformContext.trackPosition}. */
  trackPosition(platform: Platform, only?: (conversation: Omit<Conversation, 'id'>) => boolean): Promise<() => Promise<void>>
}

export const MissedMessages = service<MissedMessages>('kikimimi.missed-messages')
