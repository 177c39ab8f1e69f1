/** Gives each message of a person to a plugin that counts or indexes the log. */
import type { Database, Indexing, LoggedMessage, LogIndex } from '../../api/index.ts'
import { described, IS_KEPT, type LogRow, toLogged } from './read.ts'

/** On a server, transactions may commit out of order. The last messages are looked through again. */
const LATE = 500

export function indexLog(db: Database, { name, most, again, store }: Indexing): LogIndex {
  /** Locks the position: one process at a time. */
  async function lock(): Promise<Position> {
    const position = await readPosition(db, name, most)
    if (position) return position
    await db.query('insert into kikimimi.follower (name, began, seq, again) values ($1, 0, 0, $2) on conflict do nothing', [
      name,
      again ?? null,
    ])
    return lock()
  }

  /** Processes the next messages. Returns how many, and whether there may be more. */
  function next(): Promise<{ readonly count: number; readonly more: boolean }> {
    return db.transaction(async () => {
      const { seq, latest, repeated } = await lock()
      const news = await query(db, NEW, [name, late(db, seq), most])
      const edited = repeated.length > 0 ? await query(db, AGAIN, [name, repeated]) : []
      const messages = [...new Map([...edited, ...news].map(one => [one.seq, one])).values()].sort((a, b) => a.seq - b.seq)
      if (messages.length > 0) await store(messages)
      const more = news.length === most
      await db.query(MOVE, [name, more ? (news.at(-1)?.seq ?? seq) : latest, repeated, JSON.stringify(messages.map(markOf))])
      return { count: messages.length, more: more || repeated.length === most }
    })
  }

  return {
    async waiting() {
      const { rows } = await db.query<{ waiting: number }>(WAITING, [name, db.kind === 'postgres' ? LATE : 0])
      return rows[0]?.waiting ?? 0
    },

    async run(signal) {
      let count = 0
      for (;;) {
        const done = await next()
        count += done.count
        if (!done.more || signal?.aborted) return count
      }
    },

    hold: async () => void (await lock()),

    async again({ platform, id }, since) {
      await db.query(THEIRS, [name, encodeURIComponent(platform), id, since])
    },
  }
}

async function query(db: Database, sql: string, params: readonly unknown[]): Promise<readonly LoggedMessage[]> {
  const { rows } = await db.query<LogRow>(sql, params)
  return rows.map(toLogged)
}

const markOf = ({ conversation, said, seq }: LoggedMessage) => ({ conversation: conversation.id, ...said, seq })

function late({ kind }: Database, seq: number): number {
  return kind === 'postgres' ? Math.max(0, seq - LATE) : seq
}

interface Position {
  readonly seq: number
  /** The last message of the log. */
  readonly latest: number
  /** Messages that come again. */
  readonly repeated: readonly number[]
}

async function readPosition(db: Database, name: string, most: number): Promise<Position | undefined> {
  const { rows } = await db.query<Position>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi.message) as latest,
       array(select seq from kikimimi.follower_again where follower = $1 order by seq limit $2) as repeated
     from kikimimi.follower where name = $1 for update`,
    [name, most],
  )
  return rows[0]
}

/** The author of an erased message is empty. */
const BY_PERSON = `not m.own and not m.author_bot and m.author_id <> '' and ${IS_KEPT}`

/** The mark of the conversation of a message. */
const MARK = 'left join kikimimi.follower_mark k on k.follower = $1 and k.conversation = m.conversation'

const NEW = described(`
  select m.* from kikimimi_v1.message m ${MARK}
  where m.seq > $2 and m.seq > coalesce(k.upto, 0) and ${BY_PERSON} order by m.seq limit $3`)

/** They are locked: an edit waits, and the message comes again. */
const AGAIN = described(`
  select m.* from kikimimi_v1.message m
  where m.seq = any($2) and m.seq in (select seq from kikimimi.follower_again where follower = $1) and ${BY_PERSON} for share of m`)

const MOVE = `
  with moved as (
    update kikimimi.follower set seq = greatest(seq, $2) where name = $1
  ), done as (
    delete from kikimimi.follower_again where follower = $1 and seq = any($3)
  )
  insert into kikimimi.follower_mark as k (follower, conversation, place, visibility, upto, pending)
  select distinct on (conversation) $1, conversation, place, visibility, seq, false
  from jsonb_to_recordset($4) as n(conversation text, place text, visibility text, seq bigint) order by conversation, seq desc
  on conflict (follower, conversation) do update set upto = greatest(k.upto, excluded.upto), pending = false`

const WAITING = `
  select (
      greatest((select max(seq) from kikimimi.message) - coalesce(f.seq, 0), 0)
      + (select count(*) from kikimimi.follower_again a where a.follower = $1)
      + exists (
        select 1 from (select * from kikimimi_v1.message order by seq desc limit $2) m ${MARK}
        where m.seq <= f.seq and m.seq > coalesce(k.upto, 0) and ${BY_PERSON}
      )::int
    )::int as waiting
  from (select max(seq) as seq from kikimimi.follower where name = $1) f`

const THEIRS = `
  insert into kikimimi.follower_again (follower, conversation, seq)
  select $1, m.conversation, m.seq from kikimimi.message m join kikimimi.follower_mark k on k.follower = $1 and k.conversation = m.conversation
  where m.author_id = $3 and m.received_at > $4 and m.seq <= k.upto and starts_with(m.conversation, $2 || '/')
  on conflict do nothing`
