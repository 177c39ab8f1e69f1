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

/** Joins the memories `m` that the audience may read. */
const MAY_READ =
  'cross join audience a cross join lateral kikimimi_v1.told_to(a.workspace, a.places, a.closed, m.place, m.visibility)'

/** A memory keeps the place and the visibility of its sources, even if the channel has changed since. */
const READABLE = `
  with audience as materialized (select * from kikimimi_v1.audience($3))
  select m.*, (
    select coalesce(json_agg(json_build_object('conversation', s.conversation, 'first', s.first, 'last', s.last)), '[]')
    from kikimimi_v1.source s where s.owner = 'memory_summary' and s.thing in ('recent ' || m.id, 'history ' || m.id)
  ) as sources from (
  (select m.*, null as thread from memory_summary.memory m ${MAY_READ} where m.id = $1 and m.kind = 'workspace')
  union all
  (select * from (
     (select m.*, null from memory_summary.memory m ${MAY_READ} where m.id = $2 and m.workspace = $1 and m.kind = 'channel')
     union all
     (select m.*, null from memory_summary.memory m ${MAY_READ}
      where m.workspace = $1 and m.kind = 'channel' and m.active_at > $4 and m.id <> $2
      order by m.active_at desc, m.id limit $6)
   ) c order by c.id = $2 desc, c.active_at desc, c.id limit $6)
  union all
  (select m.*, coalesce(c.details->>'threadName', c.thread) from memory_summary.memory m ${MAY_READ}
     join kikimimi_v1.conversation c on c.id = m.id
   where m.channel = $2 and m.kind = 'thread' and (m.id = $3 or m.active_at > $5)
   order by m.active_at desc, m.id desc limit $7)) m`
