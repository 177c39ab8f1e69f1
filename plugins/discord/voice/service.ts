/** What a plugin that listens and speaks in voice channels gets from Discord. */
import type { Guild } from 'discord.js'
import { type Conversation, type Person, service } from 'kikimimi'

/** A voice channel with people in it. */
export interface VoiceRoom {
  /** Its own chat. */
  readonly conversation: Omit<Conversation, 'id'>
  /** The people in it, without bots. */
  readonly people: readonly Person[]
  /** The permissions that the bot lacks there: `Connect`, `Speak`. */
  readonly lacks: readonly string[]
}

/** What happens in the voice channels of a server. Every function is called at once and must not throw. */
export interface VoiceListener {
  /** Somebody came into a voice channel or left one, the bot too, or the bot has just connected to Discord. */
  moved(server: string): void
  /** The bot has posted a text in the chat of a voice channel. */
  posted(conversation: Omit<Conversation, 'id'>, text: string): void
}

/** Voice channels of the servers to which this process is connected. */
export interface DiscordVoice {
  /**
   * Reports from now on. Call it in `setup`: Discord tells who is in a voice channel only to a connection that has asked for it. The
   * result ends it.
   */
  listen(listener: VoiceListener): Disposable
  /** The adapter for `joinVoiceChannel` of @discordjs/voice. `undefined`: another process is connected to the server. */
  adapter(server: string): Guild['voiceAdapterCreator'] | undefined
  /** The voice channels of a server with people in them. */
  rooms(server: string): readonly VoiceRoom[]
  /** The voice channel in which an account is. Default: that of the bot. */
  roomOf(server: string, account?: string): VoiceRoom | undefined
  /**
   * Passes on what a person has said aloud, as a message of the person in the chat of the voice channel. Resolves with its id.
   * `undefined`: it is not recorded, because a filter dropped it like any other message.
   */
  hear(room: Omit<Conversation, 'id'>, person: Person, text: string): Promise<string | undefined>
}

/** Voice channels of Discord. */
export const DiscordVoice = service<DiscordVoice>('discord.voice', '@kikimimi/discord')
