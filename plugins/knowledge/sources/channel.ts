/** Documents of a channel: its pinned messages, and the files that people have shared there. */
import { createHash } from 'node:crypto'
import {
  type Channels,
  type Conversation,
  channelOf,
  type Files,
  type IncomingMessage,
  KikimimiError,
  type MessageLog,
} from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { Unreadable } from '../documents/unreadable.ts'
import { filesOf, readFile, type Shared, sharedIn } from './shared-files.ts'
import type { Listed, Source } from './source.ts'

/** What a channel is read with. */
export interface ChannelParts {
  readonly log: MessageLog
  readonly channels: Channels
  readonly files: Files
  platforms(): readonly Platform[]
}

export interface ChannelOptions {
  readonly name: string
  /** `#name`, or the id of the channel. */
  readonly channel: string
  readonly pins: boolean
  readonly files: boolean
  readonly parts: ChannelParts
}

export interface ChannelSource extends Source {
  /** Whether a message there can change what the source has: a shared file, or a notice, such as that of a pin. */
  concerns(conversation: Conversation, message: Pick<IncomingMessage, 'attachments' | 'parts'>): boolean
}

export function isChannel(source: Source): source is ChannelSource {
  return 'concerns' in source
}

export function channelSource({ name, channel, pins, files, parts }: ChannelOptions): ChannelSource {
  return {
    name,

    async list(signal) {
      const place = await find(parts.channels, channel)
      if (typeof place === 'string') {
        const isConnecting = parts.platforms().some(({ unready }) => unready?.() !== undefined)
        if (isConnecting) throw new Unreadable('a platform is not connected')
        // What is gone for people is gone here, too.
        return { documents: [], problem: place, read: missing }
      }
      const platform = parts.platforms().find(one => one.name === place.platform)
      const pinned = pins ? await pinnedIn(parts.channels, place, signal) : []
      const shared = files ? [...pinned.flatMap(filesOf), ...(await sharedIn(parts.log, place))] : []
      const texts = new Map(pinned.map(message => [pathOf(message.id), textOf(message)]))
      const byPath = new Map(shared.map(one => [pathOf(one.message, one.file.name), one]))

      const listed = async (path: string, message: Omit<Shared, 'file'>, more: Pick<Listed, 'title' | 'version'>) => {
        const link = await platform?.link?.(message.conversation, message.message, signal)
        const from = { channel: channelOf(place), id: message.message, author: message.author }
        return { path, from, ...more, ...(link !== undefined && { link }) }
      }
      const documents: Listed[] = []
      for (const { id: message, conversation, author, at } of pinned) {
        const text = texts.get(pathOf(message))
        if (!text) continue
        const title = `${place.name}, ${at.toISOString().slice(0, 10)}`
        const version = createHash('sha256').update(text).digest('base64url')
        documents.push(await listed(pathOf(message), { message, conversation, author: author.id }, { title, version }))
      }
      for (const [path, { file, ...message }] of byPath)
        documents.push(await listed(path, message, { title: file.name, version: file.version }))
      return {
        documents,
        place,
        async read({ path }, within) {
          const text = texts.get(path)
          if (text !== undefined) return { kind: 'markdown', bytes: Buffer.from(text) }
          const one = byPath.get(path)
          return one ? readFile(one, { platform, files: parts.files, signal: within }) : missing()
        },
      }
    },

    concerns: (conversation, { attachments = [], parts: shown = [] }) =>
      (folded(channel) === folded(conversation.name) || channel === conversation.channel) &&
      (attachments.length > 0 || shown.some(({ kind }) => kind === 'event')),
  }
}

/** The channel, or why there is none. */
async function find(channels: Channels, name: string): Promise<Conversation | string> {
  try {
    return await channels.find(name)
  } catch (error) {
    if (error instanceof KikimimiError && error.code.startsWith('CHANNEL_')) return error.message
    throw error
  }
}

async function pinnedIn(channels: Channels, place: Conversation, signal: AbortSignal): Promise<readonly IncomingMessage[]> {
  const found = await channels.pins(place, signal)
  if (!found) throw new Unreadable(`${place.platform} has no pinned messages: set pins to false`)
  return found
}

async function missing(): Promise<never> {
  throw new Unreadable('it is not there any more')
}

/** What people see of a message: its text and its cards. */
function textOf({ text, parts = [] }: IncomingMessage): string {
  return [text, ...parts.flatMap(({ title, text }) => [title, text])].filter(one => one).join('\n\n')
}

/** The trigger of the table knows this form. */
function pathOf(message: string, file?: string): string {
  return file === undefined ? `message:${message}` : `message:${message}/${file}`
}

function folded(name: string): string {
  return name.normalize('NFKC').trim().replace(/^#/, '').toLowerCase()
}
