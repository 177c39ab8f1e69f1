/** Platforms: places where people talk. */

import type { Awaitable } from '../base/awaitable.ts'
import type { GivenCommand } from './commands.ts'
import type { PluginContext } from './context.ts'
import type { Attachment, Conversation, IncomingMessage, MessageEdit, Person, ReactionChange } from './message.ts'
import { service } from './service.ts'

/** What a platform can do, stated as values: the kernel knows no platform by name. */
export interface PlatformLimits {
  /** The longest text of one message, in UTF-16 code units. Longer replies are split. */
  readonly textLength: number
}

/** A message that the bot sends. */
export interface Outgoing {
  /** The text, not longer than `limits.textLength`. */
  readonly text: string
  /** The id of the message to quote, or under which to open a thread. Absent: none. */
  readonly replyTo?: string
  /** The message that it answers, whether it quotes it or not; absent for what is said unasked, and for all parts but the first. */
  readonly answers?: string
  /** The same for every attempt to send the same message, so that a platform can refuse the second. At most 25 characters. */
  readonly nonce: string
}

/** Where a message was posted. */
export interface Posted {
  /** The id of the posted message on the platform. */
  readonly id: string
  /** A quoted answer may open a thread: the bot's words are then remembered there. */
  readonly thread?: string
}

/**
 * A place where people talk. A plugin returns one from `setup` and hands messages in with {@link PlatformContext.receive}.
 * Every method may throw; the kernel decides what that means.
 */
export interface Platform {
  /** `discord`, `slack`, `terminal`: the first part of conversation ids. */
  readonly name: string
  /** The bot's own account here; its id may be empty until `start` has resolved. */
  readonly me: Person
  /** What the platform accepts. */
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
  /** Why the platform receives no messages now; the bot is then not ready. `undefined`: it receives them. */
  unready?(): string | undefined
  /** Resolves when no more messages will come (standard input ended). The bot stops when all platforms are closed. */
  readonly closed?: Promise<void>
  /** True: it does not keep the bot running when all others are closed. Where there is no other it does. */
  readonly companion?: boolean
  /** Posts one message. Must not let `@everyone` or a role mention fire. Returns the platform's id, and `thread` when it stands in another than asked. */
  send(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<Posted>
  /** Adds a reaction to a message. Absent: the platform has no reactions. */
  react?(conversation: Conversation, message: string, emoji: string, signal: AbortSignal): Promise<void>
  /** Shows that the bot is thinking. Returns the function that ends it, which is called exactly once. */
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
  /**
   * One message by its id, from the channel of the conversation: the root of a thread, or a message that another one answers.
   * `undefined`: it was deleted, or it never existed. Rejects when it cannot be read.
   */
  message?(conversation: Conversation, id: string, signal: AbortSignal): Promise<IncomingMessage | undefined>
  /** Where the bot can hear: channels, and threads that are open. Those it has never heard are caught up too. */
  channels?(signal: AbortSignal): Promise<readonly Omit<Conversation, 'id'>[]>
}

/** What a running bot lends to a plugin that provides a platform: see `definePlatform`. Nothing of it works during `setup`. */
export interface PlatformContext<O = unknown> extends PluginContext<O> {
  /**
   * Hands in a message. Resolves once it is recorded or dropped: acknowledge after that. Wait for it before the next message of
   * the same channel, or they may be recorded in another order.
   *
   * @throws MESSAGE_INVALID, PLATFORM_MISSING, STOPPED, IN_TRANSACTION
   */
  receive(message: IncomingMessage): Promise<void>
  /**
   * A message says something else now. An edit that adds a mention of the bot is answered.
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
  /** A person put an emoji under a message, or took it back. It is kept with the message and leads to no turn. */
  reaction(conversation: Omit<Conversation, 'id'>, message: string, change: ReactionChange): Promise<void>
  /** Runs a command of the chat: see {@link ChatCommands.run}. */
  command(given: GivenCommand): Promise<string> | undefined
  /**
   * Remembers how far each conversation of this platform has been read. Call it when the connection begins and whenever it is
   * lost. The returned function, called once the connection stands again, reads the missed messages with `platform.history`: up
   * to 500 in each of the 200 conversations with the latest messages. They are recorded and not judged; mentions that are not
   * older than `listen.missed` are answered.
   *
   * @param only reads these conversations alone, where this process is one of several that each receive a part
   */
  trackPosition(platform: string, only?: (conversation: Omit<Conversation, 'id'>) => boolean): Promise<() => Promise<void>>
  /**
   * Looks for STOP and START of an admin in a message, at once. {@link receive} does so too: this is for a platform that hands
   * messages in one after the other, so that none waits behind a message that cannot be recorded. Does nothing once the bot has
   * stopped.
   */
  handleStopCommand(message: IncomingMessage): void
  /** The bot cannot go on and has to be restarted: it becomes unready and ends. The message of the error says what to do. */
  fail(error: Error): void
}

/** Reads the messages that were missed while a platform was not connected. */
export interface MissedMessages {
  /** See {@link PlatformContext.trackPosition}. */
  trackPosition(platform: Platform, only?: (conversation: Omit<Conversation, 'id'>) => boolean): Promise<() => Promise<void>>
}

export const MissedMessages = service<MissedMessages>('kikimimi.missed-messages')
