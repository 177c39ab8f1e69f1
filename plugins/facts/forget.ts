/** Deleting: what somebody asks for, and what has faded. Whatever hangs on a fact goes with it. */
import type { Database, PersonKey } from 'kikimimi'

export async function forgetFacts(db: Database, ids: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`delete from facts.item where id = any($1) and kind = 'fact' returning id`, [
    ids,
  ])
  return rows.map(({ id }) => id)
}

/** Everything of a person. Returns the ids that went. */
export function forgetEverythingOf(db: Database, { platform, id }: PersonKey): Promise<{ facts: number[]; messages: number[] }> {
  const workspaces = `${encodeURIComponent(platform)}/`
  return db.transaction(async () => {
    const { rows: sources } = await db.query<{ item: number }>(
      `delete from facts.fact_source o using facts.item i, facts.scope s
       where i.id = o.item and s.id = i.scope and starts_with(s.workspace, $1) and o.author = $2 returning o.item`,
      [workspaces, id],
    )
    const { rows: facts } = await db.query<{ id: number }>(
      `delete from facts.item i using facts.fact f, facts.scope s
       where f.item = i.id and s.id = i.scope and starts_with(s.workspace, $1)
         and (f.people @> array[$2] or (i.id = any($3) and not exists (select 1 from facts.fact_source o where o.item = i.id)))
       returning i.id`,
      [workspaces, id, sources.map(({ item }) => item)],
    )
    const { rows: messages } = await db.query<{ id: number }>(
      `delete from facts.item i using facts.message m, facts.scope s
       where m.item = i.id and s.id = i.scope and starts_with(s.workspace, $1) and m.author = $2 returning i.id`,
      [workspaces, id],
    )
    await db.query('delete from facts.person where starts_with(workspace, $1) and id = $2', [workspaces, id])
    return { facts: facts.map(one => one.id), messages: messages.map(one => one.id) }
  })
}

export interface SweepSettings {
  readonly halfLifeMs: number
  readonly forgetBelow: number
  readonly maxPerChannel: number
}

/**
 * Deletes facts of which less than `forgetBelow` is retained, and in each channel the weakest above `maxPerChannel`, where
 * retain = confidence · 2^(−since the last recall / (halfLife · (1 + strength))). What is pinned stays, and what is durable
 * does not fade, unless it is history.
 */
export async function sweepFacts(
  db: Database,
  now: Date,
  { halfLifeMs, forgetBelow, maxPerChannel }: SweepSettings,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `with retained as (
       select i.id, f.pinned, s.channel, case when f.kind = 'durable' and f.valid_to is null then f.confidence else
         f.confidence * power(2, -least(500, greatest(0,
           extract(epoch from $1::timestamptz - greatest(i.at, f.last_recalled_at)) * 1000 / ($2::float8 * (1 + f.strength))))) end as retain,
         f.kind = 'durable' and f.valid_to is null as durable
       from facts.item i join facts.fact f on f.item = i.id join facts.scope s on s.id = i.scope
     ), placed as (
       select *, row_number() over (partition by channel order by pinned desc, retain desc, id desc) as place from retained
     )
     delete from facts.item using placed
     where facts.item.id = placed.id and not placed.pinned and ((not durable and retain < $3) or place > $4)
     returning facts.item.id`,
    [now, halfLifeMs, forgetBelow, maxPerChannel],
  )
  return rows.map(({ id }) => id)
}
