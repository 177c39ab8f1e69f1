/** The channels of the bot, and their activity. */
import { type Conversation, type Database, type Locale, MessageLog, Operator, type PluginContext } from 'kikimimi'
import type { ExplainedOption } from 'kikimimi/host'
import type { GivenCommand } from 'kikimimi/platform'
import { findChannels } from '../turns/choices.ts'
import type { ChannelView, OptionView } from './views.ts'

/** Maximum number on a page. */
const SHOWN = 500
const DAY = 24 * 60 * 60_000

interface ChannelRow extends Pick<Conversation, 'platform' | 'name' | 'visibility'> {
  readonly id: string
  readonly heard: Date | null
  readonly replied: Date | null
  readonly processed: number
  readonly waits: boolean
}

/** Part of a query: the $1 channels with the newest messages, and channels without messages while there are fewer. */
export const LATEST_CHANNELS = `(
  with latest as (
    select conversation, seq, received_at from kikimimi_v1.latest
    where split_part(conversation, '/', 4) = '' and hour >= coalesce((
      select hour from kikimimi_v1.latest where split_part(conversation, '/', 4) = '' order by hour desc offset $1 - 1 limit 1
    ), '-infinity')
    order by seq desc limit $1
  ), silent as (
    select c.id from kikimimi_v1.conversation c
    where c.thread is null and not exists (select 1 from kikimimi_v1.latest l where l.conversation = c.id)
      -- Not evaluated when there are enough channels with messages.
      and (select count(*) from latest) < $1
    order by c.id limit $1
  )
  select conversation, seq, received_at from latest union all select id, null, null from silent
  order by seq desc nulls last, conversation limit $1
)`

const FOUND = `(select c.id as conversation, l.seq, l.received_at from kikimimi_v1.conversation c
  left join kikimimi_v1.latest l on l.conversation = c.id where c.id = any($1))`

/** Most active first: all, or those that a text finds. */
export async function channels(
  { db, clock, use }: Pick<PluginContext, 'db' | 'clock' | 'use'>,
  text = '',
): Promise<ChannelView[]> {
  const [from, wanted] =
    text === '' ? [LATEST_CHANNELS, SHOWN] : [FOUND, (await findChannels(db, text)).map(({ conversation }) => conversation)]
  const { rows } = await db.query<ChannelRow>(
    `select c.id, c.platform, c.name, c.visibility, c.last_reply_at as replied, shown.received_at as heard,
       c.processed, coalesce(shown.seq > c.processed, false) as waits
     from ${from} shown join kikimimi_v1.conversation c on c.id = shown.conversation
     order by shown.seq desc nulls last, c.id`,
    [wanted],
  )
  const { rows: counts } = await db.query<{ channel: string; turns: number; replies: number }>(
    `select channel, sum(turns)::int as turns, sum(replies)::int as replies
     from kikimimi_v1.turn_count where channel = any($2) and hour > $1 group by channel`,
    [new Date(clock.now() - DAY), rows.map(({ id }) => id)],
  )
  const today = new Map(counts.map(row => [row.channel, row]))
  const answers = await use(Operator).upcoming.answers()
  // Almost no channel has messages that wait: its last one tells.
  const waiting = await waitingIn(
    use(MessageLog),
    rows.filter(({ waits }) => waits),
  )
  return rows.map(({ id, platform, name, visibility, heard, replied }) => ({
    place: { conversation: id, platform, name, visibility },
    ...(heard && { heard: heard.toISOString() }),
    ...(replied && { replied: replied.toISOString() }),
    waiting: waiting.get(id) ?? 0,
    answers: answers.filter(({ conversation }) => `${conversation}/`.startsWith(`${id}/`)).length,
    turns: today.get(id)?.turns ?? 0,
    replies: today.get(id)?.replies ?? 0,
  }))
}

/** More are not counted. */
const WAITING = 1_000

/** How many messages of each conversation wait for a turn. */
export async function waitingIn(
  log: MessageLog,
  conversations: readonly { readonly id: string; readonly processed: number }[],
): Promise<ReadonlyMap<string, number>> {
  const count = async ({ id, processed }: (typeof conversations)[number]) => {
    const since = { readers: 'operator', conversations: [id], after: processed, own: false, limit: WAITING } as const
    return [id, (await log.read(since)).filter(({ missed }) => !missed).length] as const
  }
  return new Map(await Promise.all(conversations.map(count)))
}

/** Those that exist. */
export async function channelsById(db: Database, ids: readonly string[]): Promise<Omit<Conversation, 'thread'>[]> {
  const { rows } = await db.query<Omit<Conversation, 'thread' | 'readers'> & { readonly outsiders: boolean }>(
    `select id, platform, workspace, channel, name, visibility, outsiders from kikimimi_v1.conversation
     where id = any($1) and thread is null`,
    [ids],
  )
  return rows.map(({ outsiders, ...row }) => ({ ...row, ...(outsiders && { readers: { outsiders } }) }))
}

/** Undefined for an unknown channel. */
export async function findChannel({ db }: Pick<PluginContext, 'db'>, id: string): Promise<Conversation | undefined> {
  return (await channelsById(db, [id]))[0]
}

/** Actions of the page. */
export const ORDERS = ['quiet 1h', 'quiet 8h', 'talk', 'stop', 'start'] as const

/** The chat command of an action. */
export const verbOf = (order: string) => order.split(' ')[0]

/** The user of the page. */
export const WHO = { id: 'dashboard', name: 'dashboard' }

/** Runs a chat command in the channel, with all permissions. */
export function given(conversation: Conversation, text: string, locale: Locale): GivenCommand {
  const may = () => true
  return { conversation, person: WHO, text, locale, moderator: may, admin: may }
}

/** Options as the API has them. */
export function optionsIn<O extends ExplainedOption>(options: readonly O[]): (Omit<O, 'setAt'> & Pick<OptionView, 'setAt'>)[] {
  return options.map(({ setAt, ...option }) => ({ ...option, ...(setAt && { setAt: setAt.toISOString() }) }))
}
