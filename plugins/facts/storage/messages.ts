/** Indexes messages of people by reference to the message log. Messages of the bot are no evidence and are left out. */
import { type Conversation, conversationId, type Database } from 'kikimimi'
import { type Entry, makeScopes, newIds, scopeOf, workspaceOf, writeEntries } from './entries.ts'

/** Messages per transaction. On the embedded database, all other work waits for it. */
const BATCH = 100

/** On a server, transactions may commit out of order. The last messages are examined again. */
const LATE = 500

interface Heard {
  readonly seq: number
  readonly channel: string
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly text: string
  readonly at: Date
  readonly platform: string
  readonly workspace: string
  readonly conversation_channel: string
  readonly thread: string | null
  readonly name: string
  /** The place in which it was said, and its visibility. */
  readonly place: string
  readonly visibility: Conversation['visibility']
  readonly conversation: string
  /** Null for a place without entries. */
  readonly scope: number | null
  /** The indexed message before it in its conversation. Null for the first one. */
  readonly before: { readonly seq: number; readonly at: string; readonly sitting: number; readonly line: number } | null
}

/** A sitting ends with a pause of this length, or after this many messages. */
const PAUSE_MS = 30 * 60_000
const SITTING = 50

const ASKS = /[?？]\s*$/

/** Indexes the next new and edited messages. Returns how many, and whether there may be more. */
export function indexMessages(db: Database): Promise<{ readonly count: number; readonly more: boolean }> {
  return db.transaction(async () => {
    const late = db.kind === 'postgres' ? LATE : 0
    // One process at a time.
    const { rows: marks } = await db.query<{ seq: number }>('select seq from facts.watermark for update')
    const { rows: found } = await db.query<Heard>(NEXT, [Math.max(0, (marks[0]?.seq ?? 0) - late), BATCH])
    if (found.length > 0)
      await db.query('update facts.watermark set seq = greatest(seq, $1)', [Math.max(...found.map(({ seq }) => seq))])
    await db.query('delete from facts.edited where seq = any($1)', [found.map(({ seq }) => seq)])
    if (found.length === 0) return { count: 0, more: false }
    // Version 0.1.0 recorded a message twice that came again days later.
    const rows = [...new Map(found.toReversed().map(row => [`${row.channel}\n${row.id}`, row])).values()].toReversed()

    const made = await makeScopes(
      db,
      rows.filter(({ scope }) => scope === null).map(row => ({ ...row, workspace: workspaceOf(row) })),
    )
    // Another process may have made it meanwhile.
    const scopeOfRow = async (row: Heard) =>
      row.scope ?? made.get(`${row.visibility} ${row.place}`) ?? (await scopeOf(db, conversationOf(row), [row.id]))
    const ids = await newIds(db, rows.length)
    const entries: Entry[] = []
    for (const [at, row] of rows.entries()) {
      entries.push({
        id: ids[at] ?? 0,
        kind: 'message',
        scope: await scopeOfRow(row),
        at: row.at,
        text: `${row.author_name}\n${row.text}`,
      })
    }
    await writeEntries(db, entries)
    const lines = linesOf(rows, ids)
    await db.query(
      `insert into facts.message (item, seq, channel, id, author, sitting, line, asks)
       select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::int[], $8::boolean[])`,
      [
        ids,
        rows.map(({ seq }) => seq),
        rows.map(({ channel }) => channel),
        rows.map(({ id }) => id),
        rows.map(({ author_id }) => author_id),
        lines.map(({ sitting }) => sitting),
        lines.map(({ line }) => line),
        rows.map(({ text }) => ASKS.test(text)),
      ],
    )
    await db.query(LINK, [ids])
    await rememberNames(db, rows)
    return { count: rows.length, more: found.length === BATCH }
  })
}

/** Messages that are not indexed, with a condition on the message `l`. */
const unindexed = (which: string) => `
  select l.seq, l.channel, l.conversation, l.id, l.author_id, l.author_name, l.text, l.at,
    c.platform, c.workspace, c.channel as conversation_channel, c.thread, c.name
  from kikimimi_v1.message l join kikimimi_v1.conversation c on c.id = l.conversation
  where ${which}
    and not l.own and not l.author_bot and l.deleted_at is null and l.text <> ''
    -- A question to the bot states nothing. It would be found by the same question before the answer.
    and not (l.addressed is not null and l.text ~ '[?？]\\s*$')
    -- A subquery: for an anti-join Postgres may read the whole index.
    and (select m.item from facts.message m where m.channel = l.channel and m.id = l.id) is null
    and not l.being_forgotten
  order by l.seq limit $2`

// New and edited messages apart: in one condition, Postgres would read the log from its beginning.
const NEXT = `
  with next as materialized (
    select * from (
      (${unindexed('l.seq > $1')})
      union all
      (${unindexed('l.seq <= $1 and l.seq = any (array(select seq from facts.edited))')})
    ) found order by seq limit $2
  )
  -- After the limit: a place takes a millisecond, and after a flood 10,000 messages can wait.
  , placed as materialized (
    select next.*, p.visibility, p.place from next, lateral kikimimi_v1.place_of(next.conversation, null, next.seq) p
  )
  -- After the limit: a lookup per message and scope would take half a second.
  select placed.*, s.id as scope, before.*
  from placed left join facts.scope s using (place, visibility)
    left join lateral (
      -- \`offset 0\`: from the message back, each looked up in the index. Otherwise Postgres may read both from their ends, which is far from
      -- an edited message.
      select json_build_object('seq', b.seq, 'at', b.at, 'sitting', m.sitting, 'line', m.line) as before
      from (
        select b.seq, b.at from kikimimi_v1.message b
        where b.conversation = placed.conversation and b.seq < placed.seq order by b.seq desc offset 0
      ) b cross join lateral (select m.sitting, m.line from facts.message m where m.seq = b.seq offset 0) m
      order by b.seq desc limit 1
    ) before on true
  order by placed.seq`

const LINK = `
  update facts.message m set answers = a.item
  from kikimimi_v1.message l join facts.message a on a.channel = l.channel and a.id = l.reply_to
  where l.seq = m.seq and m.item = any($1)`

interface Line {
  readonly sitting: number
  readonly line: number
}

/** The sitting of each message, and its place there: one after the message before it, unless a new sitting begins. */
function linesOf(rows: readonly Heard[], ids: readonly number[]): Line[] {
  const last = new Map<string, Line & { readonly seq: number; readonly at: Date }>()
  return rows.map(({ conversation, before: indexed, seq, at }, n) => {
    const batch = last.get(conversation)
    const before = batch && batch.seq > (indexed?.seq ?? 0) ? batch : indexed && { ...indexed, at: new Date(indexed.at) }
    const goes = before && at.getTime() - before.at.getTime() <= PAUSE_MS && before.line + 1 < SITTING
    const line = goes ? { sitting: before.sitting, line: before.line + 1 } : { sitting: ids[n] ?? 0, line: 0 }
    last.set(conversation, { ...line, seq, at })
    return line
  })
}

function conversationOf(row: Heard): Conversation {
  const { platform, workspace, conversation_channel: channel, thread, name, visibility } = row
  const place = { platform, workspace, channel, ...(thread !== null && { thread }), name, visibility }
  return { ...place, id: conversationId(place) }
}

/** Stores the latest name of each person. */
async function rememberNames(db: Database, rows: readonly Heard[]): Promise<void> {
  const names = new Map(rows.map(row => [`${workspaceOf(row)} ${row.author_id}`, row]))
  const people = [...names].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  await db.query(
    `insert into facts.person (workspace, id, name) select * from unnest($1::text[], $2::text[], $3::text[])
     on conflict (workspace, id) do update set name = excluded.name`,
    [people.map(workspaceOf), people.map(({ author_id }) => author_id), people.map(({ author_name }) => author_name)],
  )
}
