/** The health of the bot: platforms, open circuits, models and their cost, problems. */

import { type Database, Operator, type PluginContext } from 'kikimimi'
import { latestTurns } from '../history/turns.ts'
import { databaseOf, processOf, versionsOf } from './machine.ts'
import type { HealthView } from './views.ts'
import { latency, queue } from './work.ts'

const DAY = 24 * 60 * 60_000
/** Maximum number of turns, latest first. More would block the embedded database. */
const TURNS = 10_000
const LATEST = latestTurns(TURNS)

/** Kinds of problems on the page. */
const PROBLEMS = 20

export type HealthApp = Pick<PluginContext, 'db' | 'clock' | 'use'>

export async function health(ctx: HealthApp): Promise<Omit<HealthView, 'measured'>> {
  const { db, clock } = ctx
  const { platforms, breakers, overload, plugins } = ctx.use(Operator)
  const since = new Date(clock.now() - DAY)
  return {
    platforms: platforms.map(platform => ({ name: platform.name, why: platform.unready?.() ?? null })),
    overload: overload ? { ...overload, since: overload.since.toISOString() } : null,
    plugins: ctx
      .use(Operator)
      .health()
      .map(({ plugin, health: { state, problem = null } }) => ({ plugin, state, problem })),
    warnings: ctx
      .use(Operator)
      .warnings()
      .map(({ message }) => message),
    breakers: breakers.map(one => ({ ...one, since: one.since.toISOString(), until: one.until.toISOString() })),
    problems: await problems(db, since),
    models: await models(db, since),
    budget: await budget(ctx),
    queue: await queue(ctx.use(Operator)),
    latency: await latency(db, since),
    database: await databaseOf(db),
    process: await processOf(db),
    versions: await versionsOf(plugins),
  }
}

async function budget({ db, use }: HealthApp): Promise<HealthView['budget']> {
  const all = await use(Operator).spending()
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from kikimimi_v1.conversation where id = any($1)',
    [all.flatMap(({ channel }) => channel ?? [])],
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return all.map(({ channel, until, ...one }) => ({
    ...one,
    until: until.toISOString(),
    ...(channel !== undefined && { channel: names.get(channel) ?? channel }),
  }))
}

async function models(db: Database, since: Date): Promise<HealthView['models']> {
  const { rows } = await db.query<HealthView['models'][number]>(
    `select call->>'role' as role, call->>'model' as model, count(*)::int as calls,
       count(*) filter (where call ? 'error')::int as failed,
       sum((call->>'inputTokens')::float8) as "inputTokens", sum((call->>'outputTokens')::float8) as "outputTokens",
       avg((call->>'ms')::float8) as ms, sum((call->>'cost')::float8) as cost
     from ${LATEST} t, jsonb_array_elements(data->'models') as call group by 1, 2 order by 3 desc`,
    [since],
  )
  return rows
}

async function problems(db: Database, since: Date): Promise<HealthView['problems']> {
  const { rows } = await db.query<{ plugin: string; stage: string; message: string; times: number; last: Date }>(
    `select p->>'plugin' as plugin, p->>'stage' as stage, p->>'message' as message, count(*)::int as times, max(at) as last
     from ${LATEST} t, jsonb_array_elements(data->'problems') as p group by 1, 2, 3 order by max(at) desc limit $2`,
    [since, PROBLEMS],
  )
  return rows.map(row => ({ ...row, last: row.last.toISOString() }))
}
