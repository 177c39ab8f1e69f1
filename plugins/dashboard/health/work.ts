/** What is left to do, what of it failed, and how long answers take. */
import type { Database, Operator } from 'kikimimi'
import { STAGES } from 'kikimimi/host'
import { latestTurns } from '../history/turns.ts'
import type { HealthView, Spread } from './views.ts'

export async function queue(operator: Pick<Operator, 'queue'>): Promise<HealthView['queue']> {
  const { failed, ...counts } = await operator.queue()
  return { ...counts, failed: failed.map(({ last, ...one }) => ({ ...one, ...(last && { last: last.toISOString() }) })) }
}

/** Maximum number of turns, latest first: the embedded database reads 100,000 in four seconds and blocks meanwhile. */
const TURNS = 2_000
const LATEST = latestTurns(TURNS)

/** A message that waited longer for its answer does not count: of older months nothing is read. */
const WAITED = `interval '8 days'`

/** The order of the rows. */
const ORDER = Object.keys(STAGES)

export async function latency(db: Database, since: Date): Promise<HealthView['latency']> {
  // Unasked answers wait for a pause on purpose, so they show nothing about speed.
  const { rows: answers } = await db.query<{ count: number; both: number[] | null }>(
    `select count(*)::int as count, percentile_cont(array[0.5, 0.95]) within group (order by ms) as both
     from (
       select 1000 * extract(epoch from answer.received_at - called.received_at)::float8 as ms
       from ${LATEST} t
       join kikimimi_v1.message called on called.id = t.trigger
         and called.channel = array_to_string((string_to_array(t.conversation, '/'))[1:3], '/') and called.at > $1::timestamptz - ${WAITED}
       join kikimimi_v1.message answer on answer.id = t.data->'sent'->>0 and answer.channel = called.channel and answer.at > $1::timestamptz - ${WAITED}
       where t.outcome = 'replied' and t.data ? 'addressed' and not called.missed
     ) as answered`,
    [since],
  )
  const { rows: stages } = await db.query<{ stage: string; count: number; both: number[] | null }>(
    `select stage, count(*)::int as count, percentile_cont(array[0.5, 0.95]) within group (order by ms::float8) as both
     from ${LATEST} t, jsonb_each_text(t.data->'ms') as each (stage, ms) group by stage`,
    [since],
  )
  const [answer] = answers.flatMap(spread)
  return {
    ...(answer && { answer }),
    stages: stages
      .toSorted((a, b) => ORDER.indexOf(a.stage) - ORDER.indexOf(b.stage))
      .flatMap(row => spread(row).map(one => ({ stage: row.stage, ...one }))),
  }
}

/** Undefined without values. */
function spread({ both, count }: { readonly both: number[] | null; readonly count: number }): Spread[] {
  const [p50, p95] = both ?? []
  return p50 === undefined || p95 === undefined ? [] : [{ p50, p95, count }]
}
