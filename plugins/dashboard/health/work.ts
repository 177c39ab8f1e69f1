/** What is left to do, what of it failed, and how long answers take. */
import type { Database } from 'kikimimi'
import { latestTurns } from '../history/turns.ts'
import type { HealthView, Spread } from './views.ts'

interface FailedRow {
  readonly kind: string
  readonly retrying: number
  readonly givenUp: number
  readonly last: Date | null
  readonly why: string | null
}

/** More kinds of jobs are read by nobody. */
const KINDS = 50

export async function queue(db: Database, now: Date): Promise<HealthView['queue']> {
  const { rows } = await db.query<{ due: number; later: number; active: number }>(
    `select count(*) filter (where state < 'active' and start_after <= $1)::int as due,
       count(*) filter (where state < 'active' and start_after > $1)::int as later,
       count(*) filter (where state = 'active')::int as active
     from pgboss.job where state <= 'active'`,
    [now],
  )
  // What was given up is kept for a day: there may be a great many of them.
  const { rows: failed } = await db.query<FailedRow>(
    `with bad as (
       select name, id, data->>'kind' as kind, state, completed_on as at from pgboss.job where state in ('retry', 'failed')
     ), kinds as (
       select kind, count(*) filter (where state = 'retry')::int as retrying,
         count(*) filter (where state = 'failed')::int as "givenUp", max(at) filter (where state = 'failed') as last
       from bad group by kind order by 3 desc, 2 desc, 1 limit $1
     ), latest as (
       select distinct on (kind) kind, name, id from bad order by kind, at desc nulls last
     )
     select kinds.*, job.output->>'message' as why
     from kinds join latest using (kind) join pgboss.job job using (name, id) order by "givenUp" desc, retrying desc, kind`,
    [KINDS],
  )
  return {
    ...(rows[0] ?? { due: 0, later: 0, active: 0 }),
    failed: failed.map(({ last, why, ...row }) => ({
      ...row,
      ...(last && { last: last.toISOString() }),
      ...(why !== null && { why }),
    })),
  }
}

/** Of so many turns, the latest ones: the embedded database reads 100,000 for four seconds, and nobody else meanwhile. */
const TURNS = 2_000
const LATEST = latestTurns(TURNS)

/** As a turn goes through them. */
const STAGES = ['score', 'decide', 'context', 'respond', 'beforeSend', 'deliver']

export async function latency(db: Database, since: Date): Promise<HealthView['latency']> {
  // Who did not call the bot is answered once the talk is quiet: that wait is meant, and says nothing about the machine.
  const { rows: answers } = await db.query<{ count: number; both: number[] | null }>(
    `select count(*)::int as count, percentile_cont(array[0.5, 0.95]) within group (order by ms) as both
     from (
       select 1000 * extract(epoch from answer.received_at - called.received_at)::float8 as ms
       from ${LATEST} t
       join kikimimi.message called on called.id = t.trigger
         and called.channel = array_to_string((string_to_array(t.conversation, '/'))[1:3], '/')
       join kikimimi.message answer on answer.id = t.data->'sent'->>0 and answer.channel = called.channel
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
      .toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage))
      .flatMap(row => spread(row).map(one => ({ stage: row.stage, ...one }))),
  }
}

/** Nothing where nothing was counted. */
function spread({ both, count }: { readonly both: number[] | null; readonly count: number }): Spread[] {
  const [p50, p95] = both ?? []
  return p50 === undefined || p95 === undefined ? [] : [{ p50, p95, count }]
}
