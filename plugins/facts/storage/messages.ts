/** Indexes messages of people by reference to the message log. Messages of the bot are no evidence and are left out. */
import { channelOf, type Database, type LoggedMessage } from 'kikimimi'
import { newIds, scopesOf, workspaceOf, writeEntries } from './entries.ts'

/** A sitting ends with a pause of this length, or after this many messages. */
const PAUSE_MS = 30 * 60_000
const SITTING = 50

const ASKS = /[?？]\s*$/

/** Indexes messages, edited ones again. Returns how many. Call it in the transaction that moves the position in the log. */
export async function indexMessages(db: Database, messages: readonly LoggedMessage[]): Promise<number> {
  const rows = await withoutKnown(db, messages.filter(isEvidence))
  if (rows.length === 0) return 0
  const scopeOf = await scopesOf(
    db,
    rows.map(row => ({ ...row.said, workspace: workspaceOf(row.conversation), channel: channelOf(row.conversation) })),
  )
  const ids = await newIds(db, rows.length)
  await writeEntries(
    db,
    rows.map(({ said, at, author, text }, n) => ({
      ...{ id: ids[n] ?? 0, kind: 'message', scope: scopeOf(said), at, text: `${author.name}\n${text}` },
    })),
  )
  const lines = linesOf(rows, ids, await linesBefore(db, rows))
  await db.query(
    `insert into facts.message (item, seq, conversation, channel, id, author, sitting, line, asks)
     select * from unnest(
       $1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::boolean[])`,
    [
      ids,
      rows.map(({ seq }) => seq),
      rows.map(({ conversation }) => conversation.id),
      rows.map(({ conversation }) => channelOf(conversation)),
      rows.map(({ id }) => id),
      rows.map(({ author }) => author.id),
      lines.map(({ sitting }) => sitting),
      lines.map(({ line }) => line),
      rows.map(({ text }) => ASKS.test(text)),
    ],
  )
  await db.query(LINK, [ids, rows.map(({ replyTo }) => replyTo ?? null)])
  await rememberNames(db, rows)
  return rows.length
}

/** A question to the bot states nothing. It would be found by the same question before the answer. */
function isEvidence({ text, addressed }: LoggedMessage): boolean {
  return text !== '' && !(addressed !== undefined && ASKS.test(text))
}

/** A message that was edited while it was indexed replaces its entry. Version 0.1.0 recorded a message twice that came again days later. */
async function withoutKnown(db: Database, given: readonly LoggedMessage[]): Promise<readonly LoggedMessage[]> {
  const keyOf = ({ conversation, id }: LoggedMessage) => `${channelOf(conversation)}\n${id}`
  const rows = new Map(given.toReversed().map(one => [keyOf(one), one]))
  const asked = [...rows.values()]
  const { rows: known } = await db.query<{ channel: string; id: string; item: number; seq: number }>(
    `select channel, id, item, seq from facts.message
     where (channel, id) in (select * from unnest($1::text[], $2::text[]))`,
    [asked.map(({ conversation }) => channelOf(conversation)), asked.map(({ id }) => id)],
  )
  const replaced: number[] = []
  for (const { channel, id, item, seq } of known) {
    const key = `${channel}\n${id}`
    if (rows.get(key)?.seq === seq) replaced.push(item)
    else rows.delete(key)
  }
  if (replaced.length > 0) await db.query('delete from facts.item where id = any($1)', [replaced])
  return [...rows.values()].toReversed()
}

const LINK = `
  update facts.message m set answers = a.item
  from unnest($1::bigint[], $2::text[]) as n(item, reply_to), facts.message a
  where m.item = n.item and a.channel = m.channel and a.id = n.reply_to`

interface Line {
  readonly sitting: number
  readonly line: number
}

interface Before extends Line {
  readonly seq: number
  readonly at: Date
}

/** The indexed message before each one in its conversation. Absent for the first one. */
async function linesBefore(db: Database, rows: readonly LoggedMessage[]): Promise<ReadonlyMap<number, Before>> {
  const { rows: found } = await db.query<Before & { readonly of: number }>(
    `select n.seq as of, b.* from unnest($1::text[], $2::bigint[]) as n(conversation, seq) cross join lateral (
       select m.seq, m.sitting, m.line, i.at from facts.message m join facts.item i on i.id = m.item
       where m.conversation = n.conversation and m.seq < n.seq order by m.seq desc limit 1
     ) b`,
    [rows.map(({ conversation }) => conversation.id), rows.map(({ seq }) => seq)],
  )
  return new Map(found.map(({ of, ...before }) => [of, before]))
}

/** The sitting of each message, and its place there: one after the message before it, unless a new sitting begins. */
function linesOf(rows: readonly LoggedMessage[], ids: readonly number[], indexed: ReadonlyMap<number, Before>): Line[] {
  const last = new Map<string, Before>()
  return rows.map(({ conversation, seq, at }, n) => {
    const [batch, known] = [last.get(conversation.id), indexed.get(seq)]
    const before = batch && batch.seq > (known?.seq ?? 0) ? batch : known
    const goes = before && at.getTime() - before.at.getTime() <= PAUSE_MS && before.line + 1 < SITTING
    const line = goes ? { sitting: before.sitting, line: before.line + 1 } : { sitting: ids[n] ?? 0, line: 0 }
    last.set(conversation.id, { ...line, seq, at })
    return line
  })
}

/** Stores the latest name of each person. */
async function rememberNames(db: Database, rows: readonly LoggedMessage[]): Promise<void> {
  const names = new Map(rows.map(row => [`${workspaceOf(row.conversation)} ${row.author.id}`, row]))
  const people = [...names].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  await db.query(
    `insert into facts.person (workspace, id, name) select * from unnest($1::text[], $2::text[], $3::text[])
     on conflict (workspace, id) do update set name = excluded.name`,
    [
      people.map(({ conversation }) => workspaceOf(conversation)),
      people.map(({ author }) => author.id),
      people.map(({ author }) => author.name),
    ],
  )
}
