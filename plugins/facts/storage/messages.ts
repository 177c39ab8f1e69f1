/** Indexes messages of people by reference to the message log. Messages of the bot are no evidence and are left out. */
import { type Conversation, conversationId, type Database } from 'kikimimi'
import { type Entry, newIds, scopeOf, workspaceOf, writeEntries } from './entries.ts'

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
  /** Null for a place without entries. */
  readonly scope: number | null
}

/** Indexes the next new and edited messages. Returns how many, and whether there may be more. */
export function indexMessages(db: Database): Promise<{ readonly count: number; readonly more: boolean }> {
  return db.transaction(async () => {
    const late = db.kind === 'postgres' ? LATE : 0
    // One process at a time.
    const { rows: marks } = await db.query<{ seq: number }>('select seq from facts.watermark for update')
    const { rows } = await db.query<Heard>(NEXT, [Math.max(0, (marks[0]?.seq ?? 0) - late), BATCH])
    if (rows.length > 0)
      await db.query('update facts.watermark set seq = greatest(seq, $1)', [Math.max(...rows.map(({ seq }) => seq))])
    await db.query('delete from facts.edited where seq = any($1)', [rows.map(({ seq }) => seq)])
    if (rows.length === 0) return { count: 0, more: false }

    const scopes = new Map<string, number>()
    const scopeOfRow = async (row: Heard) => {
      const conversation = conversationOf(row)
      const place = `${row.visibility} ${row.place}`
      const scope = row.scope ?? scopes.get(place) ?? (await scopeOf(db, conversation, [row.id]))
      scopes.set(place, scope)
      return scope
    }
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
    await db.query(
      `insert into facts.message (item, seq, channel, id, author)
       select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[])`,
      [
        ids,
        rows.map(({ seq }) => seq),
        rows.map(({ channel }) => channel),
        rows.map(({ id }) => id),
        rows.map(({ author_id }) => author_id),
      ],
    )
    await db.query(LINK, [ids])
    await rememberNames(db, rows)
    return { count: rows.length, more: rows.length === BATCH }
  })
}

const NEXT = `
  with next as materialized (
    select l.seq, l.channel, l.id, l.author_id, l.author_name, l.text, l.at,
      c.platform, c.workspace, c.channel as conversation_channel, c.thread, c.name, p.visibility, p.place
    from kikimimi_v1.message l join kikimimi_v1.conversation c on c.id = l.conversation,
      lateral kikimimi_v1.place_of(l.conversation, null, l.seq) p
    where (l.seq > $1 or l.seq in (select seq from facts.edited))
      and not l.own and not l.author_bot and l.deleted_at is null and l.text <> ''
      -- A question to the bot states nothing. It would be found by the same question before the answer.
      and not (l.addressed is not null and l.text ~ '[?？]\\s*$')
      and not exists (select 1 from facts.message m where m.seq = l.seq)
      and not l.being_forgotten
    order by l.seq limit $2
  )
  -- After the limit: a lookup per message and scope would take half a second.
  select next.*, s.id as scope from next left join facts.scope s using (place, visibility) order by next.seq`

/** In a thread, every message is an answer to the one before it. */
const LINK = `
  update facts.message m set previous = p.item, answers = coalesce(a.item, case when c.thread is not null then p.item end)
  from kikimimi_v1.message l
    join kikimimi_v1.conversation c on c.id = l.conversation
    left join lateral (
      select before.item from kikimimi_v1.message b join facts.message before on before.seq = b.seq
      where b.conversation = l.conversation and b.seq < l.seq order by b.seq desc limit 1
    ) p on true
    left join facts.message a on a.channel = l.channel and a.id = l.reply_to
  where l.seq = m.seq and m.item = any($1)`

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
