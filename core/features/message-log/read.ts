/** Reads messages under the conditions that hold for every reader. */
import type { Database, LoggedMessage, LogQuery, PersonKey, Visibility } from '../../api/index.ts'
import { type ConversationRow, type MessageRow, toConversation, toMessage } from '../../storage/store/rows.ts'

/** A condition on messages `m` of `kikimimi_v1.message`: those that anything may be made of. Programs without a bot read with it too. */
export const IS_KEPT = 'm.deleted_at is null and not m.being_forgotten'

/** Those that have content. */
export const HAS_CONTENT = `(m.text <> '' or m.parts <> '[]' or m.attachments <> '[]')`

/** A condition that leaves out what one of the readers `a` could not read. */
export const IS_TOLD = `exists (
    select 1 from kikimimi_v1.place_of(m.conversation, null, m.seq) t,
      kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)
  )`

const MESSAGE = `m.seq, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text, m.mentions, m.attachments,
  m.parts, m.reactions, m.reply_to, m.at, m.received_at, m.edited_at, m.conversation as conversation_id,
  c.platform, c.workspace, c.channel, c.thread, coalesce(h.name, c.name) as name, c.details, now.visibility, c.own_readers, c.outsiders,
  t.place, t.visibility as said`

/**
 * Messages that a statement has chosen, with their conversations, and with the place in which each was said. The place is looked up once for
 * all messages of a conversation between two changes of its readers, because that takes longer than the message. `era` is the last message
 * before such a change, and 0 when there was none since.
 */
export const described = (chosen: string) => `
  with m as materialized (${chosen}), era as materialized (
    select m.seq, m.conversation, coalesce((
      select min(upto) from kikimimi.readers_before b where b.conversation in (m.conversation, m.channel) and b.upto >= m.seq
    ), 0) as upto from m
  ), told as materialized (
    select e.conversation, e.upto, t.place, t.visibility
    from (select conversation, upto from era union select conversation, 0 from era) e
      cross join lateral kikimimi_v1.place_of(e.conversation, null, nullif(e.upto, 0)) t
  )
  select ${MESSAGE} from m join kikimimi.conversation c on c.id = m.conversation
    join era e on e.seq = m.seq
    join told t on t.conversation = e.conversation and t.upto = e.upto
    join told now on now.conversation = m.conversation and now.upto = 0
    left join kikimimi.conversation h on c.thread is not null and h.id = m.channel
  order by m.seq`

export type LogRow = Omit<MessageRow, 'answered_by' | 'recalled' | 'left_out' | 'revise' | 'refused'> &
  Omit<ConversationRow, 'processed' | 'last_reply_at' | 'waiting_since' | 'unfinished'> & {
    readonly conversation_id: string
    readonly place: string
    readonly said: Visibility
    readonly edited_at: Date | null
  }

export function toLogged(row: LogRow): LoggedMessage {
  return {
    ...toMessage({ ...row, answered_by: null, recalled: false, left_out: false, revise: null, refused: null }),
    seq: row.seq,
    conversation: toConversation(row.conversation_id, row),
    said: { place: row.place, visibility: row.said },
    receivedAt: row.received_at,
    ...(row.edited_at && { editedAt: row.edited_at }),
  }
}

const MOST = 10_000

export async function readLog(db: Database, query: LogQuery): Promise<readonly LoggedMessage[]> {
  const params: unknown[] = []
  const { rows } = await db.query<LogRow>(described(chosenBy(query, of => `$${params.push(of)}`)), params)
  return rows.map(toLogged)
}

/** Adds a parameter to a statement, and returns its name. */
type Value = (of: unknown) => string

function chosenBy(query: LogQuery, value: Value): string {
  const { readers, first, limit } = query
  const order = `order by m.seq ${first ? '' : 'desc'}`
  const limited = `${order} limit ${value(Math.min(MOST, limit))}`
  const admitted = `select m.* from kikimimi_v1.message m where ${conditionsOf(query, value).join(' and ')}`
  const audience = readers === 'operator' ? undefined : `kikimimi_v1.audience(${value(readers.id)}) a`
  const within = placesOf(query, value)
  if (within) {
    const parts = audience ? toldOf(within, audience) : within
    const each = `${admitted} and m.conversation = p.id ${audience ? 'and m.seq > p.after and m.seq <= p.upto' : ''} ${limited}`
    return `select m.* from (${parts}) p cross join lateral (${each}) m ${limited}`
  }
  if (!audience) return `${admitted} ${limited}`
  // `offset 0`: one after the other is tested for the readers until there are enough. Otherwise Postgres may test all, and sort them.
  return `select n.* from ${audience}
    cross join lateral (select m.* from (${admitted} ${order} offset 0) m where ${IS_TOLD} ${limited}) n`
}

/** The conversations of a query, each read on its own from its end: the log has an index of the messages of each. */
function placesOf({ conversations, channel, receivedSince }: LogQuery, value: Value): string | undefined {
  if (conversations) return `select distinct unnest(${value(conversations)}::text[]) as id`
  if (channel === undefined) return undefined
  const name = value(channel)
  return `select l.conversation as id from kikimimi.latest l where (l.conversation = ${name} or starts_with(l.conversation, ${name} || '/'))
    ${receivedSince ? `and l.received_at > ${value(receivedSince)}` : ''}`
}

/** What the readers `a` may read of conversations, each from one change of its readers to the next. */
export const toldOf = (within: string, audience: string) => `
  select e.id, e.after, e.upto from ${audience} cross join (
    select c.id, b.upto, coalesce(lag(b.upto) over (partition by c.id order by b.upto), 0) as after
    from (${within}) c cross join lateral (
      select upto from kikimimi.readers_before where conversation in (c.id, kikimimi.channel_of(c.id)) union select ${LAST}
    ) b
  ) e
  cross join lateral kikimimi_v1.place_of(e.id, null, e.upto) t
  cross join lateral kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)`

/** The largest number that a message can have. */
const LAST = '9223372036854775807'

function conditionsOf(query: LogQuery, value: Value): readonly string[] {
  const { conversations, channel, messages, people, own, author, authors, words, someWords, files, after, before } = query
  const { since, until, receivedSince, receivedUntil, editedSince } = query
  const columns = (of: NonNullable<LogQuery['messages']>) =>
    `${value(of.map(one => one.channel))}::text[], ${value(of.map(({ id }) => id))}::text[]`
  return [
    IS_KEPT,
    HAS_CONTENT,
    ...(conversations && channel !== undefined ? [`m.channel = ${value(channel)}`] : []),
    ...(messages ? [`(m.channel, m.id) in (select * from unnest(${columns(messages)}) one)`] : []),
    ...(people ? [`not m.own and not m.author_bot and m.author_id <> ''`] : []),
    ...(own === undefined ? [] : [own ? 'm.own' : 'not m.own']),
    ...(since ? [`m.at > ${value(since)}`] : []),
    ...(until ? [`m.at <= ${value(until)}`] : []),
    ...(receivedSince ? [`m.received_at > ${value(receivedSince)}`, `m.seq >= ${firstSince(value(receivedSince))}`] : []),
    ...(receivedUntil ? [`m.received_at <= ${value(receivedUntil)}`] : []),
    ...(editedSince ? [`m.edited_at > ${value(editedSince)}`] : []),
    ...(author === undefined ? [] : [isBy(value(author))]),
    ...(authors ? areBy(authors, value) : []),
    ...(words ? [`${PLAIN} ilike all(${value(words.map(patternOf))}::text[])`] : []),
    ...(someWords ? [`${PLAIN} ilike any(${value(someWords.map(patternOf))}::text[])`] : []),
    ...(files ? [`m.attachments <> '[]'`] : []),
    ...(after === undefined ? [] : [`m.seq > ${value(after)}`]),
    ...(before === undefined ? [] : [`m.seq < ${value(before)}`]),
  ]
}

/**
 * The number of the first message received since a time, so that the end of the log is read instead of all of it. The clocks of processes
 * that record messages at the same time can differ by a minute.
 */
const firstSince = (time: string) => `(
  select f.seq from kikimimi.message f where f.received_at > ${time}::timestamptz - interval '1 minute' order by f.received_at, f.seq limit 1
)`

const isBy = (author: string) => `(m.author_id = ${author} or lower(m.author_name) = lower(${author}))`

/** The first condition finds them by an index. */
function areBy(authors: readonly PersonKey[], value: Value): readonly string[] {
  const ids = value(authors.map(({ id }) => id))
  const platforms = value(authors.map(({ platform }) => encodeURIComponent(platform)))
  const named = `select * from unnest(${platforms}::text[], ${ids}::text[]) one`
  return [`m.author_id = any(${ids}::text[])`, `(split_part(m.conversation, '/', 1), m.author_id) in (${named})`]
}

/** The text, with letters of full and half width alike. */
const PLAIN = 'normalize(m.text, nfkc)'

const patternOf = (word: string) => `%${word.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`

/** See `MessageLog.unchanged`. */
export async function areUnchanged(db: Database, messages: readonly LoggedMessage[]): Promise<boolean> {
  const { rows } = await db.query<{ seq: number; text: string }>('select seq, text from kikimimi_v1.lock_messages($1)', [
    messages.map(({ seq }) => seq),
  ])
  const texts = new Map(rows.map(({ seq, text }) => [seq, text]))
  if (!messages.every(({ seq, text }) => texts.get(seq) === text)) return false
  const [one] = messages
  return !one || !(await isForgetting(db, one.conversation.id))
}

/** Whether a person on the platform of a conversation is being erased. Until then nothing is made of the log there. */
export async function isForgetting(db: Database, conversation: string): Promise<boolean> {
  const { rows } = await db.query<{ forgetting: boolean }>('select kikimimi_v1.is_forgetting($1) as forgetting', [conversation])
  return rows[0]?.forgetting === true
}
