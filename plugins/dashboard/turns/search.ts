/** Finds turns by the index of their facets. A search reads a limited number of rows, however many turns there are. */
import { channelOf, type Database, MessageLog } from 'kikimimi'
import { type Reading, type TurnKey, turnsAt } from '../history/turns.ts'
import type { TurnView } from '../history/views.ts'
import { FACETS, type Filters, type TurnLine } from './views.ts'
import { hourOfWeek, utcHours } from './week.ts'

export interface Page {
  /** Newest first. */
  readonly turns: readonly TurnView[]
  /** Where the next page begins. */
  readonly next?: string
  /** The time of the oldest turn that was looked at, if the page ended before it was full. */
  readonly searched?: Date
}

export interface Paging {
  /** Current time, in milliseconds. */
  readonly now: number
  readonly limit: number
  /** `next` of the page before. */
  readonly before?: string | undefined
}

/** Turns that one search looks at, in two attempts: the first finds enough in most cases. 20,000 took a second on a busy machine. */
const LOOKED_AT = [500, 5_000]
/** With a text: the messages of each turn are read. */
const READ = [100, 500]
/** Milliseconds from a message to a turn that reads it, at most. */
const SAID_BEFORE = 8 * 24 * 60 * 60_000

/** Number up to which the turns of a facet are counted, to begin with the rarest. */
const COUNTED = 2_000

export async function search(ctx: Reading, filters: Filters, { now, limit, before }: Paging): Promise<Page> {
  const { db } = ctx
  const range = rangeOf(filters, before)
  const [rarest, ...others] = await byRarity(db, facetsOf(filters, now), range)
  const week = filters.week === undefined ? undefined : hourOfWeek(filters.week)
  const { text } = filters
  let last: Looked = { keys: [], isEnd: true }
  for (const most of text ? READ : LOOKED_AT) {
    last = await look(db, { range, rarest, others, week, most, limit: text ? most : limit + 1 })
    if (text) last = { ...last, keys: await withText(ctx, last.keys, text) }
    if (last.isEnd || last.keys.length > limit) break
  }
  const keys = last.keys.slice(0, limit)
  const turns = await turnsAt(ctx, keys)
  const end = last.keys.length > limit ? keys.at(-1) : last.isEnd ? undefined : last.oldest
  return {
    turns,
    ...(end && { next: `${end.at}.${end.seq}` }),
    ...(end && keys.length < limit && { searched: new Date(Number(end.at / 1_000n)) }),
  }
}

/** All turns that match, newest first, read while they are taken. */
export async function* allTurns(ctx: Reading, filters: Filters, now: number): AsyncGenerator<TurnView> {
  for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
    const page: Page = await search(ctx, filters, { now, limit: 200, before })
    yield* page.turns
    before = page.next
  }
}

/** The values of a condition on `at` and `seq`. Microseconds since the epoch. */
type Range = readonly [since: string | null, until: string | null, beforeAt: string | null, beforeSeq: string | null]

const WITHIN = `
  at >= coalesce(timestamptz 'epoch' + $1::bigint * interval '1 microsecond', '-infinity')
  and at < coalesce(timestamptz 'epoch' + $2::bigint * interval '1 microsecond', 'infinity')
  and at <= coalesce(timestamptz 'epoch' + $3::bigint * interval '1 microsecond', 'infinity')
  and (at, seq) < (coalesce(timestamptz 'epoch' + $3::bigint * interval '1 microsecond', 'infinity'), coalesce($4::bigint, 0))`

function rangeOf({ since, until }: Filters, before: string | undefined): Range {
  const [at = null, seq = null] = before?.split('.') ?? []
  const micros = (time: string | undefined) => (time === undefined ? null : `${Date.parse(time)}000`)
  return [micros(since), micros(until), at, seq]
}

/** A turn has the facet when it has one of the values, and has at most one of them. */
interface Facet {
  readonly kind: string
  readonly values: readonly string[]
}

function facetsOf(filters: Filters, now: number): readonly Facet[] {
  return FACETS.flatMap(kind => {
    const value = filters[kind]
    if (value === undefined) return []
    return { kind, values: kind === 'week' ? utcHours(hourOfWeek(value), now).map(String) : [value] }
  })
}

/** The kinds and values of facets, for `unnest`. */
function columnsOf(facets: readonly Facet[]): readonly [string[], string[]] {
  const pairs = facets.flatMap(({ kind, values }) => values.map(value => ({ kind, value })))
  return [pairs.map(({ kind }) => kind), pairs.map(({ value }) => value)]
}

/** Facets, the rarest before the end of the range first. */
async function byRarity(db: Database, facets: readonly Facet[], range: Range): Promise<readonly Facet[]> {
  if (facets.length < 2) return facets
  const { rows } = await db.query<Pick<Facet, 'kind'>>(
    `select f.kind from unnest($5::text[], $6::text[]) as f(kind, value), lateral (
       select count(*) as count, min(at) as oldest from (
         select at from kikimimi_v1.turn_facet where facet = kikimimi_v1.facet(f.kind, f.value) and ${WITHIN}
         order by at desc, seq desc limit ${COUNTED}
       ) newest
     ) n group by f.kind order by sum(n.count), min(n.oldest)`,
    [...range, ...columnsOf(facets)],
  )
  return rows.flatMap(({ kind }) => facets.find(one => one.kind === kind) ?? [])
}

interface Looking {
  readonly range: Range
  readonly rarest: Facet | undefined
  readonly others: readonly Facet[]
  readonly week: ReturnType<typeof hourOfWeek> | undefined
  readonly most: number
  readonly limit: number
}

interface Looked {
  readonly keys: readonly TurnKey[]
  /** Whether all turns of the range were looked at. */
  readonly isEnd: boolean
  readonly oldest?: TurnKey
}

async function look(db: Database, { range, rarest, others, week, most, limit }: Looking): Promise<Looked> {
  const newest = `order by at desc, seq desc limit $5`
  const from = rarest
    ? `unnest($7::text[], $8::text[]) as f(kind, value), lateral (
         select at, seq from kikimimi_v1.turn_facet where facet = kikimimi_v1.facet(f.kind, f.value) and ${WITHIN} ${newest}
       ) one`
    : `kikimimi_v1.trace where cardinality($7::text[]) = 0 and cardinality($8::text[]) = 0 and ${WITHIN}`
  const { rows } = await db.query<{ at: string; seq: string; found: boolean; count: number }>(
    `with looked_at as materialized (
       select at, seq from ${from} ${newest}
     ), found as (
       select at, seq from looked_at l
       where (select count(*) from kikimimi_v1.turn_facet f
              where f.facet = any (array(select kikimimi_v1.facet(o.kind, o.value) from unnest($9::text[], $10::text[]) as o(kind, value)))
                and f.at = l.at and f.seq = l.seq) = $11
         and ($12::int is null or $12 = ${WEEK_HOUR})
       order by at desc, seq desc limit $6
     )
     select (extract(epoch from at) * 1000000)::bigint::text as at, seq::text, found, (select count(*)::int from looked_at) as count from (
       select at, seq, true as found from found
       union all (select at, seq, false from looked_at order by at, seq limit 1)
     ) keys order by keys.at desc, keys.seq desc, found desc`,
    [
      ...[...range, most, limit, ...columnsOf(rarest ? [rarest] : []), ...columnsOf(others), others.length],
      ...[week?.hour ?? null, week?.zone ?? null],
    ],
  )
  const key = ({ at, seq }: { at: string; seq: string }): TurnKey => ({ at: BigInt(at), seq: BigInt(seq) })
  const oldest = rows.find(({ found }) => !found)
  return {
    keys: rows.filter(({ found }) => found).map(key),
    isEnd: (rows[0]?.count ?? 0) < most,
    ...(oldest && { oldest: key(oldest) }),
  }
}

/** The hour of the week in which the hour of a turn began, in the zone $13. */
const WEEK_HOUR = `floor(extract(epoch from (date_trunc('hour', l.at, 'UTC') at time zone $13) - timestamp '1970-01-05') / 3600)::int % 168`

/** Those of the turns of which a message, or the answer, has the text. */
async function withText({ db, use }: Reading, keys: readonly TurnKey[], text: string): Promise<readonly TurnKey[]> {
  const last = keys.at(-1)
  if (!last) return []
  const { rows } = await db.query<{ seq: string; channel: string; id: string }>(
    `select t.seq::text, array_to_string((string_to_array(t.conversation, '/'))[1:3], '/') as channel, said.id
     from unnest($1::bigint[], $2::bigint[]) as k(at, seq)
     join kikimimi_v1.trace t on t.seq = k.seq and t.at = timestamptz 'epoch' + k.at * interval '1 microsecond'
     cross join lateral jsonb_array_elements_text(t.data->'messages' || (t.data->'sent')) as said(id)`,
    [keys.map(({ at }) => String(at)), keys.map(({ seq }) => String(seq))],
  )
  const since = new Date(Number(last.at / 1_000n) - SAID_BEFORE)
  const found = await use(MessageLog).read({ readers: 'operator', messages: rows, words: [text], since, limit: rows.length })
  const has = new Set(found.map(({ conversation, id }) => `${channelOf(conversation)} ${id}`))
  const turns = new Set(rows.filter(({ channel, id }) => has.has(`${channel} ${id}`)).map(({ seq }) => seq))
  return keys.filter(({ seq }) => turns.has(String(seq)))
}

/** Characters of a message in a list. */
const SNIPPET = 300

/** A turn as a line of a list. */
export function lineOf({ place, trace, messages }: TurnView): TurnLine {
  const { turn, at, outcome, why, decision, score, models, tools = [], problems } = trace
  const shown = messages.find(({ id }) => id === trace.trigger) ?? messages.at(-1)
  const costs = models.flatMap(({ cost }) => cost ?? [])
  return {
    turn,
    at,
    place,
    ...(shown &&
      !shown.deleted && { author: shown.author.name, text: [...shown.text.slice(0, 2 * SNIPPET)].slice(0, SNIPPET).join('') }),
    messages: trace.messages.length,
    outcome,
    ...(why !== undefined && { why }),
    ...(decision && { decision }),
    ...(score && { points: score.points }),
    ms: Object.values(trace.ms).reduce((sum, ms) => sum + ms, 0),
    tokens: models.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    models: [...new Set(models.map(({ model }) => model))],
    tools: tools.length,
    problems: problems.length,
  }
}
