/** The messages that a digest is made from: only what everybody who reads the answer may read. */
import { type Conversation, channelOf, type Database } from 'kikimimi'
import type { Said } from './said.ts'

/** Number of messages, the latest. */
export const MOST = 1_500
/** Number of channels and threads, those with the latest messages. */
const PLACES = 60
/** The clock of a platform can be ahead of the one of the bot by this, in milliseconds. */
const AHEAD = 60_000

interface Row {
  readonly seq: number
  readonly conversation: string
  readonly channel: string
  readonly thread: string | null
  readonly place: string
  readonly workspace: string | null
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly bot: boolean
  readonly is_call: boolean
  readonly text: string
  readonly at: Date
  readonly reply_to: string | null
  readonly mentions: readonly { readonly id: string }[]
}

/** A conversation, and other workspaces to which everybody who reads it belongs: the beginnings of the ids of their conversations. */
export interface Audience {
  readonly conversation: Conversation
  readonly shared: readonly string[]
}

/**
 * What was said since a time, oldest first: in a thread, in a channel with its threads, or in a direct conversation in the channels of
 * the workspace and of those that the readers share with the bot.
 *
 * @param except the id of a message that is left out
 */
export async function loadSaid(
  db: Database,
  { conversation, shared }: Audience,
  { since, until, except = '' }: { readonly since: Date; readonly until: Date; readonly except?: string | undefined },
): Promise<readonly Said[]> {
  const { id, visibility, thread } = conversation
  const isWide = visibility === 'direct'
  const within = isWide ? `${id.split('/').slice(0, 2).join('/')}/` : `${channelOf(conversation)}/`
  const only = isWide || thread === undefined ? null : id
  const first = await db.query<{ seq: number }>(FIRST, [new Date(since.getTime() - AHEAD)])
  const [begin] = first.rows
  if (!begin) return []
  const { rows } = await db.query<Row>(LOAD, [
    ...[id, shared, within, only, isWide, since, until, except],
    ...[PLACES, MOST, begin.seq],
  ])
  return rows.map(saidOf).reverse()
}

/** The messages that still say what they said, and that the readers of the conversation may still read. */
export async function stillSaid(
  db: Database,
  { conversation, shared }: Audience,
  said: readonly Said[],
): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ seq: number; text: string }>(STILL, [conversation.id, shared, said.map(({ seq }) => seq)])
  const texts = new Map(rows.map(({ seq, text }) => [seq, text]))
  return new Set(said.filter(({ seq, text }) => texts.get(seq) === text).map(({ seq }) => seq))
}

/** When a person last spoke in each channel before a time, and in all of them, within the time that a digest looks back. */
export async function lastSpoken(
  db: Database,
  platform: string,
  person: string,
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ channel: string; at: Date }>(
    `select m.channel, max(m.at) as at from kikimimi_v1.message m
     where m.author_id = $1 and starts_with(m.conversation, $2) and m.at > $3 and m.at <= $4 group by m.channel`,
    [person, `${encodeURIComponent(platform)}/`, from, before],
  )
  return new Map(rows.map(({ channel, at }) => [channel, at]))
}

/** Those of the ids of messages, each in its channel, that a person wrote. */
export async function writtenBy(db: Database, person: string, said: readonly Said[]): Promise<ReadonlySet<string>> {
  const answered = said.flatMap(({ channel, replyTo }) => (replyTo === undefined ? [] : [{ channel, replyTo }]))
  if (answered.length === 0) return new Set()
  const { rows } = await db.query<{ channel: string; id: string }>(
    `select m.channel, m.id from unnest($1::text[], $2::text[]) as a(channel, id)
     join kikimimi_v1.message m on m.channel = a.channel and m.id = a.id where m.author_id = $3`,
    [answered.map(({ channel }) => channel), answered.map(({ replyTo }) => replyTo), person],
  )
  return new Set(rows.map(({ channel, id }) => `${channel} ${id}`))
}

/** The readers of the answer. Of a shared workspace they are told the public messages alone. */
const READERS = `
  (select workspace, places, closed, null::text as within from kikimimi_v1.audience($1)
   union all select w, '{}'::text[], '{}'::text[], w from unnest($2::text[]) w) a`

const READABLE = `
  cross join lateral kikimimi_v1.place_of(m.conversation, null, m.seq) t
  cross join lateral kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)
  where m.deleted_at is null and not m.being_forgotten and m.text <> ''`

/** The first message received since a time. With its number, LOAD reads the end of each conversation instead of all of it. */
const FIRST = 'select seq from kikimimi_v1.message where received_at >= $1 order by received_at, seq limit 1'

const LOAD = `
  select m.seq, m.conversation, m.channel, c.thread, coalesce(p.name, c.name) as place,
    case when a.within is not null then c.details->>'workspaceName' end as workspace, m.id, m.author_id, m.author_name,
    m.author_bot or m.own as bot, coalesce(m.addressed <> 'direct', false) as is_call, left(m.text, 2000) as text, m.at, m.reply_to, m.mentions
  from ${READERS}
  cross join lateral (
    select l.conversation from kikimimi_v1.latest l
    where (l.conversation = rtrim($3, '/') and a.within is null or starts_with(l.conversation, coalesce(a.within, $3)))
      and ($4::text is null or l.conversation = $4) and l.received_at > $6 and not ($5 and l.conversation = $1)
    order by l.received_at desc limit $9
  ) l
  join kikimimi_v1.conversation c on c.id = l.conversation and (c.visibility <> 'direct' or c.id = $1)
  cross join lateral (
    select x.seq, x.conversation, x.channel, x.id, x.author_id, x.author_name, x.author_bot, x.own, x.addressed, x.text, x.at, x.reply_to, x.mentions,
      x.deleted_at, x.being_forgotten
    from kikimimi_v1.message x where x.conversation = l.conversation and x.seq >= $11 and x.at > $6 and x.at <= $7 and x.id <> $8
    order by x.seq desc limit $10
  ) m
  left join kikimimi_v1.conversation p on p.id = m.channel
  ${READABLE}
  order by m.at desc, m.seq desc limit $10`

const STILL = `
  select m.seq, left(m.text, 2000) as text from ${READERS}
  cross join kikimimi_v1.message m ${READABLE} and m.seq = any($3)`

function saidOf({ author_id, author_name, thread, reply_to, mentions, bot, is_call, place, workspace, ...row }: Row): Said {
  return {
    ...row,
    place: workspace === null ? place : `${place} (${workspace})`,
    author: { id: author_id, name: author_name },
    bot,
    isCall: is_call,
    ...(thread !== null && { thread }),
    ...(reply_to !== null && { replyTo: reply_to }),
    mentions: mentions.map(({ id }) => id),
  }
}
