/** What the bot remembers, for whoever runs it: what was said in private is among it. */
import { type Fact, type FactStore, Facts, type Recalled } from '@kikimimi/facts'
import type { App, Conversation, Database } from 'kikimimi'
import type { FactView, PersonView, Place } from './views.ts'

/** More on a page is read by nobody. */
const SHOWN = 50
const PLACES = 500
const PEOPLE = 200

interface ChannelRow extends Omit<Conversation, 'thread'> {}

/** Channels, those first in which something was said last. */
async function channels(db: Database): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>(
    `select c.id, c.platform, c.workspace, c.channel, c.name, c.visibility from kikimimi.conversation c
     where c.thread is null
     order by (select max(m.seq) from kikimimi.message m where m.conversation = c.id) desc nulls last, c.id limit $1`,
    [PLACES],
  )
  return rows
}

export async function places(db: Database): Promise<Place[]> {
  return (await channels(db)).map(({ id, platform, name, visibility }) => ({ conversation: id, platform, name, visibility }))
}

/**
 * What would be found for a text where it is readable in a channel, best first; without a text the latest. Nothing where
 * no plugin keeps facts, or there is no such channel.
 */
export async function facts(
  app: Pick<App, 'db' | 'find'>,
  { conversation: id, text }: { readonly conversation: string; readonly text: string },
): Promise<FactView[]> {
  const known = await channels(app.db)
  const conversation = known.find(one => one.id === id)
  const store: FactStore | undefined = app.find(Facts)
  if (!store || !conversation) return []
  const nameOf = (channel: string) => known.find(one => one.id === channel)?.name ?? ''
  if (text === '') return (await store.list({ conversation, limit: SHOWN })).map(fact => factView(fact, nameOf(fact.channel)))
  const found = await store.search({ conversation, text, limit: SHOWN, messages: false })
  return found.flatMap(one => (one.kind === 'fact' ? recalledView(one, nameOf(one.fact.channel)) : []))
}

function recalledView(one: Extract<Recalled, { kind: 'fact' }>, channel: string): FactView {
  const { fact, names, score, evidence } = one
  return { ...factView(fact, channel), people: fact.people.map(id => names.get(id) ?? id), score, evidence }
}

function factView(
  { id, content, kind, people, confidence, pinned, at, visibility, strength, validTo, sources }: Fact,
  channel: string,
): FactView {
  return {
    id,
    content,
    kind,
    people: [...people],
    confidence,
    pinned,
    at: at.toISOString(),
    channel,
    visibility,
    recalled: strength,
    ...(validTo && { until: validTo.toISOString() }),
    quotes: sources.flatMap(({ quote }) => quote ?? []),
  }
}

/** Who has said something, the latest first. */
export async function people(db: Database): Promise<PersonView[]> {
  const { rows } = await db.query<{ platform: string; id: string; name: string; messages: number; last: Date }>(
    `select c.platform, m.author_id as id, (array_agg(m.author_name order by m.seq desc))[1] as name, count(*)::int as messages,
       max(m.at) as last
     from kikimimi.message m join kikimimi.conversation c on c.id = m.conversation
     where not m.own and not m.author_bot and m.deleted_at is null
     group by c.platform, m.author_id order by max(m.seq) desc limit $1`,
    [PEOPLE],
  )
  return rows.map(row => ({ ...row, last: row.last.toISOString() }))
}
