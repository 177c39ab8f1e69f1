/** Counts messages. The transaction that adds to the counts also moves the position in the log. */
import { channelOf, type Database, type LoggedMessage } from 'kikimimi'
import { keepPlaces } from './places.ts'
import { followTalks } from './talks.ts'

const CALLS = new Set(['mention', 'reply', 'name', 'command'])

/** A counted message. */
export interface Heard {
  readonly seq: number
  readonly platform: string
  readonly person: string
  readonly name: string
  readonly conversation: string
  readonly called: boolean
  /** The clock of a platform can be wrong: times in the future are limited to now. */
  readonly at: Date
  readonly place: number
}

interface Activity extends Pick<Heard, 'platform' | 'person' | 'place' | 'name'> {
  readonly messages: number
  readonly mentions: number
  readonly seen_at: Date
}

/** Call it in the transaction of the position. */
export async function countMessages(db: Database, messages: readonly LoggedMessage[]): Promise<void> {
  const placeOf = await keepPlaces(
    db,
    messages.map(({ conversation, said }) => ({ ...said, conversation, channel: channelOf(conversation) })),
  )
  const heard = messages.map(({ seq, author, addressed, at, receivedAt, conversation, said }): Heard => {
    const { platform, id } = conversation
    const about = { seq, platform, person: author.id, name: author.name, conversation: id, place: placeOf(said) }
    return { ...about, called: addressed !== undefined && CALLS.has(addressed), at: at < receivedAt ? at : receivedAt }
  })
  const sums = new Map<string, Activity>()
  for (const { platform, person, place, name, at, called } of heard) {
    const key = JSON.stringify([platform, person, place])
    const before = sums.get(key)
    const latest = before && before.seen_at > at ? before : { name, seen_at: at }
    sums.set(key, {
      ...{ platform, person, place, name: latest.name, seen_at: latest.seen_at },
      messages: (before?.messages ?? 0) + 1,
      mentions: (before?.mentions ?? 0) + Number(called),
    })
  }
  await db.query(
    `insert into profiles.activity as a (platform, person, place, name, messages, mentions, seen_at)
     select platform, person, place, name, messages, mentions, seen_at
     from jsonb_to_recordset($1) as n(platform text, person text, place int, name text, messages int, mentions int, seen_at timestamptz)
     on conflict (platform, person, place) do update set messages = a.messages + excluded.messages,
       mentions = a.mentions + excluded.mentions, seen_at = greatest(a.seen_at, excluded.seen_at),
       -- What is read later does not bring an old name back.
       name = case when excluded.seen_at >= a.seen_at then excluded.name else a.name end`,
    [JSON.stringify([...sums.values()])],
  )
  await followTalks(db, heard)
}
