/** The messages that a memory has not read yet, and their marks. */
import { type ConversationDetails, type Database, estimateTokens, type Message } from 'kikimimi'
import type { MemoryRow } from '../storage/memories.ts'

/** Maximum number of messages in a batch. The rest is in the next one. */
const MESSAGES = 100
const TOKENS = 8_000

/** Longer texts are cut: a summary mentions a pasted text, but does not repeat it. Messages of the bot give context. */
const LENGTH = 500
const OWN_LENGTH = 200

export interface Read {
  readonly seq: number
  readonly conversation: string
  readonly thread?: string
  readonly details: ConversationDetails
  readonly receivedAt: Date
  readonly message: Message
}

export interface Batch {
  /** In the order of the log. */
  readonly read: readonly Read[]
  /** Whether there are more messages. */
  readonly full: boolean
}

interface Row {
  readonly seq: number
  readonly conversation: string
  readonly thread: string | null
  readonly details: ConversationDetails | null
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly own: boolean
  readonly text: string
  readonly attachments: Message['attachments']
  readonly parts: NonNullable<Message['parts']>
  readonly reply_to: string | null
  readonly at: Date
  readonly received_at: Date
}

/** The next messages; after a failure the same ones. */
export async function nextBatch(db: Database, memory: MemoryRow, everyMessages: number): Promise<Batch> {
  const size = Math.max(MESSAGES, everyMessages)
  const { rows } = await db.query<Row>(NEXT, [memory.id, memory.failed_upto, size + 1])
  const read: Read[] = []
  let tokens = 0
  for (const row of rows.slice(0, size)) {
    const { seq, conversation, thread, at, id, own, attachments } = row
    const longest = own ? OWN_LENGTH : LENGTH
    const text = short(row.text, longest)
    const parts = row.parts.map(part => ({ ...part, ...(part.text !== undefined && { text: short(part.text, longest) }) }))
    tokens += estimateTokens([text, ...parts.map(part => part.text ?? '')].join('\n'))
    if (read.length > 0 && tokens > TOKENS) break
    const author = { id: row.author_id, name: row.author_name }
    // A message of an earlier batch is not shown as a target.
    const replyTo = rows.find(other => other.id === row.reply_to)?.id
    const message = { id, author, text, at, own, mentions: [], attachments, parts, ...(replyTo !== undefined && { replyTo }) }
    const details = row.details ?? {}
    read.push({ seq, conversation, ...(thread !== null && { thread }), details, receivedAt: row.received_at, message })
  }
  return { read, full: read.length < rows.length }
}

/**
 * A condition on messages `x` of the log: those that may be summarised in the memory of the mark `p`. What was said while fewer
 * people could read the place does not go into it.
 */
export const READABLE = `x.deleted_at is null and (x.text <> '' or x.attachments <> '[]' or x.parts <> '[]')
      and not exists (
        select 1 from memory_summary.forgotten f
        where starts_with(x.conversation, f.platform || '/') and f.person = x.author_id and x.seq <= f.upto
      )
      and not x.being_forgotten
      and exists (
        select 1 from kikimimi_v1.place_of(x.conversation, null, x.seq) t,
          kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)
      )`

/** Who reads the memory of the mark `p`, for {@link READABLE}. */
export const AUDIENCE = 'kikimimi_v1.audience(p.memory) a'

/**
 * The messages `x` after the mark `p`, in the order of the log, of which a statement takes the first that are {@link READABLE}. `offset 0`
 * keeps that condition out: otherwise Postgres may test it on all that follow the mark, and sort them.
 */
export const AFTER_MARK = (where: string) => `(
      select x.* from kikimimi_v1.message x where x.conversation = p.conversation and x.seq > p.upto and ${where} order by x.seq offset 0
    ) x`

const NEXT = `
  select m.*, c.thread, c.details from memory_summary.progress p
  cross join lateral ${AUDIENCE}
  join lateral (
    select x.seq, x.conversation, x.id, x.author_id, x.author_name, x.own, x.text, x.attachments, x.parts,
      x.reply_to, x.at, x.received_at
    from ${AFTER_MARK('($2::bigint is null or x.seq <= $2)')}
    where ${READABLE}
    order by x.seq limit $3
  ) m on true
  join kikimimi_v1.conversation c on c.id = m.conversation
  where p.memory = $1 and p.pending
  order by m.seq limit $3`

/** Moves the marks past a batch. Call it in a transaction. */
export async function moveMarks(db: Database, memory: string, read: readonly Read[]): Promise<void> {
  const marks = new Map(read.map(({ conversation, seq }) => [conversation, seq]))
  await db.query(
    `update memory_summary.progress p set upto = n.upto
     from unnest($2::text[], $3::bigint[]) as n(conversation, upto) where p.memory = $1 and p.conversation = n.conversation`,
    [memory, [...marks.keys()], [...marks.values()]],
  )
}

/** Stores that the recent events are made from these messages too. Call it in a transaction. */
export async function keepSources(db: Database, memory: string, read: readonly Read[]): Promise<void> {
  const ranges = [...Map.groupBy(read, ({ conversation }) => conversation)]
  await db.query('select memory_summary.add_sources($1, $2, $3, $4)', [
    `recent ${memory}`,
    ranges.map(([conversation]) => conversation),
    ranges.map(([, each]) => Math.min(...each.map(({ seq }) => seq))),
    ranges.map(([, each]) => Math.max(...each.map(({ seq }) => seq))),
  ])
}

/** Whether all of these messages exist. They are locked until the transaction ends. */
export async function stillThere(db: Database, read: readonly Read[]): Promise<boolean> {
  const { rows } = await db.query('select seq from kikimimi_v1.lock_messages($1)', [read.map(({ seq }) => seq)])
  return rows.length === read.length
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
