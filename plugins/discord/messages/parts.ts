/** What a message of Discord shows besides its text: embeds, polls, forwarded messages, stickers, files, events. */
import {
  type APIEmbed,
  type APIMessageTopLevelComponent,
  type APIPoll,
  type APISectionComponent,
  type APIStickerItem,
  ComponentType,
  MessageType,
  StickerFormatType,
} from 'discord.js'
import type { Attachment } from 'kikimimi'
import type { MessagePart } from 'kikimimi/platform'
import { texts } from '../texts.ts'
import { type Names, nameOf, type Said, textOf } from './text.ts'

/** The part of a message that a forwarded message has too. */
type Shown = Pick<Said, 'content' | 'mentions' | 'attachments' | 'embeds'> & Partial<Pick<Said, 'sticker_items' | 'components'>>

export function partsOf(message: Said, names: Names): MessagePart[] {
  const forwarded = (message.message_snapshots ?? []).map(({ message }) => message as Shown)
  return [
    ...forwarded.map(one => part('forward', { text: textOf(one, names) })),
    ...[message, ...forwarded].flatMap(one => [
      ...(one.sticker_items ?? []).map(({ name }) => part('sticker', { title: name })),
      ...one.embeds.flatMap(embed => cardOf(embed, names)),
      ...blocksOf(one.components ?? [], names),
    ]),
    ...(message.poll ? [pollOf(message.poll)] : []),
  ]
}

/** Files of the message, of the messages that it forwards, and the pictures of embeds. */
export function attachmentsOf(message: Said): Attachment[] {
  const forwarded = (message.message_snapshots ?? []).map(({ message }) => message as Shown)
  return [message, ...forwarded].flatMap(({ attachments, sticker_items = [], embeds, components = [] }) => [
    ...attachments.map(({ url, content_type: type, filename: name }) => ({ url, ...(type !== undefined && { type }), name })),
    ...sticker_items.flatMap(pictureOfSticker),
    ...embeds.flatMap(picturesOf),
    ...mediaOf(components),
  ])
}

/** An event in a channel, such as a pinned message. Nothing for other notices of Discord. */
export function eventOf(message: Said, names: Names): MessagePart[] {
  const key = EVENTS.get(message.type)
  if (key === undefined) return []
  const people = message.mentions.map(user => nameOf(user, user.member?.nick ?? names.user(user.id))).join(', ')
  const text = message.content || people || message.embeds.flatMap(pollResult).join('\n')
  return [part('event', { title: texts(names.locale)(key), text })]
}

type EventKey = Parameters<typeof texts.all>[0]

const EVENTS = new Map<MessageType, EventKey>([
  [MessageType.RecipientAdd, 'event.added'],
  [MessageType.RecipientRemove, 'event.removed'],
  [MessageType.ChannelNameChange, 'event.renamed'],
  [MessageType.ChannelPinnedMessage, 'event.pin'],
  [MessageType.UserJoin, 'event.join'],
  [MessageType.ThreadCreated, 'event.thread'],
  [MessageType.PollResult, 'event.poll'],
])

/** A part without its empty values. */
function part(kind: MessagePart['kind'], values: { readonly [K in keyof Omit<MessagePart, 'kind'>]: string | undefined }) {
  return { kind, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value)) } as MessagePart
}

/** The most characters of all embeds of a message: https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const EMBED = 6_000

/** Nothing for an embed that is only a picture or a video: it is among the files. */
function cardOf({ title, description, fields = [], author, provider, footer, url }: APIEmbed, names: Names): MessagePart[] {
  const read = (content: string) => textOf({ content: content.slice(0, EMBED) }, names)
  const lines = [description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text]
  const text = read(lines.filter(line => line).join('\n'))
  const by = author?.name ?? provider?.name
  return title || text || by ? [part('card', { title: title && read(title), author: by, text, url })] : []
}

function pollOf({ question, answers, results }: APIPoll): MessagePart {
  const counts = new Map(results?.answer_counts.map(({ id, count }) => [id, count]))
  const lines = answers.map(({ answer_id: id, poll_media: { text, emoji } }) => {
    return `${text ?? emoji?.name ?? id}: ${counts.get(id) ?? 0}`
  })
  return part('poll', { title: question.text, text: lines.join('\n') })
}

/** The result of a poll is an embed whose fields are not for people. */
function pollResult({ fields = [] }: APIEmbed): string[] {
  const [question, winner, votes] = ['poll_question_text', 'victor_answer_text', 'victor_answer_votes'].map(
    wanted => fields.find(({ name }) => name === wanted)?.value,
  )
  return question === undefined ? [] : [[question, ...(winner === undefined ? [] : [`${winner}: ${votes}`])].join('\n')]
}

type Component = APIMessageTopLevelComponent | APISectionComponent['components'][number]

/** A message can consist of components instead of a text. */
function blocksOf(components: readonly Component[], names: Names): MessagePart[] {
  const text = components.flatMap(linesOf).join('\n')
  return text ? [part('card', { text: textOf({ content: text }, names) })] : []
}

function linesOf(component: Component): string[] {
  if (component.type === ComponentType.TextDisplay) return [component.content]
  const isGroup = component.type === ComponentType.Container || component.type === ComponentType.Section
  return isGroup ? component.components.flatMap(linesOf) : []
}

function mediaOf(components: readonly Component[]): Attachment[] {
  return components.flatMap(component => {
    if (component.type === ComponentType.Container) return mediaOf(component.components)
    if (component.type === ComponentType.File) return fileAt(component.file)
    return component.type === ComponentType.MediaGallery ? component.items.flatMap(({ media }) => fileAt(media)) : []
  })
}

/** A video is shown as its still picture. */
function picturesOf({ image, thumbnail }: APIEmbed): Attachment[] {
  const shown = image ?? thumbnail
  return shown ? fileAt(shown) : []
}

interface Media {
  readonly url: string
  /** The copy of Discord. A picture of another host has its address only in `url`. */
  readonly proxy_url?: string
  readonly content_type?: string | null
}

/** Discord did not always name the type. */
const TYPES = new Map([
  ['gif', 'image/gif'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
])

function fileAt({ url, proxy_url = url, content_type }: Media): Attachment[] {
  if (!URL.canParse(proxy_url) || !URL.canParse(url)) return []
  const name = new URL(url).pathname.split('/').at(-1) || undefined
  const type = content_type ?? TYPES.get(name?.split('.').at(-1)?.toLowerCase() ?? '')
  return [{ url: proxy_url, ...(type && { type }), ...(name && { name }) }]
}

/** A Lottie sticker is no picture. */
function pictureOfSticker({ id, name, format_type: format }: APIStickerItem): Attachment[] {
  if (format === StickerFormatType.Lottie) return []
  const [ending, type] = format === StickerFormatType.GIF ? ['gif', 'image/gif'] : ['png', 'image/png']
  return [{ url: `https://media.discordapp.net/stickers/${id}.${ending}`, type, name }]
}
