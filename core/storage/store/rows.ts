/** Rows of the kernel's tables, and what they are to everybody else. */
import type { Address, Conversation, ConversationDetails, Message, Reaction, Readers, Visibility } from '../../api/index.ts'
import { nextBatch } from './next-batch.ts'
import type { Revision, SentAnswer, TurnState, Unfinished } from './store.ts'

export interface ConversationRow {
  platform: string
  workspace: string
  channel: string
  thread: string | null
  name: string
  visibility: Visibility
  own_readers: boolean | null
  outsiders: boolean
  details: ConversationDetails | null
  processed: number
  last_reply_at: Date | null
  waiting_since: Date | null
  unfinished: boolean
}

export interface UnfinishedRow
  extends Omit<
    Unfinished,
    'target' | 'answers' | 'thread' | 'message' | 'isDraft' | 'hasHandles' | 'notify' | 'begun' | 'until' | 'retryAt'
  > {
  target: string | null
  answers: string | null
  thread: string | null
  message: string | null
  draft: boolean
  handles: boolean
  notify: Unfinished['notify'] | null
  begun: Date | null
  until: Date | null
  retry_at: Date | null
}

export interface MessageRow {
  seq: number
  id: string
  author_id: string
  author_name: string
  author_bot: boolean
  own: boolean
  missed: boolean
  addressed: Address | null
  refused: string | null
  text: string
  mentions: Message['mentions']
  attachments: Message['attachments']
  parts: NonNullable<Message['parts']>
  reactions: readonly Reaction[]
  reply_to: string | null
  at: Date
  received_at: Date
  answered_by: string | null
  recalled: boolean
  left_out: boolean
  revise: Revision | null
}

export const COLUMNS = `m.seq, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text, m.mentions, m.attachments,
  m.parts, m.reactions, m.reply_to, m.at, m.received_at, m.answered_by, m.recalled, m.left_out, m.revise, m.refused`

export function hasMessage<R extends Partial<MessageRow>>(row: R): row is R & MessageRow {
  return typeof row.seq === 'number'
}

export function toTurnState(id: string, row: ConversationRow, rows: readonly MessageRow[]): TurnState {
  const { processed, last_reply_at, waiting_since, unfinished } = row
  const entries = rows.map(one => ({ seq: one.seq, receivedAt: one.received_at, message: toMessage(one) }))
  const batch = nextBatch(
    entries.filter((_, index) => isWaiting(rows[index], processed)),
    entries,
    processed,
  )
  const call = rows.find(one => one.id === batch.batch.at(-1)?.message.id)
  const turn = call?.answered_by
  return {
    conversation: toConversation(id, row),
    ...(call?.revise && turn && { revises: { how: call.revise, turn } }),
    ...(last_reply_at && { lastReplyAt: last_reply_at }),
    ...(waiting_since && { waitingSince: waiting_since }),
    ...batch,
    unfinished,
  }
}

function isWaiting(row: MessageRow | undefined, processed: number): boolean {
  if (!row || row.own || row.missed) return false
  return row.recalled || (row.seq > processed && row.answered_by === null)
}

export function toConversation(
  id: string,
  row: Omit<ConversationRow, 'processed' | 'last_reply_at' | 'waiting_since' | 'unfinished'>,
): Conversation {
  const { platform, workspace, channel, thread, name, visibility, details } = row
  const readers = readersOf(row)
  return {
    ...{ id, platform, workspace, channel, ...(thread !== null && { thread }), name, visibility },
    ...(readers && { readers }),
    ...(details && { details }),
  }
}

export function readersOf({ own_readers, outsiders }: Pick<ConversationRow, 'own_readers' | 'outsiders'>): Readers | undefined {
  if (own_readers === null && !outsiders) return undefined
  return { ...(own_readers !== null && { own: own_readers }), ...(outsiders && { outsiders }) }
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    author: { id: row.author_id, name: row.author_name, ...(row.author_bot && { bot: true }) },
    text: row.text,
    at: row.at,
    mentions: row.mentions,
    ...(row.reply_to !== null && { replyTo: row.reply_to }),
    attachments: row.attachments,
    ...(row.parts.length > 0 && { parts: row.parts }),
    own: row.own,
    ...(row.missed && { missed: true }),
    ...(row.addressed && { addressed: row.addressed }),
    ...(row.refused !== null && { refused: row.refused }),
    ...(row.reactions.length > 0 && { reactions: row.reactions }),
    ...(row.left_out && { leftOut: true as const }),
  }
}

/** The message as those see it who do not answer it: without its words, if a person asked not to remember it. */
export function toKnownMessage(row: MessageRow): Message {
  return toMessage(row.left_out ? { ...row, text: '', mentions: [], attachments: [], parts: [], reactions: [] } : row)
}

export interface AnswerRow {
  turn: string
  conversation: string
  thread: string | null
  message: string
  text: string
  asker: string | null
}

export function answerOf(rows: readonly AnswerRow[]): SentAnswer | undefined {
  const [first] = rows
  if (!first) return undefined
  const { turn, conversation, asker } = first
  const thread = rows.find(row => row.thread !== null)?.thread
  return {
    ...{ turn, conversation },
    ...(thread && { thread }),
    messages: rows.map(({ message }) => message),
    text: rows.map(({ text }) => text).join('\n\n'),
    ...(asker !== null && { asker }),
  }
}
