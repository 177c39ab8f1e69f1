/** Rows of memories. */
import type { ConversationDetails, Database, MessageLog, Person } from 'kikimimi'
import type { Kind } from './scopes.ts'

/** The database, and the messages in it. */
export interface LogDeps {
  readonly db: Database
  readonly messages: MessageLog
}

export interface MemoryRow {
  readonly id: string
  readonly kind: Kind
  readonly workspace: string
  readonly channel: string
  readonly name: string
  /** See `kikimimi_v1.place_of`. */
  readonly place: string
  readonly visibility: 'public' | 'private' | 'direct'
  readonly active_at: Date
  readonly began: number
  readonly recent: string
  readonly recent_since: Date | null
  readonly mood: string
  readonly topics: readonly string[]
  readonly active_users: readonly Pick<Person, 'id' | 'name'>[]
  readonly history: string
  /** Time of the last update of recent events. */
  readonly updated_at: Date | null
  readonly version: number
  readonly failures: number
  readonly refusals: number
  readonly retry_at: Date | null
}

/** Recent events, as stored. */
export interface Recent {
  readonly text: string
  readonly since: Date
  readonly mood: string
  readonly topics: readonly string[]
  readonly activeUsers: readonly Pick<Person, 'id' | 'name'>[]
}

/** The state of a memory from which a summary was made. */
export type From = Pick<MemoryRow, 'id' | 'began' | 'version'>

/** A memory with what people see at the top of its place. */
export type PlacedMemory = MemoryRow & { readonly details: ConversationDetails | null }

export async function findMemory(db: Database, id: string): Promise<PlacedMemory | undefined> {
  const { rows } = await db.query<PlacedMemory>(
    `select m.*, c.details from memory_summary.memory m left join kikimimi_v1.conversation c on c.id = m.id where m.id = $1`,
    [id],
  )
  return rows[0]
}

/** Writes recent events, unless the memory has changed since. Call it in a transaction. */
export async function writeRecent(db: Database, { id, began, version }: From, recent: Recent, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update memory_summary.memory set recent = $4, recent_since = $5, mood = $6, topics = $7, active_users = $8,
       updated_at = $9, version = version + 1
     where id = $1 and began = $2 and version = $3`,
    [
      ...[id, began, version],
      ...[recent.text, recent.since, recent.mood, JSON.stringify(recent.topics), JSON.stringify(recent.activeUsers)],
      now,
    ],
  )
  return rowCount > 0
}

/** Stores that recent events have become history. Returns false if the memory has changed since. */
export function writeHistory(db: Database, { id, began, version }: From, history: string): Promise<boolean> {
  return db.transaction(async () => {
    await holdForgetting(db)
    await db.query('select memory_summary.take_sources($1, $2)', [`history ${id}`, [`recent ${id}`]])
    const { rowCount } = await db.query(
      `update memory_summary.memory set history = $4, recent = '', recent_since = null, mood = '', topics = '[]',
         active_users = '[]', version = version + 1, failures = 0, refusals = 0, retry_at = null
       where id = $1 and began = $2 and version = $3`,
      [id, began, version, history],
    )
    if (rowCount === 0) return false
    await keepNoSources(db, `recent ${id}`)
    await db.query('update memory_summary.speaker set history = true, recent = false where memory = $1', [id])
    return true
  })
}

async function keepNoSources(db: Database, part: string): Promise<void> {
  await db.query(`select kikimimi_v1.made_from('memory_summary', $1, '{}', '{}', '{}')`, [part])
}

/** Nobody is added to the forgotten people until the transaction ends. */
export async function holdForgetting(db: Database): Promise<void> {
  await db.query('lock table memory_summary.forgotten in share mode')
}
