/** What was understood of people, by a model that read what they said. */
import type { Conversation, Database, PersonKey } from 'kikimimi'
import { lockCounts } from './counting/log.ts'
import { placeIn } from './counting/places.ts'
import type { ProfileNote } from './profile-store.ts'

/** A note is short: it stands in a prompt. */
const TAGS = 10
const TAG = 40
const SENTENCES = 300

/** Conversations whose notes of one person are kept, the latest. */
const KEPT = 20

/** A note without what no note can hold. Absent parts stay absent. */
export function cleanNote({ tags, personality, lastConversation }: ProfileNote): ProfileNote {
  return {
    ...(tags && { tags: [...new Set(tags.map(tag => clean(tag, TAG)).filter(tag => tag !== ''))].slice(0, TAGS) }),
    ...(personality !== undefined && { personality: clean(personality, SENTENCES) }),
    ...(lastConversation !== undefined && { lastConversation: clean(lastConversation, SENTENCES) }),
  }
}

/** What several conversations say together, the latest first: all tags, and the last word on the rest. */
export function mergeNotes(notes: readonly ProfileNote[]): ProfileNote {
  const tags = [...new Set(notes.flatMap(one => one.tags ?? []))].slice(0, TAGS)
  const personality = notes.find(one => one.personality)?.personality
  const lastConversation = notes.find(one => one.lastConversation)?.lastConversation
  return { ...(tags.length > 0 && { tags }), ...(personality && { personality }), ...(lastConversation && { lastConversation }) }
}

export interface NewNote {
  readonly person: PersonKey
  readonly conversation: Conversation
  readonly note: ProfileNote
  readonly at: Date
  /** When that was read which it is made from. */
  readonly readAt: Date
}

export function keepNote(db: Database, { person, conversation, note, at, readAt }: NewNote): Promise<void> {
  const { tags, personality, lastConversation } = cleanNote(note)
  const { platform, id } = person
  return db.transaction(async () => {
    await lockCounts(db)
    const { rowCount: forgotten } = await db.query(
      'select 1 from profiles.forgotten where platform = $1 and person = $2 and before >= $3',
      [platform, id, readAt],
    )
    if (forgotten > 0) return
    const place = await placeIn(db, conversation)
    await db.query(
      `insert into profiles.note as n (platform, person, conversation, place, tags, personality, last_conversation, at)
       values ($1, $2, $3, $4, coalesce($5::jsonb, '[]'), coalesce($6, ''), coalesce($7, ''), $8)
       on conflict (platform, person, conversation, place) do update set at = excluded.at,
         tags = coalesce($5::jsonb, n.tags), personality = coalesce($6, n.personality),
         last_conversation = coalesce($7, n.last_conversation)`,
      [
        ...[platform, id, conversation.id, place],
        ...[tags ? JSON.stringify(tags) : null, personality ?? null, lastConversation ?? null],
        at,
      ],
    )
    await db.query(
      `delete from profiles.note where platform = $1 and person = $2 and (conversation, place) not in (
         select conversation, place from profiles.note where platform = $1 and person = $2 order by at desc limit $3
       )`,
      [platform, id, KEPT],
    )
  })
}

function clean(text: string, length: number): string {
  const plain = text.replaceAll('\0', '').toWellFormed().trim()
  return [...plain].slice(0, length).join('')
}
