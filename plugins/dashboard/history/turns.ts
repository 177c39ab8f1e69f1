/** Past turns and messages for the page. */
import { type Conversation, channelOf, type LoggedMessage, MessageLog, type PluginContext, type Trace } from 'kikimimi'
import type { MessageView, Place, TurnView } from './views.ts'

interface TurnRow {
  readonly data: Omit<Trace, 'at'>
  readonly at: Date
  readonly name: string | null
  readonly thread: string | null
  readonly visibility: Conversation['visibility'] | null
}

/** What the history is read with. */
export type Reading = Pick<PluginContext, 'db' | 'use'>

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
export async function turns(ctx: Reading, { limit, conversation, turns, before }: Which): Promise<TurnView[]> {
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
  const { rows } = await ctx.db.query<TurnRow>(
    `select t.data, t.at, c.name, c.thread, c.visibility
     from ${from} left join kikimimi_v1.conversation c on c.id = t.conversation
     ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by t.at desc, t.seq desc ${turns ? '' : `limit ${given(limit)}`}`,
    values,
  )
  return viewsOf(ctx, rows)
}

/** The place of a turn in the order of all turns, newest first: microseconds since the epoch, and its number. */
export interface TurnKey {
  readonly at: bigint
  readonly seq: bigint
}

/** The turns at these places, in this order. */
export async function turnsAt(ctx: Reading, keys: readonly TurnKey[]): Promise<TurnView[]> {
  if (keys.length === 0) return []
  const { rows } = await ctx.db.query<TurnRow>(
    `select t.data, t.at, c.name, c.thread, c.visibility
     from unnest($1::bigint[], $2::bigint[]) as k(at, seq)
     join kikimimi_v1.trace t on t.seq = k.seq and t.at = timestamptz 'epoch' + k.at * interval '1 microsecond'
     left join kikimimi_v1.conversation c on c.id = t.conversation
     order by k.at desc, k.seq desc`,
    [keys.map(({ at }) => String(at)), keys.map(({ seq }) => String(seq))],
  )
  return viewsOf(ctx, rows)
}

async function viewsOf(ctx: Reading, rows: readonly TurnRow[]): Promise<TurnView[]> {
  const ids = ({ messages, sent }: TurnRow['data']) => [...messages, ...sent]
  const found = await messagesById(
    ctx,
    rows.flatMap(({ data }) => ids(data).map(id => ({ channel: channelIn(data.conversation), id }))),
  )
  return rows.map(({ data, at, ...where }) => {
    const views = (ids: readonly string[]) =>
      ids.map(id => found.get(`${channelIn(data.conversation)} ${id}`) ?? goneView(id, at))
    return {
      place: placeOf(data.conversation, where),
      trace: { ...data, at: at.toISOString() },
      messages: views(data.messages),
      said: views(data.sent),
    }
  })
}

/** The last messages of a channel and its threads, oldest first. */
export async function latestMessages({ use }: Reading, channel: string, limit: number): Promise<MessageView[]> {
  return (await use(MessageLog).read({ readers: 'operator', channel, limit })).map(messageView)
}

export async function findMessage(
  { use }: Pick<Reading, 'use'>,
  channel: string,
  id: string,
): Promise<(MessageView & { readonly conversation: string }) | undefined> {
  const [found] = await use(MessageLog).read({ readers: 'operator', messages: [{ channel, id }], limit: 1 })
  return found && { ...messageView(found), conversation: found.conversation.id }
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
  { use }: Pick<Reading, 'use'>,
  wanted: readonly { readonly channel: string; readonly id: string }[],
): Promise<ReadonlyMap<string, MessageView>> {
  if (wanted.length === 0) return new Map()
  const found = await use(MessageLog).read({ readers: 'operator', messages: wanted, limit: wanted.length })
  return new Map(found.map(one => [`${channelOf(one.conversation)} ${one.id}`, messageView(one)]))
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

function messageView({
  id,
  conversation: { thread },
  author,
  own,
  text,
  at,
  replyTo,
  reactions = [],
  editedAt,
}: LoggedMessage): MessageView {
  return {
    ...{ id, author, own, text, at: at.toISOString(), reactions: reactions.map(({ emoji, by }) => ({ emoji, by: [...by] })) },
    ...(thread !== undefined && { thread }),
    ...(replyTo !== undefined && { replyTo }),
    ...(editedAt && { edited: true }),
  }
}

/** A message of a turn that is deleted, or that the bot must not remember. */
function goneView(id: string, at: Date): MessageView {
  return { id, author: { id: '', name: '' }, own: false, text: '', at: at.toISOString(), reactions: [], deleted: true }
}
