import type { BotConfig } from '../../api/config.ts'
import type { ConversationDetails, Plugin } from '../../api/index.ts'

/**
 * A platform plugin connected to a simulation of the people on the platform. An absent method means that people, or the
 * bot, cannot do that there. The checks that need it are skipped.
 */
export interface PlatformHarness {
  readonly plugin: Plugin
  /** Other plugins that the bot needs for it. */
  readonly config?: Partial<BotConfig>
  /** Places besides the public channel, with names that `say` understands. */
  readonly places?: Places
  /** A person writes a message. Resolves with the platform's id of the message, if it has one that others can refer to. */
  say(author: string, text: string, how: How): Promise<string | void>
  /** The bot's messages as people see them, oldest first. */
  seen(): readonly Seen[]
  /** The bot's reactions as people see them, oldest first. */
  reactions?(): readonly string[]
  /** Whether people see the bot typing in the channel. */
  typing?(): boolean
  /** A person answers a message of the channel, in the way of the platform: by a quotation, or in a thread. */
  reply?(author: string, text: string, to: string): Promise<string | void>
  /** A person mentions the bot in a message with a text file, which the bot can read. */
  share?(author: string, text: string, file: SharedFile): Promise<unknown>
  edit?(message: string, text: string): Promise<void>
  remove?(message: string): Promise<void>
  react?(author: string, message: string, emoji: string): Promise<void>
  /** A person removes a reaction. */
  unreact?(author: string, message: string, emoji: string): Promise<void>
  /** A person pins a message of the channel. */
  pin?(author: string, message: string): Promise<void>
  unpin?(message: string): Promise<void>
  /** Delivers the event about a message of the channel a second time. */
  redeliver?(message: string): Promise<void>
  /** What people see at the top of the channel, as far as the platform reports it. */
  readonly details?: ConversationDetails
  /** Gives the channel another topic. */
  retitle?(topic: string): Promise<void>
  /** A person writes a message of which the bot gets no event, as before it was invited. Resolves with the id for `reply`. */
  unheard?(author: string, text: string, how?: Pick<How, 'where'>): Promise<string>
  /** Opens a thread with a name under a message of the channel. Resolves with a place that `say` understands. */
  openThread?(message: string, name: string): Promise<string>
  /** False: threads have no names. */
  readonly namesThreads?: false
  /** Whether missed messages can be read later. */
  readonly remembers?: boolean
  /** The steps in which the platform tells when a message was written, in milliseconds. Default: 1. */
  readonly timesMs?: number
  close(): Promise<void>
}

/** A text file that a person sends. */
export interface SharedFile {
  readonly name: string
  /** The media type. */
  readonly type: string
  readonly content: string
}

export interface Places {
  /** A thread in the public channel. */
  readonly thread?: string
  /** A private channel. */
  readonly private?: string
  /** A private thread in a private channel: fewer people read it than the channel. */
  readonly privateThread?: string
  /** The direct conversation of alice and the bot. */
  readonly direct?: string
}

export interface How {
  /** Mentions the bot in the way of the platform. */
  readonly mention: boolean
  /** One of `places`. Absent: the channel. */
  readonly where?: string
}

/** A message of the bot. */
export interface Seen {
  readonly text: string
  /** The id for `reply`. */
  readonly id?: string
  /** One of `places`. Absent: the channel. */
  readonly where?: string
  /** The message that it quotes, or under which it is in a thread. */
  readonly quotes?: string
}
