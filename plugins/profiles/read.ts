/** Reads the profile of a person. */
import type { Conversation, Database, PersonKey } from 'kikimimi'
import { familiarityOf, type Thresholds } from './familiarity.ts'
import { mergeNotes } from './notes.ts'
import type { KnownPerson, MessageRange, Profile } from './profile-store.ts'

interface ActivityRow {
  readonly platform: string
  readonly person: string
  readonly name: string
  readonly messages: number
  readonly mentions: number
  readonly seen_at: Date
  readonly topics: readonly string[]
  readonly topics_at: Date | null
  readonly topics_in: string | null
  readonly topics_first: number | null
  readonly topics_last: number | null
  readonly channel: string
  readonly channel_name: string
  readonly readable: boolean
  /** Counts for a reader with this memory. */
  readonly counts: boolean
}

interface NoteRow {
  readonly tags: readonly string[]
  readonly personality: string
  readonly last_conversation: string
  readonly sources: readonly MessageRange[]
}

/**
 * @param accounts accounts of the person; the first is the one in question
 * @param reader the conversation that shows the profile; absent: everything is returned
 */
export async function readProfile(
  db: Database,
  accounts: readonly [PersonKey, ...PersonKey[]],
  reader: Conversation | undefined,
  thresholds: Thresholds,
): Promise<Profile | undefined> {
  const [person] = accounts
  const asked = [accounts.map(({ platform }) => platform), accounts.map(({ id }) => id), reader?.id ?? null]
  const { rows } = await db.query<ActivityRow>(ACTIVITY, asked)
  const readable = rows.filter(row => row.readable)
  const counted = rows.filter(row => row.counts)
  const [latest] = readable
  if (!latest) return undefined
  const { rows: notes } = await db.query<NoteRow>(NOTES, asked)
  const messages = sum(counted, 'messages')
  const own = readable.find(row => row.platform === person.platform && row.person === person.id) ?? latest
  const talked = readable
    .filter(({ topics, topics_at }) => topics.length > 0 && topics_at)
    .sort((a, b) => Number(b.topics_at) - Number(a.topics_at))
  return {
    person: { platform: person.platform, id: person.id },
    name: own.name,
    messages,
    mentions: sum(counted, 'mentions'),
    familiarity: familiarityOf(messages, thresholds),
    lastSeenAt: latest.seen_at,
    channels: channelsOf(readable),
    topics: talked[0]?.topics ?? [],
    sources: [...talked.slice(0, 1).flatMap(talkOf), ...notes.flatMap(({ sources }) => sources)],
    ...mergeNotes(
      notes.map(({ tags, personality, last_conversation }) => ({ tags, personality, lastConversation: last_conversation })),
    ),
  }
}

/** Those of the places `mine` that may be read. A person is in few of the places of a workspace. */
const READABLE = `
  select place, visibility from kikimimi_v1.readable(
    $3::text, (select array_agg(place) from mine), (select array_agg(visibility) from mine)
  )`
const MAY_READ = '($3::text is null or (m.place, m.visibility) in (select place, visibility from readable))'

const ACTIVITY = `
  with mine as materialized (
    select a.platform, a.person, a.name, a.messages, a.mentions, a.seen_at, a.topics, a.topics_at, a.topics_in, a.topics_first,
      a.topics_last, a.place as place_id, p.channel, p.name as place_name, p.place, p.visibility
    from unnest($1::text[], $2::text[]) as n(platform, person)
      join profiles.activity a using (platform, person)
      join profiles.place p on p.id = a.place
  ), readable as materialized (${READABLE})
  select m.platform, m.person, m.name, m.messages, m.mentions, m.seen_at, m.topics, m.topics_at, m.topics_in, m.topics_first, m.topics_last,
    m.channel, coalesce(h.name, m.place_name) as channel_name, ${MAY_READ} as readable,
    $3::text is null or kikimimi_v1.memory_of(m.channel) = kikimimi_v1.memory_of($3) as counts
  from mine m left join kikimimi_v1.conversation h on h.id = m.channel
  order by m.seen_at desc, m.place_id`

const NOTES = `
  with mine as materialized (
    select o.tags, o.personality, o.last_conversation, o.sources, o.at, o.conversation, o.place as place_id, p.place, p.visibility
    from unnest($1::text[], $2::text[]) as n(platform, person)
      join profiles.note o using (platform, person)
      join profiles.place p on p.id = o.place
  ), readable as materialized (${READABLE})
  select m.tags, m.personality, m.last_conversation, m.sources from mine m
  where ${MAY_READ}
  order by m.at desc, m.conversation, m.place_id`

/** Implements `ProfileStore.list`. */
export async function listPeople(db: Database, limit: number, thresholds: Thresholds): Promise<KnownPerson[]> {
  const { rows } = await db.query<ActivityRow & { linked: readonly PersonKey[] | null }>(
    `select a.platform, a.person, sum(a.messages)::int as messages, sum(a.mentions)::int as mentions, max(a.seen_at) as seen_at,
       (array_agg(a.name order by a.seen_at desc))[1] as name,
       (select json_agg(json_build_object('platform', o.platform, 'id', o.person) order by o.platform, o.person)
        from profiles.account i join profiles.account o using (identity)
        where i.platform = a.platform and i.person = a.person and (o.platform, o.person) <> (a.platform, a.person)) as linked
     from profiles.activity a group by a.platform, a.person order by 3 desc, 1, 2 limit $1`,
    [limit],
  )
  return rows.map(({ platform, person, name, messages, mentions, seen_at, linked }) => ({
    person: { platform, id: person },
    name,
    messages,
    mentions,
    familiarity: familiarityOf(messages, thresholds),
    lastSeenAt: seen_at,
    linked: linked ?? [],
  }))
}

/** The messages of the talk with the topics. */
function talkOf({ topics_in, topics_first, topics_last }: ActivityRow): MessageRange[] {
  if (topics_in === null || topics_first === null || topics_last === null) return []
  return [{ conversation: topics_in, first: topics_first, last: topics_last }]
}

function sum(rows: readonly ActivityRow[], what: 'messages' | 'mentions'): number {
  return rows.reduce((total, row) => total + row[what], 0)
}

function channelsOf(rows: readonly ActivityRow[]): Profile['channels'] {
  const channels = Map.groupBy(rows, ({ channel }) => channel)
  return [...channels]
    .map(([id, places]) => ({ id, name: places[0]?.channel_name ?? '', messages: sum(places, 'messages') }))
    .sort((a, b) => b.messages - a.messages)
}
