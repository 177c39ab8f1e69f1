/** Whether all is well: platforms, the queue, models and what they cost, what went wrong. */
import { createRequire } from 'node:module'
import type { App, Database } from 'kikimimi'
import type { HealthView } from './views.ts'

const DAY = 24 * 60 * 60_000
/** Kinds of problems on the page. */
const PROBLEMS = 20

const { version }: { version: string } = createRequire(import.meta.resolve('kikimimi'))('./package.json')

export async function health({ db, clock, platforms }: Pick<App, 'db' | 'clock' | 'platforms'>): Promise<HealthView> {
  const now = new Date(clock.now())
  const since = new Date(clock.now() - DAY)
  const { rows: queue } = await db.query<{ due: number; later: number; active: number }>(
    `select count(*) filter (where state < 'active' and start_after <= $1)::int as due,
       count(*) filter (where state < 'active' and start_after > $1)::int as later,
       count(*) filter (where state = 'active')::int as active
     from pgboss.job where state <= 'active'`,
    [now],
  )
  return {
    platforms: platforms.map(platform => ({ name: platform.name, why: platform.unready?.() ?? null })),
    queue: queue[0] ?? { due: 0, later: 0, active: 0 },
    models: await models(db, since),
    spent: await spent(db, now),
    problems: await problems(db, since),
    database: db.kind === 'pglite' ? 'PGlite' : 'Postgres',
    version,
    node: process.version,
    memory: process.memoryUsage.rss(),
    upSince: new Date(now.getTime() - process.uptime() * 1_000).toISOString(),
  }
}

async function models(db: Database, since: Date): Promise<HealthView['models']> {
  const { rows } = await db.query<HealthView['models'][number]>(
    `select call->>'role' as role, call->>'model' as model, count(*)::int as calls,
       count(*) filter (where call ? 'error')::int as failed,
       sum((call->>'inputTokens')::float8) as "inputTokens", sum((call->>'outputTokens')::float8) as "outputTokens",
       avg((call->>'ms')::float8) as ms, sum((call->>'cost')::float8) as cost
     from kikimimi.trace, jsonb_array_elements(data->'models') as call
     where at > $1 group by 1, 2 order by 3 desc`,
    [since],
  )
  return rows
}

/** Of the whole bot, in this hour and on this day. */
async function spent(db: Database, now: Date): Promise<HealthView['spent']> {
  const { rows } = await db.query<HealthView['spent'][number]>(
    `select distinct on (period) period, tokens::float8 as tokens, money from kikimimi.spending
     where scope = '' and start <= $1 and start > $1 - case period when 'hour' then interval '1 hour' else interval '1 day' end
     order by period, start desc`,
    [now],
  )
  return rows
}

async function problems(db: Database, since: Date): Promise<HealthView['problems']> {
  const { rows } = await db.query<{ plugin: string; stage: string; message: string; times: number; last: Date }>(
    `select p->>'plugin' as plugin, p->>'stage' as stage, p->>'message' as message, count(*)::int as times, max(at) as last
     from kikimimi.trace, jsonb_array_elements(data->'problems') as p
     where at > $1 group by 1, 2, 3 order by max(at) desc limit $2`,
    [since, PROBLEMS],
  )
  return rows.map(row => ({ ...row, last: row.last.toISOString() }))
}
