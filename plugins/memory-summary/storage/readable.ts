/** Which memories may be read in a conversation. */
import { type Conversation, channelOf, type Database, type MessageSource } from 'kikimimi'
import type { MemoryRow } from './memories.ts'
import { workspaceOf } from './scopes.ts'

/** Maximum number of channels, latest first. More would not fit into a prompt. */
const CHANNELS = 30
const THREADS = 20

/** A memory, and the messages that it was made from. */
export interface Shown extends MemoryRow {
  readonly sources: readonly MessageSource[]
}

export interface Readable {
  readonly workspace?: Shown
  /** This channel first, then the latest. Without this channel in a direct conversation. */
  readonly channels: readonly Shown[]
  /** Threads of this channel, oldest first, with their names. */
  readonly threads: readonly (Shown & { readonly thread: string })[]
}

/** What everybody in a conversation may read: public memories of the workspace, and those of this conversation. */
export async function readableIn(
  db: Database,
  conversation: Conversation,
  since: { readonly channels: Date; readonly threads: Date },
): Promise<Readable> {
  const { rows } = await db.query<Shown & { thread: string | null }>(READABLE, [
    workspaceOf(conversation),
    channelOf(conversation),
    conversation.id,
    since.channels,
    since.threads,
    CHANNELS,
    THREADS,
  ])
  const workspace = rows.find(({ kind }) => kind === 'workspace')
  return {
    ...(workspace && { workspace }),
    channels: rows.filter(({ kind }) => kind === 'channel'),
    threads: rows.flatMap(row => (row.kind === 'thread' && row.thread !== null ? { ...row, thread: row.thread } : [])).reverse(),
  }
}

const MAY_READ = 'm.id in (select memory_summary.readable($1, $2, $3))'

/** A memory keeps the place and the visibility of its sources, even if the channel has changed since. */
const READABLE = `
  select m.*, (
    select coalesce(json_agg(json_build_object('conversation', s.conversation, 'first', s.first, 'last', s.last)), '[]')
    from kikimimi_v1.source s where s.owner = 'memory_summary' and s.thing in ('recent ' || m.id, 'history ' || m.id)
  ) as sources from (
  (select m.*, null as thread from memory_summary.memory m where m.id = $1 and m.kind = 'workspace' and ${MAY_READ})
  union all
  (select m.*, null from memory_summary.memory m
   where m.workspace = $1 and m.kind = 'channel' and (m.id = $2 or m.active_at > $4) and ${MAY_READ}
   order by m.id = $2 desc, m.active_at desc, m.id limit $6)
  union all
  (select m.*, coalesce(c.details->>'threadName', c.thread) from memory_summary.memory m
     join kikimimi_v1.conversation c on c.id = m.id
   where m.channel = $2 and m.kind = 'thread' and (m.id = $3 or m.active_at > $5) and ${MAY_READ}
   order by m.active_at desc, m.id desc limit $7)) m`
