/** Events of Matrix as messages of the bot. https://spec.matrix.org/latest/client-server-api/#instant-messaging */
import type { IncomingMessage, Person } from 'kikimimi'
import type { MessageEdit } from 'kikimimi/platform'
import type { IRoomEvent } from 'matrix-js-sdk/lib/sync-accumulator.js'
import { z } from 'zod'
import { personIn, placeOf, type Room } from './rooms.ts'

/** Types of events that are messages. */
export const MESSAGES = ['m.room.message', 'm.sticker', 'm.poll.start', 'org.matrix.msc3381.poll.start']

/** The most mentions of one message. */
const MENTIONS = 500

const text = z.string().optional().catch(undefined)
const Said = z.object({
  ...{ msgtype: text, body: text, formatted_body: text, url: text, filename: text, 'org.matrix.msc1767.text': text },
  info: z.object({ mimetype: text }).optional().catch(undefined),
  'm.mentions': z
    .object({ user_ids: z.array(z.string()).default([]) })
    .optional()
    .catch(undefined),
})
const Answered = z.object({ event_id: z.string() }).optional().catch(undefined)
const Relation = z.object({ rel_type: text, event_id: text, key: text, is_falling_back: z.unknown(), 'm.in_reply_to': Answered })
/** The fields of all events that the bot reads. People can write anything into them. */
const Content = Said.extend({
  redacts: text,
  'm.relates_to': Relation.partial()
    .optional()
    .catch(undefined)
    .transform(relation => relation ?? {}),
  'm.new_content': Said.optional().catch(undefined),
})
type Said = z.output<typeof Said>

/** An event whose content has been checked. */
export interface Told extends Pick<IRoomEvent, 'event_id' | 'type' | 'sender' | 'origin_server_ts'> {
  readonly content: z.output<typeof Content>
  readonly isRedacted: boolean
  /** What it says after its last edit. */
  readonly edited?: Said | undefined
}

export function told(event: IRoomEvent): Told {
  const { 'm.relations': relations, redacted_because: redaction } = event.unsigned ?? {}
  // Older rooms have `redacts` beside the content.
  const content = Content.parse({ ...('redacts' in event && { redacts: event.redacts }), ...event.content })
  const edit = relations?.['m.replace'] as Partial<IRoomEvent> | undefined
  return {
    ...event,
    content,
    isRedacted: redaction !== undefined,
    edited: edit && Content.parse(edit.content ?? {})['m.new_content'],
  }
}

/** The thread that a message is in. */
export function threadOf({ content: { 'm.relates_to': relation } }: Told): string | undefined {
  return relation.rel_type === 'm.thread' ? relation.event_id : undefined
}

/** Ids of the people whom a message mentions: in `m.mentions`, or as links in the markup of an older client. */
function mentionedIn({ content }: Told, { 'm.mentions': mentions, formatted_body: markup = '' }: Said, plain: string): string[] {
  const links = Array.from(markup.matchAll(/https:\/\/matrix\.to\/#\/((?:@|%40)[^"'?/<>]{1,255})/g), ([, id = '']) => decoded(id))
  // An answer mentions the person whom it answers, without a word in the text.
  const isReply = answeredBy(content) !== undefined
  const ids = mentions ? mentions.user_ids.filter(id => !isReply || links.includes(id) || plain.includes(id)) : links
  return [...new Set(ids)].filter(id => /^@[^\s:]*:\S/.test(id)).slice(0, MENTIONS)
}

/** In one pass, because a name can contain an id. */
function withNames(text: string, people: readonly Person[]): string {
  if (people.length === 0) return text
  const names = new Map(people.map(({ id, name }) => [id, `@${name}`]))
  const ids = new RegExp([...names.keys()].map(RegExp.escape).join('|'), 'g')
  return text.replace(ids, id => names.get(id) ?? id)
}

export function incoming(event: Told, room: Room, filesUrl: string): IncomingMessage {
  const { event_id: id, sender, origin_server_ts: at, content, edited } = event
  const answered = answeredBy(content)
  const author = personIn(room, sender)
  return {
    id,
    conversation: placeOf(room, threadOf(event)),
    at: new Date(at),
    // A notice is never answered, so bots write them.
    author: content.msgtype === 'm.notice' ? { ...author, bot: true } : author,
    ...saidIn(event, room, filesUrl, edited),
    ...(answered !== undefined && { replyTo: { id: answered } }),
  }
}

/** What a message says, also after an edit. */
export function saidIn(event: Told, room: Room, filesUrl: string, said: Said = event.content): Required<MessageEdit> {
  const { msgtype, body = '', url, filename = body, info, 'org.matrix.msc1767.text': question = '' } = said
  const [, file] = /^mxc:\/\/([^/\s]+\/[\w-]+)$/.exec(url ?? '') ?? []
  const plain = file === undefined ? withoutQuote(body) : filename === body ? '' : body
  const mentions = mentionedIn(event, said, plain).map(id => personIn(room, id))
  const named = withNames(plain, mentions)
  return {
    text: msgtype === 'm.emote' ? `* ${personIn(room, event.sender).name} ${named}` : event.type === 'm.sticker' ? '' : named,
    mentions,
    attachments:
      file === undefined ? [] : [{ url: filesUrl + file, name: filename, ...(info?.mimetype && { type: info.mimetype }) }],
    parts: event.type === 'm.sticker' ? [{ kind: 'sticker', title: body }] : question ? [{ kind: 'poll', text: question }] : [],
  }
}

function answeredBy({ 'm.relates_to': relation }: Told['content']): string | undefined {
  return relation.is_falling_back === true ? undefined : relation['m.in_reply_to']?.event_id
}

/** Older clients repeat the message that they answer. */
function withoutQuote(body: string): string {
  if (!body.startsWith('> <')) return body
  const lines = body.split('\n')
  return lines
    .slice(lines.findIndex(line => !line.startsWith('> ')))
    .join('\n')
    .trim()
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
