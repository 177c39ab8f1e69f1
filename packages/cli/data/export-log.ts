/** `kikimimi export`: what the bot has heard, as a chat log that `kikimimi replay` reads. */
import { KikimimiError, type Database } from 'kikimimi'
import type { LogLine } from '../../replay/chat-log.ts'

export interface ExportOptions {
  /**
   * A channel by name or id, with its threads. Without it all public ones: what was said in private leaves the database
   * only when somebody names the place.
   */
  readonly channel?: string | undefined
  /** Nothing older. */
  readonly since?: Date | undefined
}

/** A log line as it is written. */
export type ExportedLine = Omit<LogLine, 'at' | 'context'> & { readonly at: string }

const PAGE = 1_000

/**
 * The messages in the order in which they were heard, without deleted ones. A thread is a channel of its own, as it is
 * to the bot. Throws EXPORT_NOTHING when the channel was never heard.
 */
export async function* exportLog(db: Database, { channel, since }: ExportOptions): AsyncGenerator<ExportedLine> {
  const name = channel?.replace(/^#/, '')
  const { rows: places } = await db.query<{ id: string }>(
    `select id from kikimimi.conversation
     where case when $1::text is null then visibility = 'public' else name = $2 or channel = $1 end`,
    [channel ?? null, name ?? null],
  )
  if (places.length === 0) {
    throw new KikimimiError(
      'EXPORT_NOTHING',
      channel === undefined
        ? 'The bot has heard nothing in public yet. Name a private channel with --channel.'
        : `The bot has never heard anything in a channel "${channel}".`,
    )
  }
  yield* messagesIn(
    db,
    places.map(({ id }) => id),
    since,
  )
}

/** The messages of these conversations. */
export async function* messagesIn(
  db: Database,
  conversations: readonly string[],
  since = new Date(0),
): AsyncGenerator<ExportedLine> {
  for (let after = 0; ; ) {
    const { rows } = await db.query<Row>(
      `select ${COLUMNS} from kikimimi.message
       where conversation = any($1) and seq > $2 and at >= $3 and deleted_at is null order by seq limit ${PAGE}`,
      [conversations, after, since],
    )
    for (const row of rows) yield toLine(row)
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
  }
}

export interface HeardLine extends ExportedLine {
  /** Said by the bot. */
  readonly own: boolean
}

/**
 * The last messages of a channel and its threads, as they were said, oldest first. What is older than as many of the channel's
 * own is not read: of 150,000 messages, a fifth of them in threads, PGlite reads the last 2,000 in 11 ms, where sorting all
 * takes 540.
 */
export async function latestIn(db: Database, channel: string, limit: number): Promise<readonly HeardLine[]> {
  const { rows } = await db.query<Row & { readonly own: boolean }>(
    `with begin as (
       select seq from kikimimi.message where conversation = $1 and deleted_at is null order by seq desc offset $2 limit 1
     )
     select latest.* from kikimimi.conversation c cross join lateral (
       select ${COLUMNS}, own from kikimimi.message m
       where m.conversation = c.id and m.seq > coalesce((select seq from begin), 0) and m.deleted_at is null
       order by m.seq desc limit $2
     ) latest
     where c.id = $1 or starts_with(c.id, $1 || '/') order by latest.at desc, latest.seq desc limit $2`,
    [channel, limit],
  )
  return rows.map(row => ({ ...toLine(row), own: row.own })).reverse()
}

const COLUMNS = 'seq, id, conversation, author_id, author_name, author_bot, text, mentions, reply_to, at'

interface Row {
  readonly seq: number
  readonly id: string
  readonly conversation: string
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean
  readonly text: string
  readonly mentions: readonly { readonly id: string }[]
  readonly reply_to: string | null
  readonly at: Date
}

function toLine({ id, conversation, author_id, author_name, author_bot, text, mentions, reply_to, at }: Row): ExportedLine {
  return {
    id,
    at: at.toISOString(),
    channel: conversation,
    author: { id: author_id, name: author_name, ...(author_bot && { bot: true }) },
    text,
    mentions: mentions.map(person => person.id),
    replyTo: reply_to === null ? [] : [reply_to],
  }
}
