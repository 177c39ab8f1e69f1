/** Sessions of Satori as messages of the bot. https://satori.chat/en-US/protocol/ */
import { type Bot, Element, type Session, type Universal } from '@satorijs/core'
import type { Attachment, IncomingMessage, Person } from 'kikimimi'
import type { MessageEdit } from 'kikimimi/platform'

const FILES = new Set(['img', 'image', 'audio', 'video', 'file'])
/** `Universal.Channel.Type.DIRECT`: its enum has no values in the types. */
const DIRECT = 1

/** Ids are unique in their network, and a bot has an account in several. */
export const idOf = (bot: Bot, id: string) => `${bot.platform}:${id}`

export function personOf(bot: Bot, user: Universal.User, member?: Universal.GuildMember): Person {
  const name = member?.nick || user.nick || user.name || user.id
  return { id: idOf(bot, user.id), name, ...(user.isBot && { bot: true }) }
}

/** The id of a channel for the bot: with the account that is in it. */
export const channelId = (bot: Bot, channel: string) =>
  [bot.platform ?? '', bot.selfId, channel].map(encodeURIComponent).join(':')

/** The account and the channel of an id. */
export function channelIn(id: string) {
  const [platform = '', self = '', channel = ''] = id.split(':').map(decodeURIComponent)
  return { sid: `${platform}:${self}`, channel }
}

export function placeOf({ bot, event }: Session, isPublic: (channel: string) => boolean): IncomingMessage['conversation'] {
  const { guild, user } = event
  const channel: Universal.Channel = event.channel ?? { id: '', type: DIRECT }
  const isDirect = channel.type === DIRECT
  return {
    platform: 'satori',
    workspace: isDirect ? '' : idOf(bot, guild?.id ?? channel.id),
    channel: channelId(bot, channel.id),
    name: channel.name ?? (isDirect && user ? personOf(bot, user).name : channel.id),
    visibility: isDirect ? 'direct' : isPublic(channel.id) ? 'public' : 'private',
    ...(guild?.name && { details: { workspaceName: guild.name } }),
  }
}

export function incoming(session: Session, conversation: IncomingMessage['conversation']): IncomingMessage | undefined {
  const { bot, event } = session
  const { message, user, member, timestamp } = event
  if (!message?.id || !user) return undefined
  const { quote } = message
  return {
    id: message.id,
    conversation,
    at: new Date(timestamp),
    author: personOf(bot, user, member),
    ...saidIn(bot, elementsOf(session)),
    ...(quote?.id && { replyTo: { id: quote.id, ...(quote.user && { author: idOf(bot, quote.user.id) }) } }),
  }
}

/** The elements of a message. The library drops the line breaks beside a tag. */
export function elementsOf({ event, elements }: Session): readonly Element[] {
  const { content } = event.message ?? {}
  if (content === undefined) return elements ?? []
  return Element.parse(content.replace(/<[^<>]*>|\r?\n|&#10;/g, part => (part.startsWith('<') ? part : '<br/>')))
}

/** What the elements of a message say. */
export function saidIn(bot: Bot, elements: readonly Element[]): Required<Pick<MessageEdit, 'text' | 'mentions' | 'attachments'>> {
  const mentions: Person[] = []
  const attachments: Attachment[] = []
  const textOf = ({ type, attrs, children }: Element): string => {
    if (type === 'text') return String(attrs.content)
    if (type === 'br') return '\n'
    if (type === 'at') return mention(attrs)
    if (type === 'sharp') return `#${attrs.name ?? attrs.id}`
    if (type === 'emoji' || type === 'face') return `:${attrs.name ?? attrs.id}:`
    if (FILES.has(type)) attachments.push(fileOf(attrs))
    if (type === 'quote' || FILES.has(type)) return ''
    const text = children.map(textOf).join('')
    if (type === 'a') return withAddress(text, String(attrs.href ?? ''))
    return text + (type === 'p' ? '\n' : '')
  }
  function mention({ id, name, type }: Element['attrs']): string {
    if (type !== undefined) return `@${type}`
    const isMe = id === undefined ? name === bot.user?.name : String(id) === bot.selfId
    const person = isMe
      ? personOf(bot, bot.user ?? { id: bot.selfId })
      : { id: idOf(bot, String(id ?? `@${name}`)), name: String(name ?? id) }
    mentions.push(person)
    return `@${person.name}`
  }
  return { text: elements.map(textOf).join('').trim(), mentions, attachments }
}

function withAddress(text: string, url: string): string {
  return url === '' || text.includes(url) ? text : text.trim() === '' ? url : `${text} (${url})`
}

function fileOf({ src, url, title, type }: Element['attrs']): Attachment {
  return { url: String(src ?? url ?? ''), ...(title && { name: String(title) }), ...(type && { type: String(type) }) }
}
