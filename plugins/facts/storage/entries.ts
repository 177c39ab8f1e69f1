/** Writes index entries, for facts and for messages. */
import { type Conversation, channelOf, type Database, KikimimiError } from 'kikimimi'
import { marksOf } from '../text/answers.ts'
import { findingIds, kindOf, tokenId, tokensOf } from '../text/tokens.ts'

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

/**
 * The scope of what is said in a conversation.
 *
 * @param messages ids of messages in its channel: the scope in which they were said. Of several the most private.
 */
export async function scopeOf(db: Database, conversation: Conversation, messages: readonly string[] = []): Promise<number> {
  const { id, visibility } = conversation
  const { rows } = await db.query<Told>(TOLD, [id, visibility, channelOf(conversation), messages])
  const [told] = rows
  if (!told) throw new KikimimiError('INTERNAL', '[facts] The conversation has no place.')
  const find = () =>
    db.query<{ id: number }>('select id from facts.scope where place = $1 and visibility = $2', [told.place, told.visibility])
  const make = () =>
    db.query<{ id: number }>(
      `insert into facts.scope (workspace, channel, place, visibility, realm)
       values ($1, $2, $3, $4, coalesce(
         (select min(realm) from facts.scope where $4 = 'public' and visibility = 'public' and workspace = $1), nextval('facts.realm')))
       on conflict do nothing returning id`,
      [workspaceOf(conversation), channelOf(conversation), told.place, told.visibility],
    )
  // Another process can make it between the first two statements.
  for (const step of [find, make, find]) {
    const [scope] = (await step()).rows
    if (scope) return scope.id
  }
  throw new KikimimiError('INTERNAL', '[facts] The scope could not be created.')
}

/** Makes the scopes of these places where there are none. Returns those it made, by visibility and place. */
export async function makeScopes(
  db: Database,
  places: readonly (Told & { readonly workspace: string; readonly channel: string })[],
): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map()
  const { rows } = await db.query<Told & { id: number }>(MAKE, [
    places.map(({ workspace }) => workspace),
    places.map(({ channel }) => channel),
    places.map(({ place }) => place),
    places.map(({ visibility }) => visibility),
  ])
  return new Map(rows.map(({ id, place, visibility }) => [`${visibility} ${place}`, id]))
}

/** The public places of a workspace share one realm. */
const MAKE = `
  with wanted as (
    select distinct on (place, visibility) * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as w(workspace, channel, place, visibility)
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

interface Told {
  readonly place: string
  readonly visibility: Conversation['visibility']
}

const TOLD = `
  select p.place, p.visibility
  from (
    select m.conversation, m.seq from kikimimi_v1.message m where m.channel = $3 and m.id = any($4)
    union all select $1, null
  ) said, lateral kikimimi_v1.place_of(said.conversation, $2, said.seq) p
  order by said.seq is null, p.visibility = 'public' limit 1`

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
