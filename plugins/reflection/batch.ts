/** The messages of a place that were not processed yet, and their marks. */
import { type Conversation, type ConversationDetails, type Database, estimateTokens, type Message } from 'kikimimi'
import type { Options } from './options.ts'
import { type PlaceRow, WHEREABOUTS } from './places.ts'

/** Tokens per batch. More messages are read in several batches. */
const TOKENS = 8_000

/** Longer texts are cut: a pasted text gives few facts. Messages of bots give context. */
const LENGTH = 500
const BOT_LENGTH = 200

export interface Read {
  readonly seq: number
  /** With the visibility of its place: a thread of a private channel is private. */
  readonly conversation: Conversation
  readonly message: Message
  /** The text in the prompt. */
  readonly shown: string
  /** Its cards and the like in the prompt. */
  readonly parts: NonNullable<Message['parts']>
}

interface Row {
  readonly seq: number
  readonly conversation: string
  readonly platform: string
  readonly workspace: string
  readonly channel: string
  readonly thread: string | null
  readonly name: string
  readonly visibility: Conversation['visibility']
  readonly details: ConversationDetails | null
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean
  readonly own: boolean
  readonly text: string
  readonly mentions: Message['mentions']
  readonly attachments: Message['attachments']
  readonly parts: NonNullable<Message['parts']>
  readonly reply_to: string | null
  readonly at: Date
}

/**
 * A condition on messages `x` of the log: those that may be read for the mark `p`. What was said while fewer people could read
 * the conversation is left out.
 */
const READABLE = `x.deleted_at is null and (x.text <> '' or x.parts <> '[]')
      and not x.being_forgotten
      and exists (
        select 1 from kikimimi_v1.place_of(x.conversation, null, x.seq) t,
          kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)
      )`

/** Who reads the conversation of the mark `p`, for {@link READABLE}. */
export const AUDIENCE = 'kikimimi_v1.audience(p.conversation) a'

/** A condition on messages that count as evidence: words of people. Otherwise the bot would remember its own memories. */
export const EVIDENCE = `not x.own and not x.author_bot and x.text <> '' and ${READABLE}`

/** The next messages in the order of the log; after a failure the same ones. */
export async function nextBatch(db: Database, place: PlaceRow, { maxMessages, minMessages }: Options): Promise<readonly Read[]> {
  const { rows } = await db.query<Row>(NEXT, [place.id, place.failed_upto, maxMessages + minMessages])
  // A small rest is added to this batch.
  const size = rows.length < maxMessages + minMessages ? rows.length : maxMessages
  const read: Read[] = []
  let tokens = 0
  for (const row of rows.slice(0, size)) {
    const longest = row.own || row.author_bot ? BOT_LENGTH : LENGTH
    const shown = short(row.text, longest)
    const parts = row.parts.map(part => ({ ...part, ...(part.text !== undefined && { text: short(part.text, longest) }) }))
    tokens += estimateTokens([shown, ...parts.map(({ text = '' }) => text)].join('\n'))
    if (read.length > 0 && tokens > TOKENS) break
    read.push({ seq: row.seq, conversation: conversationOf(row), message: messageOf(row), shown, parts })
  }
  return read
}

/**
 * The messages `x` after the mark `p`, in the order of the log, of which a statement takes the first that meet a condition. `offset 0` keeps
 * the condition out: otherwise Postgres may test it on all that follow the mark, and sort them.
 */
export const AFTER_MARK = (where: string) => `(
      select x.* from kikimimi_v1.message x where x.conversation = p.conversation and x.seq > p.upto and ${where} order by x.seq offset 0
    ) x`

const NEXT = `
  select m.*, w.platform, w.workspace, w.channel, w.thread, w.name, w.visibility, w.details from reflection.progress p
  join ${WHEREABOUTS} w on w.id = p.conversation and w.place = p.place and w.visibility = p.visibility
  cross join lateral ${AUDIENCE}
  join lateral (
    select x.seq, x.conversation, x.id, x.author_id, x.author_name, x.author_bot, x.own, x.text, x.mentions, x.attachments,
      x.parts, x.reply_to, x.at
    from ${AFTER_MARK('($2::bigint is null or x.seq <= $2)')}
    where ${READABLE}
    order by x.seq limit $3
  ) m on true
  where p.place = $1 and p.pending
  order by m.seq limit $3`

/** Moves the marks past a batch. Call it in a transaction. */
export async function moveMarks(db: Database, read: readonly Read[]): Promise<void> {
  const marks = new Map(read.map(({ conversation, seq }) => [conversation.id, seq]))
  await db.query(
    `update reflection.progress p set upto = n.upto
     from unnest($1::text[], $2::bigint[]) as n(conversation, upto) where p.conversation = n.conversation`,
    [[...marks.keys()], [...marks.values()]],
  )
}

/** Number of messages in which {@link namesAround} looks. */
const AROUND = 1_000

/** The names of the people who have written in a conversation lately, by id. */
export async function namesAround(db: Database, { id }: Conversation): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select distinct on (author_id) author_id as id, author_name as name from (
       select author_id, author_name, seq from kikimimi_v1.message
       where conversation = $1 and not own and not author_bot order by seq desc limit ${AROUND}
     ) lately order by author_id, seq desc`,
    [id],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Whether all messages exist unchanged. They are locked until the transaction ends. */
export async function unchanged(db: Database, read: readonly Read[]): Promise<boolean> {
  const { rows } = await db.query<{ seq: number; text: string }>('select seq, text from kikimimi_v1.lock_messages($1)', [
    read.map(({ seq }) => seq),
  ])
  const texts = new Map(rows.map(({ seq, text }) => [seq, text]))
  return read.every(({ seq, message }) => texts.get(seq) === message.text)
}

/** Whether a person on the platform of a place is being erased. Until then the log there is not processed. */
export async function isForgetting(db: Database, place: string): Promise<boolean> {
  const { rows } = await db.query<{ forgetting: boolean }>('select kikimimi_v1.is_forgetting($1) as forgetting', [place])
  return rows[0]?.forgetting === true
}

/** Stores which messages are skipped. Call it in a transaction. */
export async function setAside(db: Database, place: PlaceRow, read: readonly Read[], now: Date): Promise<void> {
  await db.query(
    `insert into reflection.set_aside (seq, place, at)
     select seq, $2, $3 from kikimimi_v1.lock_messages($1) on conflict do nothing`,
    [read.map(({ seq }) => seq), place.id, now],
  )
}

function conversationOf(row: Row): Conversation {
  const { conversation: id, platform, workspace, channel, thread, name, visibility, details } = row
  const where = { id, platform, workspace, channel, ...(thread !== null && { thread }), name, visibility }
  return { ...where, ...(details && { details }) }
}

function messageOf({ id, author_id, author_name, author_bot, own, text, mentions, attachments, reply_to, at }: Row): Message {
  const author = { id: author_id, name: author_name, ...(author_bot && { bot: true }) }
  return { id, author, text, at, own, mentions, attachments, ...(reply_to !== null && { replyTo: reply_to }) }
}

function short(text: string, length: number): string {
  const letters = [...text]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text
}
