/** Facts that become history, because another one replaces them or because their time has come; and the way back. */
import type { Database } from 'kikimimi'

/** What the caller has decided about a new fact. */
export interface Verdict {
  /** Ids of the facts that it replaces. */
  readonly replaces: readonly number[]
  /** The batch of replacements that it belongs to. Default: a new one. */
  readonly batch?: number | undefined
}

/** Time in which a batch can be undone, in milliseconds. */
export const UNDO_MS = 30 * 86_400_000

/**
 * The scopes in which a fact of scope $2 may replace facts: only those with the same audience. Otherwise a secret would show.
 * What was said before outsiders (`+`) has an audience of its own.
 */
const REPLACEABLE = `
  select $2::int
  union all
  select s.id from facts.scope new, lateral facts.readable(new.workspace, new.channel, new.channel) r
    join facts.scope s on s.id = r.id
  where new.id = $2 and new.visibility = 'public' and s.visibility = 'public' and new.place not like '%+' and s.place not like '%+'`

/** What of `o` a new fact `n` can replace: another value of a relation with one value, or the value that it says has ended. */
const CONTRADICTED = `o.subject = n.subject and o.relation = n.relation and (
  (n.valid_to is null and n.single and o.single and lower(o.value) <> lower(n.value))
  or (n.valid_to is not null and lower(o.value) = lower(n.value)))`

/** What a person asked to remember is replaced only by what the same person says. */
const BY_SAME_PERSON = `(not o.pinned or exists (
  select 1 from facts.fact_source s where s.item = n.item and (s.author = o.subject or exists (
    select 1 from facts.fact_source p where p.item = o.item and p.author = s.author))))`

interface Row {
  readonly item: number
  readonly from: Date
  readonly at: Date
  readonly dated: boolean
  readonly new_from: Date
  readonly new_at: Date
  readonly new_dated: boolean
  readonly new_to: Date | null
}

/**
 * Makes history of those facts that the verdict names *and* that the new fact contradicts. The valid time decides the order: an
 * older statement that is learned later becomes history itself.
 */
export async function retire(
  db: Database,
  { by, scope, replaces, batch: given, now }: Verdict & { readonly by: number; readonly scope: number; readonly now: Date },
): Promise<{ readonly superseded: readonly number[]; readonly batch?: number }> {
  if (replaces.length === 0) return { superseded: [] }
  const { rows } = await db.query<Row>(
    `select o.item, coalesce(o.valid_from, i.at) as "from", i.at, o.dated,
       coalesce(n.valid_from, ni.at) as new_from, ni.at as new_at, n.dated as new_dated, n.valid_to as new_to
     from facts.fact n join facts.item ni on ni.id = n.item, facts.fact o join facts.item i on i.id = o.item
     where n.item = $1 and o.item = any($3) and o.item <> n.item and o.valid_to is null and ${CONTRADICTED} and ${BY_SAME_PERSON}
       and i.scope in (${REPLACEABLE})
     order by "from", o.item for update of o`,
    [by, scope, replaces],
  )
  if (rows.length === 0) return { superseded: [] }
  const batch = given ?? (await nextBatch(db))
  const [older, newer] = [rows.filter(row => !isNewer(row)), rows.filter(isNewer)]
  for (const { item, from, new_from, new_to } of older) {
    await end(db, { item, by, at: later(from, new_to ?? new_from), batch, now })
  }
  const [next] = newer
  if (next) await end(db, { item: by, by: next.item, at: later(next.from, next.new_from), batch, now })
  return { superseded: older.map(({ item }) => item), batch }
}

/** Whether the known fact is newer than the new one. A statement without a date is as old as the statement. */
function isNewer(row: Row): boolean {
  if (row.new_to) return false
  if (row.dated && row.new_dated) return row.from > row.new_from
  return later(row.from, row.at) > later(row.new_from, row.new_at)
}

interface Ending {
  readonly item: number
  readonly by: number
  readonly at: Date
  readonly batch: number
  readonly now: Date
}

/** The end may be to come: "from May on I live in Kyoto". */
async function end(db: Database, { item, by, at, batch, now }: Ending): Promise<void> {
  await db.query(
    `update facts.fact set superseded_by = $2, retired_in = $4, retired_at = $5::timestamptz, expired_before = expires_at,
       valid_to = case when $3::timestamptz <= $5 then $3 end, expires_at = case when $3 <= $5 then expires_at else $3 end
     where item = $1`,
    [item, by, at, batch, now],
  )
}

async function nextBatch(db: Database): Promise<number> {
  const { rows } = await db.query<{ id: number }>(`select nextval('facts.batch') as id`)
  return rows[0]?.id ?? 0
}

/** Undoes all replacements of a batch. A fact that has been stated again meanwhile is left out. Returns the others. */
export async function undoBatch(db: Database, batch: number, now: Date): Promise<number[]> {
  const { rows } = await db.query<{ item: number }>(
    `update facts.fact f set valid_to = null, superseded_by = null, expires_at = expired_before, retired_in = null,
       retired_at = null, expired_before = null
     where retired_in = $1 and retired_at >= $2
       and not exists (select 1 from facts.fact o where o.digest = f.digest and o.valid_to is null and o.item <> f.item)
     returning item`,
    [batch, new Date(now.getTime() - UNDO_MS)],
  )
  return rows.map(({ item }) => item)
}

/** Ends the facts whose time has come. Returns them. */
export async function expireFacts(db: Database, now: Date): Promise<number[]> {
  const { rows } = await db.query<{ item: number }>(
    'update facts.fact set valid_to = expires_at where valid_to is null and expires_at <= $1 returning item',
    [now],
  )
  return rows.map(({ item }) => item)
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}
