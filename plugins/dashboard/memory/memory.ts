/** The memory of the bot for its operator, including private facts. */

import { type Fact, type FactStore, Facts, type Recalled, type SearchBy } from '@kikimimi/facts'
import type { Database, PersonKey, PluginContext } from 'kikimimi'
import { channelsById, LATEST_CHANNELS } from '../channels/channels.ts'
import type { Place } from '../history/views.ts'
import type { FactView, PersonView } from './views.ts'

/** Maximum number on a page. */
const SHOWN = 50
const PLACES = 500
const PEOPLE = 200

type Deps = Pick<PluginContext, 'db' | 'use'>

/** Channels, most recently active first. */
export async function places(db: Database): Promise<Place[]> {
  const { rows } = await db.query<Place>(
    `select c.id as conversation, c.platform, c.name, c.visibility
     from ${LATEST_CHANNELS} shown join kikimimi_v1.conversation c on c.id = shown.conversation
     order by shown.seq desc nulls last, c.id`,
    [PLACES],
  )
  return rows
}

/** A page of facts, and whether there are more. */
export interface FactsPage {
  readonly facts: FactView[]
  readonly more: boolean
}

export interface FactsQuery {
  readonly conversation: string
  readonly text: string
  readonly by: SearchBy
  /** Number of facts on earlier pages. */
  readonly offset: number
}

/**
 * Facts that a channel's audience may read and that match a text, best first; without a text the latest. Undefined
 * without a plugin for facts or for an unknown channel. Throws like {@link FactStore.search}.
 */
export async function facts({ db, use }: Deps, { conversation: id, text, by, offset }: FactsQuery): Promise<FactsPage> {
  const store = use(Facts, 'optional')
  const [conversation] = await channelsById(db, [id])
  if (!store || !conversation) return { facts: [], more: false }
  if (text === '') return page(await store.list({ conversation, limit: SHOWN + 1, offset }), shown => views(db, store, shown))
  const found = await store.search({ conversation, text, by, limit: offset + SHOWN + 1, messages: false })
  return page(found.slice(offset), shown => recalledViews(db, store, shown))
}

/** All facts about a person or said by them, from all conversations, latest first. */
export async function factsAbout({ db, use }: Deps, person: PersonKey, offset: number): Promise<FactsPage> {
  const store = use(Facts, 'optional')
  if (!store) return { facts: [], more: false }
  return page(await store.about(person, { limit: SHOWN + 1, offset }), shown => views(db, store, shown))
}

/** A fact with those that it replaced and that replaced it, oldest first; undefined if it does not exist. */
export async function factHistory({ db, use }: Deps, id: number): Promise<FactView[]> {
  const store = use(Facts, 'optional')
  return store ? views(db, store, await store.history(id)) : []
}

async function page<T>(found: readonly T[], show: (shown: readonly T[]) => Promise<FactView[]>): Promise<FactsPage> {
  return { facts: await show(found.slice(0, SHOWN)), more: found.length > SHOWN }
}

async function recalledViews(db: Database, store: FactStore, found: readonly Recalled[]): Promise<FactView[]> {
  const recalled = found.flatMap(one => (one.kind === 'fact' ? one : []))
  const shown = await views(
    db,
    store,
    recalled.map(({ fact }) => fact),
  )
  return shown.map((view, at) => {
    const { score, evidence, relevance, parts } = recalled[at] ?? {}
    return { ...view, score, evidence, relevance, parts }
  })
}

async function views(db: Database, store: FactStore, given: readonly Fact[]): Promise<FactView[]> {
  const known = new Map((await channelsById(db, [...new Set(given.map(({ channel }) => channel))])).map(one => [one.id, one]))
  const said = await messages(
    db,
    given.flatMap(({ sources }) => sources),
  )
  const names = new Map([...[...said.values()].map(({ author, name }) => [author, name] as const), ...(await store.names(given))])
  const somebody = (id: string) => ({ id, name: names.get(id) ?? id })
  return given.map(({ channel, visibility, at, people, strength, validTo, editedAt, sources, ...fact }): FactView => {
    const { id, content, kind, confidence, shareable, pinned } = fact
    const place = known.get(channel)
    const [platform = '', , name = ''] = channel.split('/').map(decodeURIComponent)
    return {
      id,
      content,
      kind,
      people: people.map(somebody),
      confidence,
      shareable,
      pinned,
      at: at.toISOString(),
      platform,
      channel: place?.name ?? name,
      // The memory of a channel that became private is private.
      visibility: visibility === 'public' ? (place?.visibility ?? visibility) : visibility,
      recalled: strength,
      ...(validTo && { until: validTo.toISOString() }),
      ...(editedAt && { edited: editedAt.toISOString() }),
      sources: sources.map(({ message, author, quote, channel }) => {
        const at = said.get(`${channel} ${message}`)?.at.toISOString()
        return { message, author: somebody(author), ...(at && { at }), ...(quote && { quote }) }
      }),
    }
  })
}

interface Said {
  readonly author: string
  readonly name: string
  readonly at: Date
}

/** By channel and id, those that are in the log. */
async function messages(db: Database, sources: Fact['sources']): Promise<ReadonlyMap<string, Said>> {
  const { rows } = await db.query<Said & { channel: string; id: string }>(
    `select m.channel, m.id, m.author_id as author, m.author_name as name, m.at
     from kikimimi_v1.message m join unnest($1::text[], $2::text[]) as wanted(channel, id) on m.channel = wanted.channel and m.id = wanted.id
     where m.deleted_at is null`,
    [sources.map(({ channel }) => channel), sources.map(({ message }) => message)],
  )
  return new Map(rows.map(({ channel, id, ...said }) => [`${channel} ${id}`, said]))
}

/** From these facts, or from the latest message; otherwise the id. */
export async function nameOf(db: Database, { platform, id }: PersonKey, facts: readonly FactView[]): Promise<string> {
  const named = facts.flatMap(({ people, sources }) => [...people, ...sources.map(({ author }) => author)])
  const known = named.find(one => one.id === id && one.name !== id)
  if (known) return known.name
  const { rows } = await db.query<{ name: string }>(
    'select name from kikimimi_v1.author where platform = $1 and id = $2 order by month desc limit 1',
    [encodeURIComponent(platform), id],
  )
  return rows[0]?.name ?? id
}

/** Months in which each of the latest people may have spoken before the list of them is no longer complete. */
const MONTHS = 24

/** Authors of messages, latest first. */
export async function people(db: Database): Promise<PersonView[]> {
  const { rows } = await db.query<{ platform: string; id: string; name: string; messages: number; last: Date }>(
    // A person has a row for each month. The days of that many rows include the latest people.
    `with recent as (select platform, id, last_day from kikimimi_v1.author where not bot order by last_day desc limit $1 * ${MONTHS}),
       latest as (
         select platform, id, max(last_seq) as last_seq from kikimimi_v1.author
         where not bot and last_day >= (select min(last_day) from (select max(last_day) as last_day from recent group by platform, id
           order by 1 desc limit $1) people)
         group by platform, id order by max(last_seq) desc limit $1
       )
     select l.platform, l.id, (array_agg(a.name order by a.last_seq desc))[1] as name, sum(a.messages)::int as messages,
       (array_agg(a.last_at order by a.last_seq desc))[1] as last
     from latest l join kikimimi_v1.author a on a.platform = l.platform and a.id = l.id
     group by l.platform, l.id, l.last_seq order by l.last_seq desc`,
    [PEOPLE],
  )
  return rows.map(({ platform, last, ...row }) => ({ ...row, platform: decodeURIComponent(platform), last: last.toISOString() }))
}
