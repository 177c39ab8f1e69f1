/** What is said, where and by whom. */

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

export interface ReactionChange {
  /** As people write it: `👍`, `:party:`. */
  readonly emoji: string
  /** The id of the person. */
  readonly by: string
  readonly removed?: boolean
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
