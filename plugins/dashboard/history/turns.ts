/** Past turns and messages for the page. */
import type { Conversation, Database, Trace } from 'kikimimi'
import type { MessageView, Place, TurnView } from './views.ts'

interface TurnRow {
  readonly data: Omit<Trace, 'at'>
  readonly at: Date
  readonly name: string | null
  readonly thread: string | null
  readonly visibility: Conversation['visibility'] | null
}

interface MessageRow {
  readonly conversation: string
  readonly channel: string
  readonly id: string
  readonly thread: string | null
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean
  readonly own: boolean
  readonly text: string
  readonly reply_to: string | null
  readonly reactions: MessageView['reactions']
  readonly at: Date
  readonly edited_at: Date | null
  readonly deleted_at: Date | null
}

const MESSAGES = `
  select m.conversation, m.channel, m.id, c.thread, m.author_id, m.author_name, m.author_bot, m.own, m.text, m.reply_to,
    m.reactions, m.at, m.edited_at, m.deleted_at
  from kikimimi_v1.message m left join kikimimi_v1.conversation c on c.id = m.conversation`

/** Part of a query: the latest turns since $1. It makes busy days fast. */
export const latestTurns = (limit: number) =>
  `(select conversation, at, trigger, outcome, data from kikimimi_v1.trace where at > $1 order by at desc limit ${limit})`

export interface Which {
  readonly limit: number
  /** Id of a channel, with its threads, or of a thread. */
  readonly conversation?: string | undefined
  /** All of these are returned: a limit would make Postgres read the latest turns until it has found them. */
  readonly turns?: readonly string[] | undefined
  /** Not later than this time. */
  readonly before?: Date | undefined
}

/**
 * The latest turns, newest first. Each kind of question has its index: a channel with few turns is found among any number of others. Each has a
 * statement of its own, because with a condition on an absent value Postgres makes a new plan for every call, which takes three times as
 * long as reading four turns.
 */
export async function turns(db: Database, { limit, conversation, turns, before }: Which): Promise<TurnView[]> {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const isThread = conversation !== undefined && channelIn(conversation) !== conversation
  const where: string[] = []
  let from = 'kikimimi_v1.trace t'
  if (turns === undefined && conversation !== undefined && !isThread) {
    const earlier = before === undefined ? '' : `and at <= ${given(before)}`
    from = `(select at, seq from kikimimi_v1.turn_facet where facet = kikimimi_v1.facet('channel', ${given(conversation)}) ${earlier}
             order by at desc, seq desc limit ${given(limit)}) k
            join kikimimi_v1.trace t on t.seq = k.seq and t.at = k.at`
  } else if (conversation !== undefined) {
    const place = given(conversation)
    where.push(
      isThread ? `t.conversation = ${place}` : `(t.conversation = ${place} or starts_with(t.conversation, ${place} || '/'))`,
    )
  }
  if (turns !== undefined) where.push(`t.turn = any(${given(turns)})`)
  if (before !== undefined) where.push(`t.at <= ${given(before)}`)
  const { rows } = await db.query<TurnRow>(
    `select t.data, t.at, c.name, c.thread, c.visibility
     from ${from} left join kikimimi_v1.conversation c on c.id = t.conversation
     ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by t.at desc, t.seq desc ${turns ? '' : `limit ${given(limit)}`}`,
    values,
  )
  return viewsOf(db, rows)
}

/** The place of a turn in the order of all turns, newest first: microseconds since the epoch, and its number. */
export interface TurnKey {
  readonly at: bigint
  readonly seq: bigint
}

/** The turns at these places, in this order. */
export async function turnsAt(db: Database, keys: readonly TurnKey[]): Promise<TurnView[]> {
  if (keys.length === 0) return []
  const { rows } = await db.query<TurnRow>(
    `select t.data, t.at, c.name, c.thread, c.visibility
     from unnest($1::bigint[], $2::bigint[]) as k(at, seq)
     join kikimimi_v1.trace t on t.seq = k.seq and t.at = timestamptz 'epoch' + k.at * interval '1 microsecond'
     left join kikimimi_v1.conversation c on c.id = t.conversation
     order by k.at desc, k.seq desc`,
    [keys.map(({ at }) => String(at)), keys.map(({ seq }) => String(seq))],
  )
  return viewsOf(db, rows)
}

async function viewsOf(db: Database, rows: readonly TurnRow[]): Promise<TurnView[]> {
  const ids = ({ messages, sent }: TurnRow['data']) => [...messages, ...sent]
  const found = await messagesById(
    db,
    rows.flatMap(({ data }) => ids(data).map(id => ({ channel: channelIn(data.conversation), id }))),
  )
  return rows.map(({ data, at, ...where }) => {
    const views = (ids: readonly string[]) => ids.flatMap(id => found.get(`${channelIn(data.conversation)} ${id}`) ?? [])
    return {
      place: placeOf(data.conversation, where),
      trace: { ...data, at: at.toISOString() },
      messages: views(data.messages),
      said: views(data.sent),
    }
  })
}

/** The last messages of a channel and its threads, oldest first. */
export async function latestMessages(db: Database, channel: string, limit: number): Promise<MessageView[]> {
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} where m.channel = $1 and m.deleted_at is null
     order by m.seq desc limit $2`,
    [channel, limit],
  )
  return rows.map(rowView).reverse()
}

export async function findMessage(
  db: Database,
  channel: string,
  id: string,
): Promise<(MessageView & { readonly conversation: string }) | undefined> {
  const { rows } = await db.query<MessageRow>(`${MESSAGES} where m.channel = $1 and m.id = $2`, [channel, id])
  const [row] = rows
  return row && { ...rowView(row), conversation: row.conversation }
}

export function placeView({ id, platform, name, thread, visibility, readers }: Conversation): Place {
  const outsiders = readers?.outsiders === true
  return {
    conversation: id,
    platform,
    name,
    ...(thread !== undefined && { thread }),
    visibility,
    ...(outsiders && { outsiders }),
  }
}

/** By channel and id, separated by a space. */
export async function messagesById(
  db: Database,
  wanted: readonly { readonly channel: string; readonly id: string }[],
): Promise<ReadonlyMap<string, MessageView>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await db.query<MessageRow>(
    `${MESSAGES} join unnest($1::text[], $2::text[]) as wanted(channel, id) on m.channel = wanted.channel and m.id = wanted.id`,
    [wanted.map(({ channel }) => channel), wanted.map(({ id }) => id)],
  )
  return new Map(rows.map(row => [`${row.channel} ${row.id}`, rowView(row)]))
}

/** The channel id of a conversation. */
function channelIn(conversation: string): string {
  return conversation.split('/', 3).join('/')
}

function placeOf(conversation: string, { name, thread, visibility }: Pick<TurnRow, 'name' | 'thread' | 'visibility'>): Place {
  const [platform = ''] = conversation.split('/')
  return {
    conversation,
    platform: decodeURIComponent(platform),
    name: name ?? '',
    ...(thread !== null && { thread }),
    visibility: visibility ?? 'private',
  }
}

function rowView(row: MessageRow): MessageView {
  return {
    id: row.id,
    ...(row.thread !== null && { thread: row.thread }),
    author: { id: row.author_id, name: row.author_name, ...(row.author_bot && { bot: true }) },
    own: row.own,
    text: row.text,
    at: row.at.toISOString(),
    ...(row.reply_to !== null && { replyTo: row.reply_to }),
    reactions: row.reactions,
    ...(row.edited_at && { edited: true }),
    ...(row.deleted_at && { deleted: true }),
  }
}
