/** Converts messages of events and of the history. */
import type { IncomingMessage, Person } from 'kikimimi'
import type { Names } from '../directory/names.ts'
import type { Self } from '../web-api/account.ts'
import { fromMrkdwn, idsIn } from './mrkdwn.ts'

/** The common fields of a message in events and in the history. */
export interface Told {
  readonly ts?: string
  readonly subtype?: string | undefined
  readonly user?: string
  readonly bot_id?: string
  readonly username?: string
  readonly text?: string
  readonly thread_ts?: string
  readonly parent_user_id?: string
  /** The first message of the thread, if a message of the thread is shown in the channel. */
  readonly root?: { readonly user?: string; readonly bot_id?: string }
  readonly edited?: object
  /** Number of replies, and time of the last one. */
  readonly reply_count?: number
  readonly latest_reply?: string
  readonly attachments?: readonly { readonly fallback?: string; readonly text?: string }[]
  readonly files?: readonly {
    readonly url_private?: string
    readonly mimetype?: string
    readonly name?: string | null
  }[]
}

/** Messages of people. Others are notices: joins, topics, pins. */
const SAID = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message'])

/** Undefined for a notice. `type` is the event's `channel_type`. */
export async function toIncoming(
  told: Told,
  { channel, type, names, self }: { channel: string; type?: string | undefined; names: Names; self: Self },
): Promise<IncomingMessage | undefined> {
  const { ts, subtype, thread_ts, root } = told
  if (!ts || !SAID.has(subtype)) return undefined
  const markup = told.text || (told.attachments ?? []).map(({ text, fallback }) => text || fallback || '').join('\n')
  const [author, { text, mentions }, conversation] = await Promise.all([
    authorOf(told, names, self),
    read(markup, names, self),
    conversationOf(told, { channel, type, names, self }),
  ])
  const rootAuthor = root?.bot_id === self.botId ? self.me.id : (told.parent_user_id ?? root?.user)
  return {
    id: ts,
    conversation,
    author,
    text,
    at: new Date(Number(ts) * 1_000),
    mentions,
    // A message in a thread replies to its first message. Under words of the bot, people also talk to each other:
    // threads.ts decides about those messages.
    ...(thread_ts !== undefined &&
      thread_ts !== ts &&
      rootAuthor !== self.me.id && { replyTo: { id: thread_ts, ...(rootAuthor !== undefined && { author: rootAuthor }) } }),
    attachments: (told.files ?? []).flatMap(({ url_private: url, mimetype, name }) =>
      url ? [{ url, ...(mimetype && { type: mimetype }), ...(name && { name }) }] : [],
    ),
    // The names were just looked up, with the permissions.
    ...(names.administers(author.id, channel) && { admin: true }),
  }
}

export async function conversationOf(
  { ts, thread_ts }: Told,
  { channel, type, names, self }: { channel: string; type?: string | undefined; names: Names; self: Self },
): Promise<IncomingMessage['conversation']> {
  const { name, visibility } = await names.place(channel, type)
  const thread = thread_ts !== ts ? thread_ts : undefined
  return { platform: 'slack', workspace: self.team, channel, ...(thread !== undefined && { thread }), name, visibility }
}

/** The text as people see it, and the mentioned people. */
export async function read(markup: string, names: Names, { me }: Self): Promise<{ text: string; mentions: readonly Person[] }> {
  const { users, channels } = idsIn(markup)
  const mentions = await Promise.all(users.map(async id => (id === me.id ? me : names.person(id))))
  const places = await Promise.all(channels.map(id => names.place(id)))
  const text = fromMrkdwn(markup, {
    user: id => mentions[users.indexOf(id)]?.name ?? id,
    channel: id => places[channels.indexOf(id)]?.name ?? id,
  })
  return { text, mentions }
}

async function authorOf({ user, bot_id, username }: Told, names: Names, { me, botId }: Self): Promise<Person> {
  if (user === me.id || (bot_id !== undefined && bot_id === botId)) return me
  if (user === undefined) return { id: bot_id ?? 'unknown', name: username ?? bot_id ?? 'unknown', bot: true }
  const person = await names.person(user)
  return bot_id === undefined ? person : { ...person, ...(username && { name: username }), bot: true }
}

/** Whether an id is the timestamp of a message. Slash commands have ids of another form. */
export function isTimestamp(id: string | undefined): id is string {
  return id !== undefined && /^\d+\.\d+$/.test(id)
}
