/** Converts messages of events and of the history. */
import { type Attachment, type IncomingMessage, type Person, RecentMap } from 'kikimimi'
import type { MessageEdit, MessagePart } from 'kikimimi/platform'
import type { Names } from '../directory/names.ts'
import type { Self } from '../web-api/account.ts'
import { fromMrkdwn, idsIn } from './mrkdwn.ts'
import { type Node, nodesIn, textIn } from './nodes.ts'
import { forwardedFiles, partsOf } from './parts.ts'
import { richText } from './rich-text.ts'

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
  /** Who added the person who joins. */
  readonly inviter?: string
  /** What was set, in a notice of it. */
  readonly topic?: string
  readonly purpose?: string
  readonly blocks?: unknown
  readonly attachments?: unknown
  readonly files?: unknown
}

/** What a message says. */
export type Content = Required<MessageEdit>

export interface Incoming {
  /** Undefined for a notice that is not worth a message. `type` is the event's `channel_type`. */
  message(told: Told, channel: string, type?: string): Promise<IncomingMessage | undefined>
  content(told: Told): Promise<Content>
  /** Where a message is, or the channel. */
  conversation(told: Told, channel: string, type?: string): Promise<IncomingMessage['conversation']>
  /** The text as people see it, and the mentioned people. */
  read(markup: string): Promise<{ readonly text: string; readonly mentions: readonly Person[] }>
  /** The author of the first message of a thread in which something was said lately. */
  rootAuthor(channel: string, thread: string): string | undefined
}

/** Messages of people and apps. */
const SAID = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message'])

/** Notices that people see and talk about. Others are left out: who joined or left, or that a channel was archived. */
const EVENTS: ReadonlySet<string | undefined> = new Set([
  ...['channel_name', 'channel_purpose', 'channel_topic', 'group_name', 'group_purpose', 'group_topic', 'pinned_item'],
])
const JOINED: ReadonlySet<string | undefined> = new Set(['channel_join', 'group_join'])

/** Number of people and of channels in a text whose names are asked for: each can be a request to Slack. Further ones keep their ids. */
const LOOKED_UP = 100

/** Number of parts of a message that are read. Slack allows no more attachments. */
const PARTS = 100

/** Number of threads whose first author is remembered. */
const THREADS = 2_000

export interface IncomingOptions {
  readonly names: Names
  readonly account: Self
  /** Asks Slack for a file by its id. Rejects when Slack does not show it. */
  readonly file: (id: string) => Promise<Node>
}

export function createIncoming({ names, account, file }: IncomingOptions): Incoming {
  const { me, user: own, botId, team, workspace, personId } = account
  const rootAuthors = new RecentMap<string>(THREADS)

  async function read(markup: string): ReturnType<Incoming['read']> {
    const { users, channels } = idsIn(markup)
    const personOf = async (id: string, at: number) => {
      if (id === own) return me
      return at < LOOKED_UP ? names.person(id) : { id: personId(id), name: id }
    }
    const people = new Map(await Promise.all(users.map(async (id, at) => [id, await personOf(id, at)] as const)))
    const known = channels.slice(0, LOOKED_UP)
    const places = new Map(await Promise.all(known.map(async id => [id, await names.place(id)] as const)))
    const text = fromMrkdwn(markup, {
      user: id => people.get(id)?.name ?? id,
      channel: id => places.get(id)?.name ?? id,
    })
    const others = [...people.values()].filter(person => person !== me)
    return { text, mentions: people.has(own) ? [me, ...others] : others }
  }

  async function authorOf({ user, bot_id, username }: Told): Promise<Person> {
    // The bot posts under the name of a persona too.
    if (user === own || (bot_id !== undefined && bot_id === botId)) return username ? { ...me, name: username } : me
    if (user === undefined) return { id: personId(bot_id ?? 'unknown'), name: username ?? bot_id ?? 'unknown', bot: true }
    const person = await names.person(user)
    return bot_id === undefined ? person : { ...person, ...(username && { name: username }), bot: true }
  }

  async function conversation({ ts, thread_ts }: Told, channel: string, type?: string): ReturnType<Incoming['conversation']> {
    const { name, visibility, outsiders, topic, purpose } = await names.place(channel, type)
    const about = topic || purpose
    const thread = thread_ts !== ts ? thread_ts : undefined
    const details = {
      ...(workspace && { workspaceName: workspace }),
      ...(about && { topic: (await read(about)).text }),
      ...(thread !== undefined && { root: thread }),
    }
    const readers = { ...(thread !== undefined && { own: false }), ...(outsiders && { outsiders }) }
    return {
      ...{ platform: 'slack', workspace: team, channel, name, visibility, readers, details },
      ...(thread !== undefined && { thread }),
    }
  }

  /** The part as people see it, without lines that the text of the message has too. Apps often write both. */
  async function shown({ kind, url, ...markup }: MessagePart, said: string, lines: ReadonlySet<string>) {
    const [title = '', author = '', text = ''] = await Promise.all(
      [markup.title, markup.author, markup.text].map(async one => one && (await read(one)).text),
    )
    const rest = text
      .split('\n')
      .filter(line => !lines.has(line))
      .join('\n')
    const isSaid = rest === '' && (title === '' || lines.has(title)) && (url === undefined || said.includes(url))
    return isSaid
      ? []
      : [{ kind, ...(title && { title }), ...(author && { author }), ...(rest && { text: rest }), ...(url && { url }) }]
  }

  /**
   * In a channel that organizations share, Slack sends only the id of a file.
   * https://docs.slack.dev/reference/objects/file-object#slack_connect_files
   */
  async function whole(given: Node): Promise<Node> {
    if (given.file_access !== 'check_file_info') return given
    return file(textIn(given.id)).catch(() => UNSHOWN)
  }

  async function content(told: Told): Promise<Content> {
    const shared = [...nodesIn(told.files), ...forwardedFiles(told.attachments)].slice(0, PARTS).map(whole)
    const [{ text, mentions }, files] = await Promise.all([read(richText(told.blocks) || (told.text ?? '')), Promise.all(shared)])
    const lines = new Set(text.split('\n'))
    const given = [...files.map(transcript), ...partsOf(told)].flat().slice(0, PARTS)
    const parts = await Promise.all(given.map(one => shown(one, text, lines)))
    return { text, mentions, attachments: files.flatMap(attachmentOf), parts: parts.flat() }
  }

  /** A notice says something about the channel, and addresses nobody. */
  async function event(told: Told): Promise<Content> {
    const { text, parts, attachments } = await content(told)
    return { text: '', mentions: [], attachments, parts: [{ kind: 'event', text }, ...parts] }
  }

  function noteRoot({ ts, thread_ts, parent_user_id, root, user }: Told, channel: string): void {
    const author = thread_ts === ts ? user : root?.bot_id === botId ? own : (parent_user_id ?? root?.user)
    if (thread_ts === undefined || author === undefined) return
    const thread = `${channel}/${thread_ts}`
    rootAuthors.set(thread, personId(author))
  }

  return {
    async message(given, channel, type) {
      const { ts, subtype } = given
      // The bot itself has joined: the person who added it says so.
      const isOwnJoin = JOINED.has(subtype) && given.user === own && given.inviter !== undefined
      const isEvent = EVENTS.has(subtype) || isOwnJoin
      if (!ts || !(isEvent || SAID.has(subtype))) return undefined
      const told = isOwnJoin && given.inviter !== undefined ? { ...given, user: given.inviter } : given
      noteRoot(told, channel)
      const [author, said] = await Promise.all([
        authorOf(told),
        isEvent ? event(told) : content(told),
        names.place(channel, type),
      ])
      if (names.isOutsider(told.user ?? '')) names.outsidersIn(channel)
      const where = await conversation(told, channel, type)
      // In a direct conversation every message is a question to the bot.
      if (isEvent && where.visibility === 'direct') return undefined
      return {
        ...{ id: ts, conversation: where, author, at: new Date(Number(ts) * 1_000) },
        ...said,
        // The names were just looked up, with the permissions.
        ...(names.administers(told.user ?? '', channel) && { admin: true }),
      }
    },

    content,
    conversation,
    read,
    rootAuthor: (channel, thread) => rootAuthors.get(`${channel}/${thread}`),
  }
}

/** A file that was deleted, or that the workspace may not see any more, has no address. */
function attachmentOf({ url_private, mimetype, name, subtype }: Node): readonly Attachment[] {
  const url = textIn(url_private)
  // Slack calls some recordings of sound a video.
  const type = subtype === 'slack_audio' ? textIn(mimetype).replace(/^video\//, 'audio/') : textIn(mimetype)
  return url === '' ? [] : [{ url, ...(type && { type }), ...(textIn(name) && { name: textIn(name) }) }]
}

/** Stands for a file that cannot be asked for. */
const UNSHOWN: Node = {}

/** What Slack has understood of a recording. People read it below the recording. */
function transcript(file: Node): readonly MessagePart[] {
  if (file === UNSHOWN) return [{ kind: 'card', text: '[a file that Slack does not show to the bot]' }]
  const { name, transcription } = file
  const [{ status, preview } = {}] = nodesIn([transcription])
  const [{ content } = {}] = nodesIn([preview])
  return status === 'complete' && textIn(content) ? [{ kind: 'card', title: textIn(name), text: textIn(content) }] : []
}

/** Whether an id is the timestamp of a message. Slash commands have ids of another form. */
export function isTimestamp(id: string | undefined): id is string {
  return id !== undefined && /^\d+\.\d+$/.test(id)
}
