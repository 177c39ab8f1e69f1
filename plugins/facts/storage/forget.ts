/** Deletes facts, on request or after decay, with all dependent data. */
import { setImmediate } from 'node:timers/promises'
import { channelOf, type Database, type LoggedMessage, type LogIndex, nameMatcher } from 'kikimimi'
import type { Whom } from '../api/facts.ts'
import { holdIndex, type LogDeps } from './entries.ts'

export async function forgetFacts(db: Database, ids: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(`delete from facts.item where id = any($1) and kind = 'fact' returning id`, [
    ids,
  ])
  return rows.map(({ id }) => id)
}

/** Messages removed from the index in one transaction. On the embedded database, all other work waits for it. */
const BATCH = 200

const EVER = new Date('9999-12-31T00:00:00Z')

/** Messages that a person sent after the request. */
const LATER = 10_000

export interface ForgetDeps extends LogDeps {
  readonly index: LogIndex
}

/** Deletes all data of a person. Returns the deleted ids. */
export async function forgetEverythingOf(deps: ForgetDeps, whom: Whom): Promise<{ facts: number[]; messages: number[] }> {
  const { db, log } = deps
  const { platform, id, before } = whom
  const authors = [{ platform, id }]
  const kept = before ? await log.read({ readers: 'operator', authors, receivedSince: before, limit: LATER }) : []
  const facts = await forgetFactsOf(deps, whom, kept)
  const messages: number[] = []
  for (let more = true; more; ) {
    const gone = await forgetMessagesOf(db, whom, kept)
    messages.push(...gone)
    more = gone.length === BATCH
    // PGlite answers within the tick. Without this pause all other work would wait for the last batch.
    if (more) await setImmediate()
  }
  return { facts, messages }
}

/**
 * Deletes their messages as sources, and facts that are about them, that name them, or that rested on their messages: of a fact that
 * others told too, two of these must hold, because anybody can choose any name.
 */
function forgetFactsOf(
  { db, index }: ForgetDeps,
  { platform, id, names = [], before = EVER }: Whom,
  kept: readonly LoggedMessage[],
): Promise<number[]> {
  const workspaces = `${encodeURIComponent(platform)}/`
  const of = [workspaces, id, before]
  return db.transaction(async () => {
    // Otherwise a running index job could store their name again.
    await index.hold()
    // Before the sources, because a changed message locks the index first and its source second.
    await holdIndex(db)
    await db.query('delete from facts.person where starts_with(workspace, $1) and id = $2', [workspaces, id])
    const { rows: sources } = await db.query<{ item: number }>(
      `delete from facts.fact_source o using facts.item i, facts.scope s
       where i.id = o.item and s.id = i.scope and starts_with(s.workspace, $1) and o.author = $2
         and (o.channel, o.message) not in (select * from unnest($3::text[], $4::text[])) returning o.item`,
      [workspaces, id, kept.map(({ conversation }) => channelOf(conversation)), kept.map(one => one.id)],
    )
    const { rows: facts } = await db.query<{ id: number }>(
      `delete from facts.item i using facts.fact f, facts.scope s
       where f.item = i.id and s.id = i.scope and starts_with(s.workspace, $1) and (i.at <= $3 or i.id = any($5))
         and i.id in (select item from facts.fact where people @> array[$2] union select unnest($4::bigint[] || $5::bigint[]))
         and (f.people @> array[$2])::int + (i.id = any($4))::int + (i.id = any($5))::int
           > exists (select 1 from facts.fact_source o where o.item = i.id)::int
       returning i.id`,
      [...of, await factsThatName(db, of, names), sources.map(({ item }) => item)],
    )
    return facts.map(one => one.id)
  })
}

async function factsThatName(
  db: Database,
  [workspaces, , before]: readonly unknown[],
  names: readonly string[],
): Promise<number[]> {
  // The database finds candidates. It cannot distinguish "an" from Ann.
  const { rows } = await db.query<{ item: number; text: string }>(
    `select f.item, text from facts.fact f join facts.item i on i.id = f.item join facts.scope s on s.id = i.scope,
       lateral (select concat_ws(E'\n', f.content, array_to_string(f.keywords, E'\n')) as text) said
     where starts_with(s.workspace, $1) and i.at <= $2
       and exists (select 1 from unnest($3::text[]) as name where position(name in text) > 0)`,
    [workspaces, before, names.filter(name => name !== '')],
  )
  const matcher = nameMatcher(names)
  return rows.flatMap(({ item, text }) => (matcher.test(text) ? item : []))
}

async function forgetMessagesOf(db: Database, { platform, id }: Whom, kept: readonly LoggedMessage[]): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `delete from facts.item where id in (
       select m.item from facts.message m join facts.item i on i.id = m.item join facts.scope s on s.id = i.scope
       where m.author = $2 and starts_with(s.workspace, $1)
         and m.seq <> all($3::bigint[])
       limit ${BATCH}
     ) returning id`,
    [`${encodeURIComponent(platform)}/`, id, kept.map(({ seq }) => seq)],
  )
  return rows.map(one => one.id)
}

export interface SweepSettings {
  readonly halfLifeMs: number
  readonly forgetBelow: number
  readonly maxPerChannel: number
}

/**
 * Deletes facts whose retained value is below `forgetBelow`, and in each channel the weakest above `maxPerChannel`, where
 * retain = confidence · 2^(−since the last recall or confirmation / (halfLife · (1 + strength))). Pinned facts stay. Durable facts
 * do not decay, unless they are history.
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
           extract(epoch from $1::timestamptz - greatest(i.at, f.last_recalled_at, f.confirmed_at)) * 1000 / ($2::float8 * (1 + f.strength))))) end as retain,
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
