/** What was found for the questions that the bot answered. The words of a question stay in the message log. */
import { channelOf, type Database, type ForgottenPerson, type Turn } from 'kikimimi'
import { placeOf } from './answer/section.ts'
import type { Found } from './search/search.ts'

/** Days for which it is kept. */
const DAYS = 30

export interface FoundPlace {
  readonly source: string
  readonly place: string
  readonly relevance: number
  readonly cited: boolean
}

export async function noteQuestion(
  db: Database,
  { id, conversation, message }: Turn,
  { found, cited }: { readonly found: readonly Found[]; readonly cited: ReadonlySet<number> },
  at: Date,
): Promise<void> {
  const places = found.map(
    (one, index): FoundPlace => ({
      source: one.source,
      place: placeOf(one),
      relevance: Math.round(100 * one.relevance) / 100,
      cited: cited.has(index),
    }),
  )
  await db.query(
    `insert into knowledge.question (turn, conversation, channel, message, at, found) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [id, conversation.id, channelOf(conversation), message.id, at, JSON.stringify(places)],
  )
}

export async function dropOldQuestions(db: Database, now: Date): Promise<void> {
  await db.query('delete from knowledge.question where at < $1', [new Date(now.getTime() - DAYS * 86_400_000)])
}

export async function forgetQuestions(db: Database, { platform, id, before }: ForgottenPerson): Promise<void> {
  await db.query(
    `delete from knowledge.question q using kikimimi_v1.message m
     where m.channel = q.channel and m.id = q.message and m.author_id = $1 and starts_with(q.channel, $2) and q.at < $3`,
    [id, `${encodeURIComponent(platform)}/`, before],
  )
}

export interface ShownQuestion {
  readonly at: Date
  /** Absent: the message is deleted, or was said where not everybody reads it. */
  readonly text?: string
  readonly isPublic: boolean
  readonly found: readonly FoundPlace[]
}

export async function latestQuestions(db: Database, limit: number): Promise<readonly ShownQuestion[]> {
  const { rows } = await db.query<{ at: Date; text: string | null; public: boolean; found: readonly FoundPlace[] }>(
    `select q.at, q.found, coalesce(c.visibility = 'public', false) as public,
       case when c.visibility = 'public' and m.deleted_at is null and not m.being_forgotten then nullif(m.text, '') end as text
     from (select * from knowledge.question order by at desc limit $1) q
       left join kikimimi_v1.conversation c on c.id = q.conversation
       left join kikimimi_v1.message m on m.channel = q.channel and m.id = q.message
     order by q.at desc`,
    [limit],
  )
  return rows.map(({ at, text, public: isPublic, found }) => ({ at, isPublic, found, ...(text !== null && { text }) }))
}
