/** Where the bot listens, what it makes of the talk there, and what is going on. */
import { Summaries } from '@kikimimi/memory-summary'
import type { App, Conversation, GivenCommand, Locale } from 'kikimimi'
import type { ChannelView, MemoryView } from './views.ts'

/** More on a page is read by nobody. */
const SHOWN = 200
const DAY = 24 * 60 * 60_000

type ChannelsApp = Pick<App, 'db' | 'clock' | 'find' | 'command'>

interface ChannelRow extends Pick<Conversation, 'platform' | 'name' | 'visibility'> {
  readonly id: string
  readonly heard: Date | null
  readonly replied: Date | null
  readonly waiting: number
}

/** The liveliest first. */
export async function channels({ db, clock }: ChannelsApp): Promise<ChannelView[]> {
  const { rows } = await db.query<ChannelRow>(
    `select c.id, c.platform, c.name, c.visibility, c.last_reply_at as replied, last.received_at as heard,
       (select count(*)::int from kikimimi.message m
        where m.conversation = c.id and m.seq > c.looked and not m.own and not m.missed and m.deleted_at is null) as waiting
     from kikimimi.conversation c
     left join lateral (
       select seq, received_at from kikimimi.message m where m.conversation = c.id order by seq desc limit 1
     ) last on true
     where c.thread is null order by last.seq desc nulls last, c.id limit $1`,
    [SHOWN],
  )
  const { rows: counts } = await db.query<{ channel: string; turns: number; replies: number }>(
    `select array_to_string((string_to_array(conversation, '/'))[1:3], '/') as channel, count(*)::int as turns,
       count(*) filter (where outcome = 'replied')::int as replies
     from kikimimi.trace where at > $1 group by 1`,
    [new Date(clock.now() - DAY)],
  )
  const today = new Map(counts.map(row => [row.channel, row]))
  return rows.map(({ id, platform, name, visibility, heard, replied, waiting }) => ({
    place: { conversation: id, platform, name, visibility },
    ...(heard && { heard: heard.toISOString() }),
    ...(replied && { replied: replied.toISOString() }),
    waiting,
    turns: today.get(id)?.turns ?? 0,
    replies: today.get(id)?.replies ?? 0,
  }))
}

/** What is remembered of a channel, and how the bot stands in it; nothing when there is no such channel. */
export async function channel(
  app: ChannelsApp,
  id: string,
  locale: Locale,
): Promise<{ status: string; memory?: MemoryView } | undefined> {
  const conversation = await find(app, id)
  if (!conversation) return undefined
  const known = await app.find(Summaries)?.list()
  const memory = known?.channels.find(one => one.id === id)
  const status = (await app.command(given(conversation, 'status', locale))) ?? ''
  return {
    status,
    ...(memory && {
      memory: { recent: memory.recent, history: memory.history, mood: memory.mood, topics: [...memory.topics] },
    }),
  }
}

/** Gives a command there, as an admin; nothing when there is no such channel or command. */
export async function command(app: ChannelsApp, id: string, text: string, locale: Locale): Promise<string | undefined> {
  const conversation = await find(app, id)
  return conversation && app.command(given(conversation, text, locale))
}

const WHO = { id: 'dashboard', name: 'dashboard' }

function given(conversation: Conversation, text: string, locale: Locale): GivenCommand {
  const may = () => true
  return { conversation, person: WHO, text, locale, moderator: may, admin: may }
}

async function find({ db }: ChannelsApp, id: string): Promise<Conversation | undefined> {
  const { rows } = await db.query<Omit<Conversation, 'thread'>>(
    'select id, platform, workspace, channel, name, visibility from kikimimi.conversation where id = $1 and thread is null',
    [id],
  )
  return rows[0]
}
