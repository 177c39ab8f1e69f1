/** Messages, conversations and people. */
import { service } from './service.ts'

/** Who can read a conversation. `direct` is a conversation between one person and the bot. */
export type Visibility = 'public' | 'private' | 'direct'

/** Who reads a conversation, as far as its visibility does not say. What the bot remembers is told only to people who could read it. */
export interface Readers {
  /**
   * True: fewer people read the thread than its channel, such as a private thread. False: those who read the channel. Absent: a
   * private thread counts as one with its own readers unless its channel is private too.
   */
  readonly own?: boolean
  /** True: people who do not belong to the workspace read it too: a channel that is shared with others, guests. Default: false. */
  readonly outsiders?: boolean
}

/** A channel, or a thread in one. The bot runs one turn at a time in each conversation. */
export interface Conversation {
  /** `platform/workspace/channel` or `platform/workspace/channel/thread`, each part URL-encoded. See {@link conversationId}. */
  readonly id: string
  /** The name of the platform: `discord`, `slack`, `terminal`. */
  readonly platform: string
  /** A Discord guild or a Slack workspace; `''` where the platform has none. */
  readonly workspace: string
  /** The id of the channel on the platform. */
  readonly channel: string
  /** The id of the thread. Absent for the channel itself. */
  readonly thread?: string
  /** The name that people see, without `#`. */
  readonly name: string
  /** Who can read the conversation. */
  readonly visibility: Visibility
  /** Who reads it, as far as the visibility does not say. Absent: see the defaults of {@link Readers}. */
  readonly readers?: Readers
  /** What people see at the top of it. Absent: not known. */
  readonly details?: ConversationDetails
}

/** What people see at the top of a channel or a thread, besides its name. A value that is absent is not known, or there is none. */
export interface ConversationDetails {
  /** The name of the guild or the workspace. */
  readonly workspaceName?: string
  /** The topic or the description of the channel. 1,000 characters at most; the rest is cut. */
  readonly topic?: string
  /** The name of the thread, or the title of the forum post. */
  readonly threadName?: string
  /** The tags of the forum post. */
  readonly tags?: readonly string[]
  /** The id of the message that the thread hangs on, or of the starter message of the forum post. */
  readonly root?: string
}

/** An author of messages, as the platform knows the account. */
export interface Person {
  /** The id of the account, unique on its platform. */
  readonly id: string
  /** The displayed name. It can change, and two people can have the same. */
  readonly name: string
  /** Another bot, a webhook or an app. */
  readonly bot?: boolean
}

/** The key of a person. Ids are unique within a platform. */
export interface PersonKey {
  /** The name of the platform. */
  readonly platform: string
  /** The id of the account on that platform. */
  readonly id: string
}

/** The name and the character of the bot in a place. */
export interface Persona {
  /** Its name: `persona.name` of bot.config.ts, or that of the place. */
  readonly name: string
  /** The names that people use for it, its own name included. */
  readonly names: readonly string[]
  /** Its character, for its own prompt. */
  readonly prompt: string
  /** The time zone of the place, an IANA name. */
  readonly timeZone: string
  /** The address of its picture. Absent: that of the bot's account. */
  readonly picture?: string
}

/** What a place is known by: see `BotIdentity.personaIn`. */
export type PersonaPlace = Pick<Conversation, 'workspace' | 'channel' | 'name' | 'visibility'>

/** A file of a message. The bot keeps its address, never its content. */
export interface Attachment {
  /** Where the file is. */
  readonly url: string
  /** The media type, such as `image/png`. Absent: not known. */
  readonly type?: string
  /** The file name. Absent: not known. */
  readonly name?: string
}

/**
 * What a message shows besides its text: a card (an embed, an attachment or blocks of an app), a poll, a forwarded message, a
 * sticker, or something that happened (a pinned message, a new thread).
 */
export interface MessagePart {
  /** What it is. */
  readonly kind: 'card' | 'poll' | 'forward' | 'sticker' | 'event'
  /** Its title, the question of a poll, or the name of a sticker. Absent: none. */
  readonly title?: string
  /** The person or service that it names as its author. Absent: none. */
  readonly author?: string
  /** Its text on one or more lines: fields as `name: value`, options of a poll as `option: votes`. Absent: none. */
  readonly text?: string
  /** Where it links to. Absent: nowhere. */
  readonly url?: string
}

/** How a message addresses the bot. `command`: it begins with a text command such as `!roll`. */
export type Address = 'mention' | 'reply' | 'name' | 'direct' | 'command'

/** A message as a platform hands it to {@link PluginContext.receive}. */
export interface IncomingMessage {
  /**
   * The platform's own id, unique within the channel for ever: a message with an id that the log has is the same message, however late it
   * comes, with whatever text. An edit comes by `edit`.
   */
  readonly id: string
  /** Where the message was said. */
  readonly conversation: Omit<Conversation, 'id'>
  /** The person or bot who said it. */
  readonly author: Person
  /** The text without markup of the platform, with readable names instead of ids. */
  readonly text: string
  /** When it was said, by the clock of the platform. */
  readonly at: Date
  /** The people whom the message mentions, the bot first, without mentions of everyone or of roles. The first 500 count. Default: none. */
  readonly mentions?: readonly Person[]
  /**
   * The message that this one answers: its id, and the id of its author if the platform sends it. `message`: the whole message,
   * if the event carries it. It is shown to the model and not recorded.
   */
  readonly replyTo?: { readonly id: string; readonly author?: string; readonly message?: IncomingMessage }
  /** The files of the message. Default: none. */
  readonly attachments?: readonly Attachment[]
  /** What the message shows besides its text and its files. Default: nothing. */
  readonly parts?: readonly MessagePart[]
  /** True: its author is an admin (see {@link ChatCommand.permission}), if the platform knows this without a request. Default: false. */
  readonly admin?: boolean
}

/** What a message says after an edit. */
export interface MessageEdit {
  /** The new text. */
  readonly text: string
  /** The people whom it mentions now. Absent: the same as before. */
  readonly mentions?: readonly Person[]
  /** The files that it has now. Absent: the same as before. */
  readonly attachments?: readonly Attachment[]
  /** What it shows now besides its text and its files. Absent: the same as before. */
  readonly parts?: readonly MessagePart[]
}

/** An emoji under a message, as people write it (`👍`, `:party:`), and who put it there. */
export interface Reaction {
  /** As people write it: `👍`, `:party:`. */
  readonly emoji: string
  /** Ids of people. */
  readonly by: readonly string[]
}

/** A reaction that was added or removed. */
export interface ReactionChange {
  /** As people write it: `👍`, `:party:`. */
  readonly emoji: string
  /** The id of the person. */
  readonly by: string
  /** True: the person took the reaction back. Default: added. */
  readonly removed?: boolean
}

/** A recorded message. */
export interface Message {
  /** The id of the message on the platform, unique in its channel. */
  readonly id: string
  /** The person or bot who said it. */
  readonly author: Person
  /** The latest text, after edits. */
  readonly text: string
  /** When it was said, by the clock of the platform. */
  readonly at: Date
  /** The people whom it mentions; empty when there are none. */
  readonly mentions: readonly Person[]
  /** The id of the message that it answers. Absent: none. */
  readonly replyTo?: string
  /** The files of the message; empty when there are none. */
  readonly attachments: readonly Attachment[]
  /** What the message shows besides its text and its files. Absent: nothing. */
  readonly parts?: readonly MessagePart[]
  /** True: a message of the bot itself. It is recorded and never judged. */
  readonly own: boolean
  /** True: read later from the history of the platform. It is recorded and not judged. */
  readonly missed?: boolean
  /** How it addresses the bot. Absent: not at all. */
  readonly addressed?: Address
  /** Why its call does not count: the rule of `access` that refused it, such as `access.call: only admins, #general`. Absent: none did. */
  readonly refused?: string
  /** The reactions under it, the bot's own included. Absent: none. */
  readonly reactions?: readonly Reaction[]
  /**
   * True: its author asked not to remember it. Only the turn that answers it has its words; elsewhere its text is empty, and it has no
   * mentions, files, parts and reactions.
   */
  readonly leftOut?: true
}

/** The id of a conversation: its parts, URL-encoded, joined by `/`. */
export function conversationId({ platform, workspace, channel, thread }: Omit<Conversation, 'id'>): string {
  const id = `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}/${encodeURIComponent(channel)}`
  return thread === undefined ? id : `${id}/${encodeURIComponent(thread)}`
}

/** The parts of the id of a conversation. A part that is missing is `''`; the thread is absent. */
export function conversationParts(id: string): Pick<Conversation, 'platform' | 'workspace' | 'channel' | 'thread'> {
  const [platform = '', workspace = '', channel = '', thread] = id.split('/').map(decodeURIComponent)
  return { platform, workspace, channel, ...(thread !== undefined && { thread }) }
}

/** The id of the channel that a conversation is in: its own, without the thread. Message ids are unique there. */
export function channelOf({ id, thread }: Conversation): string {
  return thread === undefined ? id : id.slice(0, id.lastIndexOf('/'))
}

/** A thread of the channel that a conversation is in. What is known of the conversation itself is not known of the thread. */
export function inThread({ id: _, details: __, readers, ...channel }: Conversation, thread: string): Conversation {
  const parts = { ...channel, thread, ...(readers?.outsiders && { readers: { outsiders: true } }) }
  return { id: conversationId(parts), ...parts }
}

/**
 * The channel that a conversation is in, such as for `ctx.send` of what does not belong into the thread; the conversation itself when it
 * is a channel. It has the visibility of the thread: when more people read the channel, `ctx.send` posts nothing there.
 */
export function inChannel(conversation: Conversation): Conversation {
  const { id: _, thread, details: __, readers, ...channel } = conversation
  if (thread === undefined) return conversation
  return { ...channel, id: channelOf(conversation), ...(readers?.outsiders && { readers: { outsiders: true } }) }
}

/**
 * The ids of the people that a message mentions or answers, without its author. An empty id stands for the unknown author of a message
 * that is not in `history`.
 * @param history messages before it, in any order
 */
export function addressees({ author, mentions, replyTo }: Message, history: readonly Message[]): ReadonlySet<string> {
  const found = new Set(mentions.map(({ id }) => id))
  if (replyTo !== undefined) found.add(history.find(({ id }) => id === replyTo)?.author.id ?? '')
  found.delete(author.id)
  return found
}

/** Finds channels by their names. */
export interface Channels {
  /**
   * The channel of a name, for `ctx.send`. It asks the platforms which channels the bot can read now; where a platform cannot tell, as
   * Telegram, it looks among the channels in which a message is recorded. Call it when the bot runs, not in `setup`.
   *
   * @param name `general`, `#general`, or the id of the channel
   * @param where narrows the search to a platform, and to a workspace: its id, or its name
   * @throws CHANNEL_MISSING with the nearest names, CHANNEL_AMBIGUOUS when several channels have the name
   */
  find(name: string, where?: { readonly platform?: string; readonly workspace?: string }): Promise<Conversation>
  /**
   * The pinned messages of a channel as the platform shows them now, the latest pin first. They need not be recorded. Messages of the bot
   * are left out, and messages that it would not record or has erased: those of people who are left out, or whom it forgot.
   * `undefined`: the platform has no pinned messages. Rejects when they cannot be read now.
   *
   * @throws PLATFORM_MISSING
   */
  pins(conversation: Conversation, signal: AbortSignal): Promise<readonly IncomingMessage[] | undefined>
  /**
   * The direct conversation with a person whom the bot knows from a conversation, for `ctx.send`. `undefined`: the platform has no direct
   * messages, or none can be opened now.
   */
  direct(known: Pick<Conversation, 'platform' | 'workspace'>, person: Person): Promise<Conversation | undefined>
}

export const Channels = service<Channels>('kikimimi.channels')
