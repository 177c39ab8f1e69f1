/** The messages that a memory has not read yet, and their marks. */
import { type Database, estimateTokens, type LoggedMessage, type Message, type MessageLog } from 'kikimimi'
import type { LogDeps, MemoryRow } from '../storage/memories.ts'

/** Maximum number of messages in a batch. The rest is in the next one. */
const MESSAGES = 100
const TOKENS = 8_000

/** Longer texts are cut: a summary mentions a pasted text, but does not repeat it. Messages of the bot give context. */
const LENGTH = 500
const OWN_LENGTH = 200

export interface Batch {
  /** In the order of the log. */
  readonly read: readonly LoggedMessage[]
  /** Whether there are more messages. */
  readonly full: boolean
}

/** The next messages; after a failure the same ones. */
export async function nextBatch(deps: LogDeps, memory: MemoryRow, everyMessages: number): Promise<Batch> {
  const size = Math.max(MESSAGES, everyMessages)
  const { rows: marks } = await deps.db.query<Mark>(
    'select conversation, upto from memory_summary.progress where memory = $1 and pending',
    [memory.id],
  )
  const { rows: forgotten } = await deps.db.query<{ person: string; upto: number }>(
    `select person, upto from memory_summary.forgotten where starts_with($1, platform || '/')`,
    [memory.id],
  )
  const until = new Map(forgotten.map(({ person, upto }) => [person, upto]))
  const isKept = ({ author, seq }: LoggedMessage) => seq > (until.get(author.id) ?? 0)
  const each = await Promise.all(marks.map(mark => readAfter(deps.messages, memory, mark, size + 1, isKept)))
  const rows = each
    .flat()
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, size + 1)
  const read: LoggedMessage[] = []
  let tokens = 0
  for (const message of rows.slice(0, size)) {
    const { text, parts = [] } = shortened(message)
    tokens += estimateTokens([text, ...parts.map(part => part.text ?? '')].join('\n'))
    if (read.length > 0 && tokens > TOKENS) break
    read.push(message)
  }
  return { read, full: read.length < rows.length }
}

interface Mark {
  readonly conversation: string
  readonly upto: number
}

/** What was said while fewer people could read the place does not go into the memory. */
async function readAfter(
  messages: MessageLog,
  { id, failed_upto }: MemoryRow,
  { conversation, upto }: Mark,
  limit: number,
  isKept: (message: LoggedMessage) => boolean,
): Promise<readonly LoggedMessage[]> {
  const found: LoggedMessage[] = []
  const before = failed_upto === null ? {} : { before: failed_upto + 1 }
  for (let after = upto; ; ) {
    const page = await messages.read({
      ...{ readers: { id }, conversations: [conversation], after, ...before },
      ...{ first: true, limit },
    })
    found.push(...page.filter(isKept))
    const last = page.at(-1)
    if (!last || page.length < limit || found.length >= limit) return found
    after = last.seq
  }
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

/** Moves the marks past a batch. Call it in a transaction. */
export async function moveMarks(db: Database, memory: string, read: readonly LoggedMessage[]): Promise<void> {
  const marks = new Map(read.map(({ conversation, seq }) => [conversation.id, seq]))
  await db.query(
    `update memory_summary.progress p set upto = n.upto
     from unnest($2::text[], $3::bigint[]) as n(conversation, upto) where p.memory = $1 and p.conversation = n.conversation`,
    [memory, [...marks.keys()], [...marks.values()]],
  )
}

/** Stores that the recent events are made from these messages too. Call it in a transaction. */
export async function keepSources(db: Database, memory: string, read: readonly LoggedMessage[]): Promise<void> {
  const ranges = [...Map.groupBy(read, ({ conversation }) => conversation.id)]
  await db.query('select memory_summary.add_sources($1, $2, $3, $4)', [
    `recent ${memory}`,
    ranges.map(([conversation]) => conversation),
    ranges.map(([, each]) => Math.min(...each.map(({ seq }) => seq))),
    ranges.map(([, each]) => Math.max(...each.map(({ seq }) => seq))),
  ])
}

/** Whether a person on the platform of a memory is being erased. Until then no summary is made from the log. */
export async function isForgetting(db: Database, memory: string): Promise<boolean> {
  const { rows } = await db.query<{ forgetting: boolean }>('select kikimimi_v1.is_forgetting($1) as forgetting', [memory])
  return rows[0]?.forgetting === true
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
