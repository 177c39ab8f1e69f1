/** What messages show besides their text, in the format of the API. */
import {
  type APIEmbed,
  type APIMessage,
  type APIMessageSnapshot,
  type APIPoll,
  type APIStickerItem,
  EmbedType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  PollLayoutType,
  type RESTAPIPoll,
  StickerFormatType,
} from 'discord-api-types/v10'
import { Refusal } from './answers.ts'
import type { World } from './world.ts'

export interface Shows {
  /** Cards with a title, a text, fields and so on, as in the API. */
  readonly embeds?: readonly Omit<APIEmbed, 'type'>[]
  readonly poll?: { readonly question: string; readonly answers: readonly string[] }
  /** Names of stickers. */
  readonly stickers?: readonly string[]
  /** The id of a message that this one forwards. */
  readonly forward?: string
  /** The message comes from a channel of another server that this one follows. */
  readonly followed?: boolean
}

export function shownIn({ embeds = [], poll, stickers = [], forward, followed }: Shows, world: World): Partial<APIMessage> {
  return {
    ...(embeds.length > 0 && { embeds: richEmbeds(embeds) }),
    ...(poll && { poll: pollData(poll) }),
    ...(stickers.length > 0 && { sticker_items: stickers.map(name => stickerData(name, world)) }),
    ...(forward !== undefined && forwardData(world.message(forward))),
    ...(followed && followedData(world)),
  }
}

export function richEmbeds(embeds: readonly Omit<APIEmbed, 'type'>[]): APIEmbed[] {
  return embeds.map(embed => ({ type: EmbedType.Rich, ...embed }))
}

/** Refuses a poll that Discord refuses. https://discord.com/developers/docs/resources/poll */
export function checkPoll({ question, answers, duration = 24 }: RESTAPIPoll): void {
  const texts = answers.map(({ poll_media: { text = '' } }) => text)
  const invalid = (text: string, most: number) => text.length < 1 || text.length > most
  if (invalid(question.text ?? '', 300)) throw new Refusal(400, 50035, 'Invalid Form Body: poll.question.text')
  if (texts.length < 1 || texts.length > 10) throw new Refusal(400, 50035, 'Invalid Form Body: poll.answers')
  if (texts.some(text => invalid(text, 55))) throw new Refusal(400, 50035, 'Invalid Form Body: poll.answers.text')
  if (!(duration >= 1 && duration <= 768)) throw new Refusal(400, 50035, 'Invalid Form Body: poll.duration')
}

export function pollOf({ question, answers, allow_multiselect = false, duration = 24 }: RESTAPIPoll): APIPoll {
  const data = pollData({ question: question.text ?? '', answers: answers.map(({ poll_media: { text = '' } }) => text) })
  return { ...data, allow_multiselect, expiry: new Date(Date.now() + duration * 3_600_000).toISOString() }
}

function pollData({ question, answers }: NonNullable<Shows['poll']>): APIPoll {
  return {
    question: { text: question },
    answers: answers.map((text, index) => ({ answer_id: index + 1, poll_media: { text } })),
    expiry: new Date(Date.now() + 86_400_000).toISOString(),
    allow_multiselect: false,
    layout_type: PollLayoutType.Default,
    results: { is_finalized: false, answer_counts: [] },
  }
}

function stickerData(name: string, world: World): APIStickerItem {
  return { id: world.snowflake(), name, format_type: StickerFormatType.PNG }
}

function forwardData(message: APIMessage): Partial<APIMessage> {
  const { id: message_id, channel_id, content, embeds, attachments, timestamp, edited_timestamp, mentions, type } = message
  const snapshot = { content, embeds, attachments, timestamp, edited_timestamp, mentions, mention_roles: [], type }
  return {
    message_reference: { type: MessageReferenceType.Forward, message_id, channel_id },
    message_snapshots: [{ message: snapshot as APIMessageSnapshot['message'] }],
  }
}

/** A crosspost: https://docs.discord.com/developers/resources/message#message-reference-types */
function followedData(world: World): Partial<APIMessage> {
  const [message_id, channel_id, guild_id] = [world.snowflake(), world.snowflake(), world.snowflake()]
  return {
    ...{ type: MessageType.Default, flags: MessageFlags.IsCrosspost, webhook_id: world.snowflake() },
    message_reference: { type: MessageReferenceType.Default, message_id, channel_id, guild_id },
  }
}
