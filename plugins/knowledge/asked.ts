/** What was found for the questions that the bot answered. The words of a question stay in the message log. */
import { channelOf, type Database, type ForgottenPerson, type MessageLog, type Turn } from 'kikimimi'
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
    `insert into knowledge.question (turn, conversation, channel, message, author, at, found)
     select $1, $2, $3, $4, $5, $6, $7 where kikimimi_v1.lock_message($3, $4, $8) on conflict do nothing`,
    [id, conversation.id, channelOf(conversation), message.id, message.author.id, at, JSON.stringify(places), message.at],
  )
}

export async function dropOldQuestions(db: Database, now: Date): Promise<void> {
  await db.query('delete from knowledge.question where at < $1', [new Date(now.getTime() - DAYS * 86_400_000)])
}

export async function forgetQuestions(db: Database, { platform, id, before }: ForgottenPerson): Promise<void> {
  await db.query('delete from knowledge.question where author = $1 and starts_with(channel, $2) and at < $3', [
    id,
    `${encodeURIComponent(platform)}/`,
    before,
  ])
}

export interface ShownQuestion {
  readonly at: Date
  /** Absent: the message is deleted, or was said where not everybody reads it. */
  readonly text?: string
  readonly isPublic: boolean
  readonly found: readonly FoundPlace[]
}

export async function latestQuestions(db: Database, log: MessageLog, limit: number): Promise<readonly ShownQuestion[]> {
  const { rows } = await db.query<Asked>(
    `select q.at, q.found, q.channel, q.message as id, coalesce(c.visibility = 'public', false) as "isPublic"
     from knowledge.question q left join kikimimi_v1.conversation c on c.id = q.conversation order by q.at desc limit $1`,
    [limit],
  )
  const messages = await log.read({ readers: 'operator', messages: rows.filter(({ isPublic }) => isPublic), limit })
  const texts = new Map(messages.map(({ conversation, id, text }) => [`${channelOf(conversation)} ${id}`, text]))
  return rows.map(({ at, channel, id, isPublic, found }) => {
    const text = texts.get(`${channel} ${id}`)
    return { at, isPublic, found, ...(text && { text }) }
  })
}

interface Asked extends Pick<ShownQuestion, 'at' | 'isPublic' | 'found'> {
  readonly channel: string
  readonly id: string
}
