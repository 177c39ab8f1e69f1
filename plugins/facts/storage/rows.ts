/** Rows of facts and messages, and their conversion to the public types. */
import { type Conversation, channelOf, type Database, type LoggedMessage, type MessageLog } from 'kikimimi'
import type { Fact, FactKind, FactSource, FoundMessage } from '../api/facts.ts'
import type { LogDeps } from './entries.ts'

interface FactRow {
  readonly id: number
  readonly content: string
  readonly kind: FactKind
  readonly people: readonly string[]
  readonly keywords: readonly string[]
  readonly confidence: number
  readonly shareable: boolean
  readonly pinned: boolean
  /** Timestamps are text, because the row comes as JSON. */
  readonly at: string
  readonly subject: string | null
  readonly relation: string | null
  readonly value: string | null
  readonly single: boolean
  readonly valid_from: string
  readonly expires_at: string | null
  readonly fields: Readonly<Record<string, unknown>> | null
  readonly channel: string
  readonly visibility: Conversation['visibility']
  readonly strength: number
  readonly last_recalled_at: string | null
  readonly valid_to: string | null
  readonly superseded_by: number | null
  readonly confirmed_at: string | null
  readonly edited_at: string | null
  readonly sources: readonly { message: string; channel: string; author: string; quote: string | null }[] | null
}

/** Part of a query: the ids of the facts that are about a person or were told by the person, each from an index. */
export function factsOf(person: `$${number}`): string {
  return `select item from facts.fact where people @> array[${person}]
    union select item from facts.fact_source where author = ${person}`
}

/** Facts by their ids, in the order of the ids. */
export async function factsById(db: Database, ids: readonly number[]): Promise<Fact[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<{ told: readonly FactRow[] }>('select facts.told($1) as told', [ids])
  return (rows[0]?.told ?? []).map(toFact)
}

/** Messages by the ids of their entries, with the question that they answer. Those that must not be read are left out. */
export async function messagesById({ db, log }: LogDeps, ids: readonly number[]): Promise<Map<number, FoundMessage>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Key & { item: number; asked: Key | null }>(
    `select m.item, m.id, m.channel, (
       select json_build_object('id', q.id, 'channel', q.channel) from facts.message q join facts.item w on w.id = q.item
       where (q.item = m.answers or (q.sitting = m.sitting and q.line = m.line - 1)) and q.asks and w.scope = i.scope
       order by q.item = m.answers desc limit 1
     ) as asked
     from facts.message m join facts.item i on i.id = m.item where m.item = any($1)`,
    [ids],
  )
  const read = await messagesOf(log, [...rows, ...rows.flatMap(({ asked }) => asked ?? [])])
  return new Map(
    rows.flatMap(({ item, asked, ...key }) => {
      const [message, question] = [read(key), asked && read(asked)]
      if (!message) return []
      const { id, author, text, at } = message
      const about = question && { id: question.id, author: question.author.id, text: question.text }
      return [[item, { id, channel: key.channel, author: author.id, text, at, ...(about && { asked: about }) }] as const]
    }),
  )
}

interface Key {
  readonly channel: string
  readonly id: string
}

/** Reads messages of the log. Returns a function that gives each, unless it must not be read. */
export async function messagesOf(log: MessageLog, messages: readonly Key[]): Promise<(key: Key) => LoggedMessage | undefined> {
  const keyOf = ({ channel, id }: Key) => `${channel}\n${id}`
  const read = messages.length > 0 ? await log.read({ readers: 'operator', messages, limit: messages.length }) : []
  const found = new Map(read.map(one => [keyOf({ channel: channelOf(one.conversation), id: one.id }), one]))
  return key => found.get(keyOf(key))
}

/** Names of people in a workspace. */
export async function namesById(db: Database, workspace: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from facts.person where workspace = $1 and id = any($2)',
    [workspace, ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function toFact(row: FactRow): Fact {
  const { last_recalled_at, valid_from, valid_to, expires_at, superseded_by, confirmed_at, edited_at, sources, ...rest } = row
  const { subject, relation, value, fields, ...fact } = rest
  return {
    ...fact,
    at: new Date(fact.at),
    ...(subject !== null && { subject }),
    ...(relation !== null && { relation }),
    ...(value !== null && { value }),
    ...(fields !== null && { fields }),
    validFrom: new Date(valid_from),
    ...(expires_at && { expiresAt: new Date(expires_at) }),
    confidence: Number(fact.confidence.toFixed(4)),
    ...(last_recalled_at && { lastRecalledAt: new Date(last_recalled_at) }),
    ...(valid_to && { validTo: new Date(valid_to) }),
    ...(superseded_by !== null && { supersededBy: superseded_by }),
    ...(confirmed_at && { confirmedAt: new Date(confirmed_at) }),
    ...(edited_at && { editedAt: new Date(edited_at) }),
    sources: (sources ?? []).map(({ quote, ...source }): FactSource & { channel: string } => ({
      ...source,
      ...(quote !== null && { quote }),
    })),
  }
}
