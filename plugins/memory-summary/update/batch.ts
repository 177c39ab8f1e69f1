/** The messages that a memory is made from. */
import type { Database, LogBatch, LoggedMessage, Message } from 'kikimimi'

/** Longer texts are cut: a summary mentions a pasted text, but does not repeat it. Messages of the bot give context. */
const LENGTH = 500
const OWN_LENGTH = 200

/** Those that may be read: not what a forgotten person said before. */
export async function keptOf(db: Database, messages: readonly LoggedMessage[]): Promise<readonly LoggedMessage[]> {
  const { rows } = await db.query<{ person: string; upto: number }>(
    `select person, upto from memory_summary.forgotten where starts_with($1, platform || '/')`,
    [messages[0]?.conversation.id],
  )
  const until = new Map(rows.map(({ person, upto }) => [person, upto]))
  return messages.filter(({ author, seq }) => seq > (until.get(author.id) ?? 0))
}

/** As a prompt shows it: without what a summary does not repeat. */
export function shortened({ id, author, text, at, own, attachments, parts = [], replyTo }: Message): Message {
  const longest = own ? OWN_LENGTH : LENGTH
  return {
    ...{ id, author: { id: author.id, name: author.name }, text: short(text, longest), at, own, mentions: [], attachments },
    parts: parts.map(part => ({ ...part, ...(part.text !== undefined && { text: short(part.text, longest) }) })),
    ...(replyTo !== undefined && { replyTo }),
  }
}

/** Stores that the recent events are made from these messages too. Call it in a transaction. */
export async function keepSources(db: Database, memory: string, sources: LogBatch['sources']): Promise<void> {
  await db.query('select memory_summary.add_sources($1, $2, $3, $4)', [
    ...[`recent ${memory}`, sources.map(({ conversation }) => conversation)],
    ...[sources.map(({ first }) => first), sources.map(({ last }) => last)],
  ])
}

export async function keepSpeakers(db: Database, memory: string, people: readonly string[]): Promise<void> {
  await db.query(
    `insert into memory_summary.speaker (memory, person, recent, history) select $1, person, true, false from unnest($2::text[]) as n(person)
     on conflict (memory, person) do update set recent = true`,
    [memory, [...new Set(people)]],
  )
}

function short(text: string, length: number): string {
  const letters = [...text]
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text
}
