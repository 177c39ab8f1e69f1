/** Messages of the log, as the signs and the votes need them. */
import type { Database, Message } from 'kikimimi'

/** The months of the messages that are received between two times: a missed one was said before. */
const MONTHS = `between $4::timestamptz - interval '8 days' and $5::timestamptz + interval '2 days'`

/** The messages around a decision, oldest first, those of the thread that the answer opened included. */
export async function talkAround(
  db: Database,
  { channel, conversation, sent }: { readonly channel: string; readonly conversation: string; readonly sent: readonly string[] },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly Message[]> {
  const { rows } = await db.query<MessageRow>(
    `select ${COLUMNS} from kikimimi_v1.message m
     where m.channel = $1 and m.at ${MONTHS} and m.received_at > $4 and m.received_at <= $5 and ${IS_READABLE}
       and m.conversation in (
         select $2
         union select s.conversation from kikimimi_v1.message s where s.channel = $1 and s.id = any($3::text[]) and s.at ${MONTHS}
       )
     order by m.seq limit 500`,
    [channel, conversation, sent, from, to],
  )
  return rows.map(toMessage)
}

export interface MessageRow {
  readonly id: string
  readonly conversation: string
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean
  readonly own: boolean
  readonly addressed: Message['addressed'] | null
  readonly text: string
  readonly mentions: Message['mentions']
  readonly reactions: NonNullable<Message['reactions']>
  readonly reply_to: string | null
  readonly at: Date
}

export const COLUMNS = `m.id, m.conversation, m.author_id, m.author_name, m.author_bot, m.own, m.addressed, m.text, m.mentions,
  m.reactions, m.reply_to, m.at`

export const IS_READABLE = `m.deleted_at is null and not m.being_forgotten and m.author_id <> ''`

export function toMessage({ author_id, author_name, author_bot, addressed, reply_to, ...row }: MessageRow): Message {
  return {
    ...{
      id: row.id,
      text: row.text,
      at: row.at,
      own: row.own,
      mentions: row.mentions,
      reactions: row.reactions,
      attachments: [],
    },
    author: { id: author_id, name: author_name, ...(author_bot && { bot: true }) },
    ...(addressed && { addressed }),
    ...(reply_to !== null && { replyTo: reply_to }),
  }
}
