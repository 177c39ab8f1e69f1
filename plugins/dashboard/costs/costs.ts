/** What models were used for, by time and by one dimension, from the counters that the bot keeps of each call. */
import { type Database, Operator, type PluginContext } from 'kikimimi'
import type { Amount, CostsView, Dimension } from './views.ts'

const DAY = 24 * 60 * 60_000

/** Longest time that is shown by hours. */
const BY_HOURS = 3 * DAY
/** Maximum number of groups. The others are one. */
const GROUPS = 8
/** Days that a forecast reads. */
const PAST_DAYS = 7

export interface CostsQuery {
  readonly from: Date
  readonly to: Date
  /** Time zone of the days, such as `Asia/Tokyo`. */
  readonly zone: string
  readonly by: Dimension
  /** Only calls with these values. */
  readonly only: { readonly [D in Dimension]?: string | undefined }
}

export async function costs(ctx: Pick<PluginContext, 'db' | 'clock' | 'use'>, query: CostsQuery): Promise<CostsView> {
  const { db, clock } = ctx
  const { from, to, by } = query
  const step = to.getTime() - from.getTime() <= BY_HOURS ? 'hour' : 'day'
  const groups = await groupsOf(db, query)
  const priced = groups.some(({ cost }) => cost !== null)
  const size = (one: Amount) => (priced ? (one.cost ?? 0) : one.inputTokens + one.outputTokens)
  const all = groups.toSorted((a, b) => size(b) - size(a))
  const [shown, rest] = [all.slice(0, GROUPS), all.slice(GROUPS)]
  const keys = shown.map(({ key }) => key)
  const { place } = query.only
  const names = await namesOf(db, [...(by === 'place' ? keys : []), ...(place ? [place] : [])])
  const chosen = place && names.get(place)
  const steps = await stepsOf(db, query, step)
  const at = new Map(steps.map((one, index) => [one.getTime(), index]))
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step,
    total: sum(groups),
    groups: [
      ...shown.map(({ key, ...amount }) => ({ key, name: names.get(key) ?? key, ...amount })),
      ...(rest.length > 0 ? [{ key: null, name: '', ...sum(rest) }] : []),
    ],
    steps: steps.map(one => one.toISOString()),
    series: (await seriesOf(db, query, step, keys)).map(({ at: time, ...one }) => ({ at: at.get(time.getTime()) ?? 0, ...one })),
    ...(chosen && { place: chosen }),
    forecast: await forecast(db, new Date(clock.now()), query.zone),
    limits:
      (await ctx.use(Operator).spending()).find(({ channel, period }) => channel === undefined && period === 'day')?.limits ?? {},
  }
}

/** $1 to $6. */
const MATCHING = `
  hour >= $1 and hour < $2 and ($3::text is null or place = $3) and ($4::text is null or plugin = $4)
    and ($5::text is null or role = $5) and ($6::text is null or model = $6)`

function matching({ from, to, only }: CostsQuery): readonly unknown[] {
  return [from, to, only.place ?? null, only.plugin ?? null, only.role ?? null, only.model ?? null]
}

async function groupsOf(db: Database, query: CostsQuery): Promise<readonly (Amount & { readonly key: string })[]> {
  const { rows } = await db.query<Amount & { key: string }>(
    `select ${query.by} as key, sum(calls)::float8 as calls, sum(failed)::float8 as failed, sum(input_tokens)::float8 as "inputTokens",
       sum(output_tokens)::float8 as "outputTokens", sum(cost) as cost
     from kikimimi_v1.model_use where ${MATCHING} group by 1 order by 1`,
    matching(query),
  )
  return rows
}

type Point = Omit<CostsView['series'][number], 'at'> & { readonly at: Date }

/** Groups that are not in `keys` are one. The database adds them up: a year has a row for each hour and channel. */
async function seriesOf(
  db: Database,
  query: CostsQuery,
  step: 'hour' | 'day',
  keys: readonly string[],
): Promise<readonly Point[]> {
  const { rows } = await db.query<Point>(
    `select date_trunc($7, hour, $8) as at, case when ${query.by} = any($9) then ${query.by} end as key,
       sum(input_tokens + output_tokens)::float8 as tokens, coalesce(sum(cost), 0) as cost
     from kikimimi_v1.model_use where ${MATCHING} group by 1, 2 order by 1, 2`,
    [...matching(query), step, query.zone, keys],
  )
  return rows
}

/** Postgres counts them, because only it knows when a day of the zone begins. */
async function stepsOf(db: Database, { from, to, zone }: CostsQuery, step: 'hour' | 'day'): Promise<Date[]> {
  const { rows } = await db.query<{ at: Date }>(
    `select n at time zone $4 as at from generate_series(
       date_trunc($3, $1::timestamptz at time zone $4), ($2::timestamptz - interval '1 second') at time zone $4, ('1 ' || $3)::interval
     ) n order by 1`,
    [from, to, step, zone],
  )
  return rows.map(({ at }) => at)
}

async function namesOf(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from kikimimi_v1.conversation where id = any($1)',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, `#${name}`]))
}

/** The rest of a day is like the same hours of the last seven days, and each later day of a month like their mean. */
async function forecast(db: Database, now: Date, zone: string): Promise<CostsView['forecast']> {
  const { rows: bounds } = await db.query<Record<'day' | 'month' | 'next', Date>>(
    `select date_trunc('day', $1::timestamptz, $2) as day, date_trunc('month', $1::timestamptz, $2) as month,
       (date_trunc('month', $1::timestamptz at time zone $2) + interval '1 month') at time zone $2 as next`,
    [now, zone],
  )
  const { day, month, next } = bounds[0] ?? { day: now, month: now, next: now }
  const begun = new Date(day.getTime() - PAST_DAYS * DAY)
  const { rows } = await db.query<{ hour: Date; tokens: number; cost: number }>(
    `select hour, sum(input_tokens + output_tokens)::float8 as tokens, coalesce(sum(cost), 0) as cost
     from kikimimi_v1.model_use where hour >= least($1::timestamptz, $2::timestamptz) group by hour order by hour`,
    [month, begun],
  )
  const past = rows.filter(({ hour }) => hour >= begun && hour < day)
  const days = Math.max(1, Math.ceil((day.getTime() - (past[0]?.hour.getTime() ?? day.getTime())) / DAY))
  // The same hours of the days before that are still to come today.
  const later = past.filter(({ hour }) => (hour.getTime() - begun.getTime()) % DAY > now.getTime() - day.getTime())
  const daysLeft = Math.round((next.getTime() - day.getTime()) / DAY) - 1
  const used = (since: Date, of: 'tokens' | 'cost') =>
    total(
      rows.filter(({ hour }) => hour >= since),
      of,
    )
  const today = (of: 'tokens' | 'cost') => used(day, of) + total(later, of) / days
  const whole = (of: 'tokens' | 'cost') => used(month, of) + total(later, of) / days + (daysLeft * total(past, of)) / days
  const part = (since: Date, expected: typeof today) => ({
    tokens: used(since, 'tokens'),
    cost: used(since, 'cost'),
    expectedTokens: expected('tokens'),
    expectedCost: expected('cost'),
  })
  return { day: part(day, today), month: part(month, whole) }
}

function total(rows: readonly Record<'tokens' | 'cost', number>[], of: 'tokens' | 'cost'): number {
  return rows.reduce((sum, one) => sum + one[of], 0)
}

function sum(of: readonly Amount[]): Amount {
  const add = (pick: (one: Amount) => number) => of.reduce((total, one) => total + pick(one), 0)
  return {
    calls: add(one => one.calls),
    failed: add(one => one.failed),
    inputTokens: add(one => one.inputTokens),
    outputTokens: add(one => one.outputTokens),
    cost: of.some(({ cost }) => cost !== null) ? add(one => one.cost ?? 0) : null,
  }
}
