/** The messages in the database of a bot, as a chat log that `kikimimi replay` reads. */
import { type Database, KikimimiError } from 'kikimimi'
import { IS_KEPT } from 'kikimimi/host'
import type { LogLine } from './logs/chat-log.ts'

export interface ExportOptions {
  /** A channel by name or id, with its threads. Default: all public channels. Private messages need the name of their channel. */
  readonly channel?: string | undefined
  /** Leaves out older messages. */
  readonly since?: Date | undefined
}

/** A line of the log, parsed. */
export type ExportedLine = Omit<LogLine, 'at' | 'context'> & { readonly at: string }

const PAGE = 1_000

/**
 * JSON lines with the messages in the order of arrival, without those that are deleted, left out or being forgotten. A thread is a channel of its own, as it is to the bot.
 *
 * @throws EXPORT_NOTHING if the bot has no messages of the channel
 */
export async function* exportLog(db: Database, { channel, since }: ExportOptions): AsyncGenerator<string> {
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
        ? 'The bot has received no public messages yet. Name a private channel with --channel.'
        : `The bot has never received a message in a channel "${channel}".`,
    )
  }
  const conversations = places.map(({ id }) => id)
  yield* messagesIn(db, conversations, since)
}

/** JSON lines with the messages of these conversations. */
export async function* messagesIn(db: Database, conversations: readonly string[], since = new Date(0)): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { rows } = await db.query<{ seq: number; line: string }>(
      `select seq, ${LINE} as line from kikimimi_v1.message m
       where conversation = any($1) and seq > $2 and at >= $3 and ${IS_KEPT} order by seq limit ${PAGE}`,
      [conversations, after, since],
    )
    for (const { line } of rows) yield line
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** Messages before the first counted one: the context that a turn sees. */
export const CONTEXT = 50

export interface HeardLine extends ExportedLine {
  /** Sent by the bot. */
  readonly own: boolean
}

/**
 * The last messages of a channel and its threads, ordered by time, oldest first. Messages older than the same number of messages of
 * the channel itself are not read: of 150,000 messages, a fifth of them in threads, PGlite reads the last 2,000 in 11 ms, while
 * sorting all takes 540.
 */
export async function latestIn(db: Database, channel: string, limit: number): Promise<readonly HeardLine[]> {
  const { rows } = await db.query<{ line: string; own: boolean }>(
    `with begin as (
       select seq from kikimimi_v1.message m where conversation = $1 and ${IS_KEPT} order by seq desc offset $2 limit 1
     )
     select latest.line, latest.own from kikimimi.conversation c cross join lateral (
       select ${LINE} as line, own, at, seq from kikimimi_v1.message m
       where m.conversation = c.id and m.seq > coalesce((select seq from begin), 0) and ${IS_KEPT}
       order by m.seq desc limit $2
     ) latest
     where c.id = $1 or starts_with(c.id, $1 || '/') order by latest.at desc, latest.seq desc limit $2`,
    [channel, limit],
  )
  return rows.map(({ line, own }) => ({ ...JSON.parse(line), own })).reverse()
}

/** A message `m` as a line of a chat log. */
const LINE = `(select row_to_json(line)::text from (select
    m.id,
    to_char(m.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    m.conversation as channel,
    json_strip_nulls((select row_to_json(author) from (
      select m.author_id as id, m.author_name as name, nullif(m.author_bot, false) as bot
    ) author)) as author,
    m.text,
    array(select one->>'id' from jsonb_array_elements(m.mentions) one) as mentions,
    array_remove(array[m.reply_to], null) as "replyTo"
  ) line)`
