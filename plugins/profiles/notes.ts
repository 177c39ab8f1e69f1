/** Notes about people, made by a model from their messages. */
import type { Conversation, PersonKey } from 'kikimimi'
import { placeIn } from './counting/places.ts'
import type { Counts } from './counting/talks.ts'
import type { NoteOrigin, ProfileNote } from './profile-store.ts'

/** Limits of a note, because it is part of a prompt. */
const TAGS = 10
const TAG = 40
const SENTENCES = 300

/** Maximum number of conversations with a note per person, latest first. */
const KEPT = 20

/** A note within the limits. Absent parts stay absent. */
export function cleanNote({ tags, personality, lastConversation }: ProfileNote): ProfileNote {
  return {
    ...(tags && { tags: [...new Set(tags.map(tag => clean(tag, TAG)).filter(tag => tag !== ''))].slice(0, TAGS) }),
    ...(personality !== undefined && { personality: clean(personality, SENTENCES) }),
    ...(lastConversation !== undefined && { lastConversation: clean(lastConversation, SENTENCES) }),
  }
}

/** Merges notes of several conversations, latest first: all tags, and the latest value of other parts. */
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
  readonly origin: NoteOrigin
}

export function keepNote({ db, counts }: Counts, { person, conversation, note, at, origin }: NewNote): Promise<void> {
  const { tags, personality, lastConversation } = cleanNote(note)
  const { platform, id } = person
  return db.transaction(async () => {
    await counts.hold()
    const { rowCount: forgotten } = await db.query(
      'select 1 from profiles.forgotten where platform = $1 and person = $2 and before >= $3',
      [platform, id, origin.readAt],
    )
    if (forgotten > 0) return
    const place = await placeIn(db, conversation)
    await db.query(
      `insert into profiles.note as n (platform, person, conversation, place, tags, personality, last_conversation, at, sources)
       values ($1, $2, $3, $4, coalesce($5::jsonb, '[]'), coalesce($6, ''), coalesce($7, ''), $8, $9)
       on conflict (platform, person, conversation, place) do update set at = excluded.at,
         tags = coalesce($5::jsonb, n.tags), personality = coalesce($6, n.personality),
         last_conversation = coalesce($7, n.last_conversation), sources = (
           select coalesce(jsonb_agg(each), '[]') from (
             select conversation, min(first) as first, max(last) as last
             from jsonb_to_recordset(n.sources || excluded.sources) as s(conversation text, first bigint, last bigint) group by conversation
           ) each
         )`,
      [
        ...[platform, id, conversation.id, place],
        ...[tags ? JSON.stringify(tags) : null, personality ?? null, lastConversation ?? null],
        ...[at, JSON.stringify(origin.sources)],
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
