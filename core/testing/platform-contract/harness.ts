import type { BotConfig } from '../../api/config.ts'
import type { Plugin } from '../../api/index.ts'

/**
 * A platform plugin connected to something that plays the people on the other side. Whatever may be absent stands for
 * what people, or the bot, can do over there: without it the checks that need it are skipped.
 */
export interface PlatformHarness {
  readonly plugin: Plugin
  /** What else the bot needs for it. */
  readonly config?: Partial<BotConfig>
  /** Where people talk besides the channel that everybody sees, by any names that `say` understands. */
  readonly places?: Places
  /** Somebody says something over there. Resolves with what the platform calls the message, if anybody can refer to it. */
  say(author: string, text: string, how: How): Promise<string | void>
  /** The bot's messages as people see them, oldest first. */
  seen(): readonly Seen[]
  /** The bot's reactions as people see them, oldest first. */
  reactions?(): readonly string[]
  /** Whether people see the bot typing in the channel. */
  typing?(): boolean
  /** Somebody answers a message of the channel, the way people do it there: quotes it, or speaks under it. */
  reply?(author: string, text: string, to: string): Promise<string | void>
  edit?(message: string, text: string): Promise<void>
  remove?(message: string): Promise<void>
  react?(author: string, message: string, emoji: string): Promise<void>
  /** Takes a reaction back. */
  unreact?(author: string, message: string, emoji: string): Promise<void>
  /** Delivers the event about a message of the channel a second time. */
  redeliver?(message: string): Promise<void>
  /** Whether what people say while the bot is away can be read later. */
  readonly remembers?: boolean
  close(): Promise<void>
}

export interface Places {
  /** In the channel. */
  readonly thread?: string
  readonly private?: string
  /** Of alice with the bot. */
  readonly direct?: string
}

export interface How {
  /** Calls the bot the way the platform does it. */
  readonly mention: boolean
  /** One of `places`; absent: the channel. */
  readonly where?: string
}

/** A message of the bot. */
export interface Seen {
  readonly text: string
  /** What `reply` takes. */
  readonly id?: string
  /** One of `places`; absent: the channel. */
  readonly where?: string
  /** The message that it quotes, or stands under. */
  readonly quotes?: string
}
