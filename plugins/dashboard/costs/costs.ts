/** What models were used for, by time and by one dimension, from the counters that the bot keeps of each call. */
import { type Database, Operator, type PluginContext } from 'kikimimi'
import { type Amount, type CostsView, DIMENSIONS, type Dimension } from './views.ts'

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
    series: await seriesOf(db, query, steps, keys, rest.length > 0),
    ...(chosen && { place: chosen }),
    forecast: await forecast(db, new Date(clock.now()), query.zone),
    limits:
      (await ctx.use(Operator).spending()).find(({ channel, period }) => channel === undefined && period === 'day')?.limits ?? {},
  }
}

/** The smallest table that has the columns. A year has a row of `model_use` for each hour, place, role, plugin and model. */
function tableOf(columns: readonly Dimension[]): string {
  if (columns.every(one => one === 'place')) return 'kikimimi_v1.model_use_place'
  return columns.includes('place') ? 'kikimimi_v1.model_use' : 'kikimimi_v1.model_use_work'
}

/** The rows of the query, of the smallest table that has these columns too. */
function matching({ from, to, only }: CostsQuery, columns: readonly Dimension[]) {
  const given = DIMENSIONS.flatMap(one => (only[one] === undefined ? [] : { column: one, value: only[one] }))
  const conditions = given.map(({ column }, at) => `${column} = $${at + 3}`)
  return {
    rows: `${tableOf([...columns, ...given.map(({ column }) => column)])} where ${['hour >= $1', 'hour < $2', ...conditions].join(' and ')}`,
    values: [from, to, ...given.map(({ value }) => value)],
  }
}

/** Counts are added as float8, which is exact up to 2^53. As bigint, Postgres adds them as numeric, which takes twice as long. */
async function groupsOf(db: Database, query: CostsQuery): Promise<readonly (Amount & { readonly key: string })[]> {
  const { rows: from, values } = matching(query, [query.by])
  const { rows } = await db.query<Amount & { key: string }>(
    `select ${query.by} as key, sum(calls::float8) as calls, sum(failed::float8) as failed, sum(input_tokens::float8) as "inputTokens",
       sum(output_tokens::float8) as "outputTokens", sum(cost) as cost
     from ${from} group by 1 order by 1`,
    values,
  )
  return rows
}

type Point = CostsView['series'][number]

/** What the groups in `keys` used in each step, and what all others used: the rest of the total. */
async function seriesOf(
  db: Database,
  query: CostsQuery,
  steps: readonly Date[],
  keys: readonly string[],
  hasOthers: boolean,
): Promise<Point[]> {
  const shown = await pointsOf(db, query, steps, keys)
  if (!hasOthers) return shown
  const rest = new Map((await pointsOf(db, query, steps)).map(point => [point.at, point]))
  for (const { at, tokens, cost } of shown) {
    const left = rest.get(at)
    if (left) rest.set(at, { ...left, tokens: left.tokens - tokens, cost: Math.max(0, left.cost - cost) })
  }
  // What is left of a sum of costs may differ from zero by its rounding.
  const others = [...rest.values()].filter(({ tokens, cost }) => tokens > 0 || cost > ROUNDING)
  return [...shown, ...others].toSorted((one, other) => one.at - other.at)
}

const ROUNDING = 1e-9

/** @param keys absent: all together, as the group null */
async function pointsOf(db: Database, query: CostsQuery, steps: readonly Date[], keys?: readonly string[]): Promise<Point[]> {
  const { rows: from, values } = matching(query, keys ? [query.by] : [])
  const [step, chosen] = [`$${values.length + 1}::timestamptz[]`, keys ? `and ${query.by} = any($${values.length + 2})` : '']
  const { rows } = await db.query<Point>(
    `select width_bucket(hour, ${step}) - 1 as at, ${keys ? query.by : 'null::text'} as key,
       sum((input_tokens + output_tokens)::float8) as tokens, coalesce(sum(cost), 0) as cost
     from ${from} ${chosen} group by 1, 2 order by 1, 2`,
    [...values, steps, ...(keys ? [keys] : [])],
  )
  return rows
}

/** Postgres counts them, because only it knows when a day of the zone begins. A day with a change of the clocks has 23 or 25 hours. */
async function stepsOf(db: Database, { from, to, zone }: CostsQuery, step: 'hour' | 'day'): Promise<Date[]> {
  const [begin, end] = [`date_trunc('${step}', $1::timestamptz, $3)`, `$2::timestamptz - interval '1 second'`]
  const { rows } = await db.query<{ at: Date }>(
    step === 'hour'
      ? `select at from generate_series(${begin}, ${end}, interval '1 hour') at order by 1`
      : `select n at time zone $3 as at
         from generate_series(${begin} at time zone $3, (${end}) at time zone $3, interval '1 day') n order by 1`,
    [from, to, zone],
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
     from kikimimi_v1.model_use_work where hour >= least($1::timestamptz, $2::timestamptz) group by hour order by hour`,
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
