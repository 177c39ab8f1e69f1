/** People who have written messages: a list, and what is known of one. */
import { Profiles } from '@kikimimi/profiles'
import type { Database, PersonKey, PluginContext } from 'kikimimi'
import { isNamed } from '../history/names.ts'
import type { CardView, FactView, PersonView } from './views.ts'

/** Maximum number on a page. */
const SHOWN = 50

export interface PeoplePage {
  readonly people: PersonView[]
  readonly next?: string
}

/** People with a name that has the text, by the day of their last message, the latest first. */
export async function people(db: Database, { text, before }: { text: string; before?: string | undefined }): Promise<PeoplePage> {
  const params: unknown[] = []
  const value = (given: unknown) => `$${params.push(given)}`
  const wanted: string[] = []
  if (text !== '') {
    const part = value(text)
    wanted.push(`and (a.id = ${part} or ${isNamed('a.name', part)})`)
  }
  if (before !== undefined) {
    const [day, platform, id] = before.split(/\/(.*?)\/(.*)/s)
    wanted.push(`and (a.last_day, a.platform, a.id) < (${value(day)}::date, ${value(platform)}::text, ${value(id)}::text)`)
  }
  const { rows } = await db.query<{ platform: string; id: string; name: string; messages: number; last: Date; day: string }>(
    `select a.platform, a.id, a.name, a.last_at as last, a.last_day::text as day,
       (select sum(n.messages)::int from kikimimi_v1.author n where n.platform = a.platform and n.id = a.id) as messages
     from kikimimi_v1.author a
     -- A person has a row for each month. The last one counts.
     where not a.bot and not exists (
       select from kikimimi_v1.author n where n.platform = a.platform and n.id = a.id and n.month > a.month
     ) ${wanted.join(' ')}
     order by a.last_day desc, a.platform desc, a.id desc limit ${SHOWN + 1}`,
    params,
  )
  const shown = rows.slice(0, SHOWN)
  const end = rows.length > SHOWN ? shown.at(-1) : undefined
  return {
    people: shown.map(({ day: _, platform, last, ...row }) => ({
      ...{ ...row, platform: decodeURIComponent(platform), last: last.toISOString() },
    })),
    ...(end && { next: `${end.day}/${end.platform}/${end.id}` }),
  }
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

/** What plugins know of a person, from all conversations. Undefined without profiles, or if nothing is known. */
export async function cardOf({ db, use }: Pick<PluginContext, 'db' | 'use'>, person: PersonKey): Promise<CardView | undefined> {
  const profiles = use(Profiles, 'optional')
  const profile = await profiles?.inspect(person)
  if (!profiles || !profile) return undefined
  const { messages, mentions, familiarity, lastSeenAt, channels, topics, tags = [], personality, lastConversation } = profile
  const cards = await profiles.cards(person)
  const names = await namesOf(
    db,
    cards.map(({ realm }) => realm),
  )
  const [, ...accounts] = await profiles.accounts(person)
  return {
    ...{ messages, mentions, familiarity, lastSeen: lastSeenAt.toISOString() },
    ...{ channels: channels.slice(0, CHANNELS), topics: [...topics], tags: [...tags], accounts: [...accounts] },
    ...(personality && { personality }),
    ...(lastConversation && { lastConversation }),
    cards: cards.map(({ realm, madeAt, lines }) => {
      const channel = names.get(realm)
      return { ...(channel !== undefined && { channel }), madeAt: madeAt.toISOString(), lines: [...lines] }
    }),
  }
}

/** Channels of a person on the card, the most active ones. */
const CHANNELS = 20

async function namesOf(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from kikimimi_v1.conversation where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
