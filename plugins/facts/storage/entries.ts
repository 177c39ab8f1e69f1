/** Writes index entries, for facts and for messages. */
import { type Conversation, channelOf, type Database, KikimimiError, type LoggedMessage, type MessageLog } from 'kikimimi'
import { marksOf } from '../text/answers.ts'
import { findingIds, kindOf, tokenId, tokensOf } from '../text/tokens.ts'

/** The database, and the messages in it. */
export interface LogDeps {
  readonly db: Database
  readonly log: MessageLog
}

export interface Entry {
  readonly id: number
  readonly kind: 'fact' | 'message'
  readonly scope: number
  readonly at: Date
  /** All text by which the entry is found. */
  readonly text: string
}

/** `platform/workspace`, like the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/** A place in which something was said, with its visibility at that time. */
export type Said = LoggedMessage['said']

/** The scope of what is said in a conversation. With messages, the scope in which they were said: of several the most private. */
export async function scopeOf(
  { db, log }: LogDeps,
  conversation: Conversation,
  messages: readonly string[] = [],
): Promise<number> {
  const channel = channelOf(conversation)
  const sources = messages.map(id => ({ channel, id }))
  const said = sources.length > 0 ? await log.read({ readers: 'operator', messages: sources, limit: sources.length }) : []
  const from = said.find(one => one.said.visibility !== 'public') ?? said[0]
  const where = from?.said ?? (await placeOf(db, conversation))
  const scopes = await scopesOf(db, [{ ...where, workspace: workspaceOf(conversation), channel }])
  return scopes(where)
}

async function placeOf(db: Database, { id, visibility }: Conversation): Promise<Said> {
  const { rows } = await db.query<Said>('select place, visibility from kikimimi_v1.place_of($1, $2, null)', [id, visibility])
  const [place] = rows
  if (!place) throw new KikimimiError('INTERNAL', '[facts] The conversation has no place.')
  return place
}

/** Finds the scopes of places, and makes those that are missing. Returns a function that gives the scope of each. */
export async function scopesOf(
  db: Database,
  places: readonly (Said & { readonly workspace: string; readonly channel: string })[],
): Promise<(said: Said) => number> {
  const keyOf = ({ place, visibility }: Said) => `${visibility} ${place}`
  const wanted = [...new Map(places.map(one => [keyOf(one), one])).values()]
  const known = new Map<string, number>()
  // Another process can make one between the first two statements.
  for (const sql of [FIND, MAKE, FIND]) {
    const missing = wanted.filter(one => !known.has(keyOf(one)))
    if (missing.length === 0) break
    const { rows } = await db.query<Said & { readonly id: number }>(sql, [JSON.stringify(missing)])
    for (const row of rows) known.set(keyOf(row), row.id)
  }
  return said => {
    const id = known.get(keyOf(said))
    if (id === undefined) throw new KikimimiError('INTERNAL', '[facts] The scope could not be created.')
    return id
  }
}

const WANTED = 'jsonb_to_recordset($1) as w(workspace text, channel text, place text, visibility text)'

const FIND = `select s.id, s.place, s.visibility from ${WANTED} join facts.scope s using (place, visibility)`

/** The public places of a workspace share one realm. */
const MAKE = `
  with wanted as (
    select * from ${WANTED}
  ), shared as (
    select workspace, coalesce(
      (select min(s.realm) from facts.scope s where s.visibility = 'public' and s.workspace = w.workspace), nextval('facts.realm')
    ) as realm
    from (select distinct workspace from wanted where visibility = 'public') w
  )
  insert into facts.scope (workspace, channel, place, visibility, realm)
  select workspace, channel, place, visibility,
    coalesce((select realm from shared s where s.workspace = w.workspace and w.visibility = 'public'), nextval('facts.realm'))
  from wanted w
  on conflict do nothing returning id, place, visibility`

/** Reserves ids for new entries. */
export async function newIds(db: Database, count: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('facts.item', 'id')) as id from generate_series(1, $1::int)`,
    [count],
  )
  return rows.map(({ id }) => id)
}

/** Writes entries. Call it in a transaction. */
export async function writeEntries(db: Database, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const items = entries.map(({ text, ...entry }) => ({ ...entry, ...indexed(text) }))
  await db.query(
    `insert into facts.item (id, kind, scope, at, tokens, words)
     select id, kind, scope, at, decode(tokens, 'base64'), words
     from unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::int[])
       as i(id, kind, scope, at, tokens, words)`,
    [
      items.map(({ id }) => id),
      items.map(({ kind }) => kind),
      items.map(({ scope }) => scope),
      items.map(({ at }) => at),
      items.map(({ tokens }) => packed(tokens)),
      items.map(({ words }) => words),
    ],
  )
  await writePostings(db, items)
}

/**
 * Replaces the text of an entry. Its vector stays. Call it in a transaction that has not changed the entry
 * yet.
 */
export async function rewriteEntry(db: Database, id: number, text: string): Promise<void> {
  const { tokens, words } = indexed(text)
  await holdIndex(db)
  await db.query('delete from facts.posting where item = $1', [id])
  await db.query(`update facts.item set tokens = decode($2, 'base64'), words = $3 where id = $1`, [id, packed(tokens), words])
  await writePostings(db, [{ id, tokens }])
}

/**
 * Writers of the index wait for each other here, before they change an entry or a token count. Otherwise two writers could
 * deadlock. Additions take the same lock in item_added, deletions in item_to_be_removed.
 */
export async function holdIndex(db: Database): Promise<void> {
  await db.query('select 1 from facts.corpus for update')
}

function indexed(text: string): { readonly tokens: readonly number[]; readonly words: number } {
  const tokens = [...tokensOf(text).map(tokenId), ...marksOf(text)]
  return { tokens, words: tokens.filter(token => kindOf(token) === 'word').length }
}

/** Writes the postings of existing entries. */
async function writePostings(
  db: Database,
  items: readonly { readonly id: number; readonly tokens: readonly number[] }[],
): Promise<void> {
  const postings = items.flatMap(({ id, tokens }) => findingIds(tokens).map(token => ({ token, id })))
  await db.query(
    `insert into facts.posting (token, item, scope, fact, realm)
     select p.token, p.item, i.scope, i.kind = 'fact', s.realm from unnest($1::int[], $2::bigint[]) as p(token, item)
       join facts.item i on i.id = p.item join facts.scope s on s.id = i.scope`,
    [postings.map(({ token }) => token), postings.map(({ id }) => id)],
  )
}

/** Converts token ids to base64, as the index stores them, and back. */
export function packed(tokens: readonly number[]): string {
  return Buffer.from(Int32Array.from(tokens).buffer).toString('base64')
}

export function unpacked(text: string): Int32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Int32Array(bytes.buffer)
}
