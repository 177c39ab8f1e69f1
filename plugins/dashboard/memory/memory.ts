/** The memory of the bot for its operator, including private facts. */

import { type Fact, type FactStore, Facts, type Recalled, type ReviewQuery, type SearchBy } from '@kikimimi/facts'
import { channelOf, type Database, KikimimiError, MessageLog, type PluginContext } from 'kikimimi'
import { channelsById, LATEST_CHANNELS } from '../channels/channels.ts'
import { placeView, turnsAt } from '../history/turns.ts'
import type { Place, TurnView } from '../history/views.ts'
import type { FactView, InboxEntry, InboxPage } from './views.ts'

/** Maximum number on a page. */
const SHOWN = 50
const PLACES = 500

type Deps = Pick<PluginContext, 'db' | 'use'>

/** Channels, most recently active first, and one that is listed in any case. */
export async function places(db: Database, also?: string): Promise<Place[]> {
  const { rows } = await db.query<Place>(
    `select c.id as conversation, c.platform, c.name, c.visibility
     from ${LATEST_CHANNELS} shown join kikimimi_v1.conversation c on c.id = shown.conversation
     order by shown.seq desc nulls last, c.id`,
    [PLACES],
  )
  if (also === undefined || rows.some(({ conversation }) => conversation === also)) return rows
  return [...(await channelsById(db, [also])).map(placeView), ...rows]
}

/** A page of facts, and where the next one begins. */
export interface FactsPage {
  readonly facts: FactView[]
  readonly next?: string
}

export interface FactsQuery {
  readonly conversation: string
  readonly text: string
  readonly by: SearchBy
  /** {@link FactsPage.next} of the page before. */
  readonly before?: string | undefined
}

/**
 * Facts that a channel's audience may read and that match a text, best first; without a text the latest. None without a plugin for facts or
 * for an unknown channel.
 *
 * @throws ARGUMENT_INVALID for a `before` that no page has returned, and like {@link FactStore.search}
 */
export async function facts({ db, use }: Deps, { conversation: id, text, by, before }: FactsQuery): Promise<FactsPage> {
  const store = use(Facts, 'optional')
  const [conversation] = await channelsById(db, [id])
  if (!store || !conversation) return { facts: [] }
  if (text === '') {
    const found = await store.list({ conversation, limit: SHOWN + 1, ...(before !== undefined && { before: factAt(before) }) })
    const shown = found.slice(0, SHOWN)
    const last = found.length > SHOWN && shown.at(-1)
    return { facts: await views({ db, use }, store, shown), ...(last && { next: `${last.at.getTime()}.${last.id}` }) }
  }
  // What fits best has no place that lasts: a page begins after so many results.
  const read = before === undefined ? 0 : rankAt(before)
  const found = await store.search({ conversation, text, by, limit: read + SHOWN + 1, messages: false })
  const shown = found.slice(read, read + SHOWN)
  return {
    facts: await recalledViews({ db, use }, store, shown),
    ...(found.length > read + SHOWN && { next: `${read + SHOWN}` }),
  }
}

function factAt(before: string): Pick<Fact, 'at' | 'id'> {
  const [, ms, id] = /^(-?\d{1,15})\.(\d{1,15})$/.exec(before) ?? []
  if (ms !== undefined && id !== undefined) return { at: new Date(Number(ms)), id: Number(id) }
  throw noPage()
}

function rankAt(before: string): number {
  if (/^\d{1,5}$/.test(before)) return Number(before)
  throw noPage()
}

function noPage(): KikimimiError {
  return new KikimimiError('ARGUMENT_INVALID', 'before is the value `next` of an earlier page.')
}

/**
 * Facts of all channels to review, or all of a person.
 *
 * @throws ARGUMENT_INVALID like {@link FactStore.review}
 */
export async function inbox({ db, use }: Deps, query: Omit<ReviewQuery, 'limit'>): Promise<InboxPage> {
  const store = use(Facts, 'optional')
  if (!store) return { kept: false, entries: [] }
  const { entries, next } = await store.review({ ...query, limit: SHOWN })
  const all = entries.flatMap(({ fact, against, replacedBy }) => [fact, ...against, ...(replacedBy ? [replacedBy] : [])])
  const known = new Map((await views({ db, use }, store, all)).map(view => [view.id, view]))
  return {
    kept: true,
    entries: entries.flatMap(({ fact, against, replacedBy, endsAt, ends, batch }): InboxEntry[] => {
      const [view, by] = [known.get(fact.id), replacedBy && known.get(replacedBy.id)]
      if (!view) return []
      return [
        {
          fact: view,
          against: against.flatMap(({ id }) => known.get(id) ?? []),
          ...(endsAt && ends && { endsAt: endsAt.toISOString(), ends }),
          ...(by && batch !== undefined && { replacedBy: by, batch }),
        },
      ]
    }),
    ...(next !== undefined && { next }),
  }
}

/** Turns of a list. */
const USES = 20

/** The latest turns that had the fact in their prompt. */
export async function usesOf({ db, use }: Deps, id: number): Promise<TurnView[]> {
  const { rows } = await db.query<{ at: string; seq: string }>(
    `select (extract(epoch from t.at) * 1000000)::bigint::text as at, t.seq::text
     from kikimimi_v1.source s join kikimimi_v1.trace t on t.turn = s.thing
     where s.owner = 'kikimimi' and s.conversation = 'facts' and s.first = $1 and s.last = $1
     order by t.at desc, t.seq desc limit ${USES}`,
    [id],
  )
  return turnsAt(
    { db, use },
    rows.map(({ at, seq }) => ({ at: BigInt(at), seq: BigInt(seq) })),
  )
}

/** A fact with those that it replaced and that replaced it, oldest first; undefined if it does not exist. */
export async function factHistory({ db, use }: Deps, id: number): Promise<FactView[]> {
  const store = use(Facts, 'optional')
  return store ? views({ db, use }, store, await store.history(id)) : []
}

async function recalledViews(deps: Deps, store: FactStore, found: readonly Recalled[]): Promise<FactView[]> {
  const recalled = found.flatMap(one => (one.kind === 'fact' ? one : []))
  const shown = await views(
    deps,
    store,
    recalled.map(({ fact }) => fact),
  )
  return shown.map((view, at) => {
    const { score, evidence, relevance, parts } = recalled[at] ?? {}
    return { ...view, score, evidence, relevance, parts }
  })
}

async function views({ db, use }: Deps, store: FactStore, given: readonly Fact[]): Promise<FactView[]> {
  const known = new Map((await channelsById(db, [...new Set(given.map(({ channel }) => channel))])).map(one => [one.id, one]))
  const said = await messages(
    use(MessageLog),
    given.flatMap(({ sources }) => sources),
  )
  const names = new Map([...[...said.values()].map(({ author, name }) => [author, name] as const), ...(await store.names(given))])
  const somebody = (id: string) => ({ id, name: names.get(id) ?? id })
  return given.map(
    ({ channel, visibility, at, people, strength, validTo, confirmedAt, editedAt, sources, ...fact }): FactView => {
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
        ...(confirmedAt && { confirmed: confirmedAt.toISOString() }),
        ...(editedAt && { edited: editedAt.toISOString() }),
        sources: sources.map(({ message, author, quote, channel }) => {
          const at = said.get(`${channel} ${message}`)?.at.toISOString()
          return { message, author: somebody(author), ...(at && { at }), ...(quote && { quote }) }
        }),
      }
    },
  )
}

interface Said {
  readonly author: string
  readonly name: string
  readonly at: Date
}

/** By channel and id, those that are in the log. */
async function messages(log: MessageLog, sources: Fact['sources']): Promise<ReadonlyMap<string, Said>> {
  if (sources.length === 0) return new Map()
  const wanted = sources.map(({ channel, message: id }) => ({ channel, id }))
  const found = await log.read({ readers: 'operator', messages: wanted, limit: wanted.length })
  return new Map(
    found.map(({ conversation, id, author, at }) => {
      return [`${channelOf(conversation)} ${id}`, { author: author.id, name: author.name, at }]
    }),
  )
}
