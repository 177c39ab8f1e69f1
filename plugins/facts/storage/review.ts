/** What the operator of the bot reviews: facts of all places, page by page. */
import { type Database, KikimimiError } from 'kikimimi'
import type { Review, ReviewPage, ReviewQuery, ReviewQueue } from '../api/review.ts'
import { kindOf, tokenId, tokensOf } from '../text/tokens.ts'
import { UNDO_MS } from './retire.ts'
import { factsById, factsOf } from './rows.ts'

/** A fact that ends within this time ends soon, in milliseconds. */
const SOON_MS = 14 * 86_400_000

/** Facts that a page of `disagreeing` looks at: each is compared with others. */
const LOOKED_AT = 2_000

/** Facts that disagree with one, at most. */
const AGAINST = 10

interface Queue {
  /** $1: the time of the queue. */
  readonly where: string
  /** The first number of the key of a row. The second is its item. */
  readonly key: string
  /** What comes after the key ($2, $3). */
  readonly after: string
  readonly order: string
  /** The time of the queue, in milliseconds from now. */
  readonly ms: number
}

const NEWEST = { key: '0::bigint', after: '$2::bigint is not null and f.item < $3', order: 'f.item desc', ms: 0 }

const QUEUES: Readonly<Record<ReviewQueue, Queue>> = {
  new: { ...NEWEST, where: 'f.valid_to is null and f.confirmed_at is null and f.edited_at is null' },
  disagreeing: { ...NEWEST, where: 'f.single and f.valid_to is null and f.subject is not null' },
  all: { ...NEWEST, where: 'true' },
  replaced: {
    where: 'f.retired_in is not null and f.superseded_by is not null and f.retired_at >= $1',
    key: 'f.retired_in',
    after: '(f.retired_in, f.item) < ($2::bigint, $3)',
    order: 'f.retired_in desc, f.item desc',
    ms: -UNDO_MS,
  },
  expiring: {
    where: 'f.valid_to is null and f.ends_at is not null and f.ends_at <= $1',
    key: '(extract(epoch from f.ends_at) * 1000000)::bigint',
    after: `(f.ends_at, f.item) > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3)`,
    order: 'f.ends_at, f.item',
    ms: SOON_MS,
  },
}

/** Part of a query: other current facts `o` with the subject, the relation and the readers of `f`. */
const BESIDE = `
  facts.fact o join facts.item i on i.id = o.item join facts.scope s on s.id = i.scope and s.realm = f.realm
  where o.subject = f.subject and o.relation = f.relation and o.single and o.valid_to is null`

const OTHER_VALUE = 'lower(o.value) <> lower(f.value)'

interface Row {
  readonly item: number
  readonly key: string
  readonly ends_at: Date | null
  readonly expires_at: Date | null
  readonly superseded_by: number | null
  readonly retired_in: number | null
  readonly against: readonly number[] | null
  readonly fits: boolean
}

export async function review(db: Database, now: Date, query: ReviewQuery): Promise<ReviewPage> {
  const { queue, text = '', channel, person, before, limit = 50 } = query
  const { where, key, after, order, ms } = QUEUES[queue]
  const [first = null, last = null] = before === undefined ? [] : keyIn(before)
  const params: unknown[] = [new Date(now.getTime() + ms), first, last]
  const value = (given: unknown) => `$${params.push(given)}` as const
  const wanted = [
    where,
    '$1::timestamptz is not null',
    before === undefined ? '$2::bigint is null and $3::bigint is null' : after,
  ]
  if (channel !== undefined) wanted.push(`s.channel = ${value(channel)}`)
  if (person) {
    const workspaces = value(`${encodeURIComponent(person.platform)}/`)
    wanted.push(`f.item in (${factsOf(value(person.id))}) and starts_with(s.workspace, ${workspaces})`)
  }
  if (text.trim() !== '') wanted.push(`f.item in (${withWords(value(searched(text)))})`)
  const compares = queue === 'disagreeing'
  const looked = compares ? LOOKED_AT : limit + 1
  const { rows } = await db.query<Row>(
    `with looked as materialized (
       select f.*, s.realm, ${key} as key, row_number() over (order by ${order}) as place
       from facts.fact f join facts.item i on i.id = f.item join facts.scope s on s.id = i.scope
       where ${wanted.join(' and ')} order by ${order} limit ${looked}
     ), fitting as (
       select f.*, ${compares ? HEAD : 'true'} as fits from looked f
     )
     select f.item, f.key::text as key, f.ends_at, f.expires_at, f.superseded_by, f.retired_in, f.fits,
       ${compares ? `(select json_agg(o.item) from (${AGAINST_OF}) o)` : 'null'} as against
     from (select * from fitting where fits order by place limit ${limit + 1}) f
     union all
     (select item, key::text, null, null, null, null, false, null from fitting where place = ${LOOKED_AT} and not fits)`,
    params,
  )
  const found = rows.filter(({ fits }) => fits)
  const shown = found.slice(0, limit)
  const lookedAll = rows.find(({ fits }) => !fits)
  const end = found.length > limit ? shown.at(-1) : lookedAll
  return {
    entries: await entriesOf(db, shown),
    ...(end && { next: `${end.key}.${end.item}` }),
  }
}

/** The newest of facts that disagree. */
const HEAD = `
  exists (select from ${BESIDE} and ${OTHER_VALUE} and o.item < f.item) and not exists (select from ${BESIDE} and o.item > f.item)`

const AGAINST_OF = `select o.item from ${BESIDE} and ${OTHER_VALUE} order by o.item desc limit ${AGAINST}`

async function entriesOf(db: Database, rows: readonly Row[]): Promise<readonly Review[]> {
  const others = rows.flatMap(({ against, superseded_by }) => [
    ...(against ?? []),
    ...(superseded_by === null ? [] : [superseded_by]),
  ])
  const facts = await factsById(db, [...rows.map(({ item }) => item), ...new Set(others)])
  const known = new Map(facts.map(fact => [fact.id, fact]))
  return rows.flatMap(({ item, against, ends_at, expires_at, superseded_by, retired_in }): Review[] => {
    const fact = known.get(item)
    // A fact may be forgotten meanwhile.
    if (!fact) return []
    const replacedBy = superseded_by === null ? undefined : known.get(superseded_by)
    return [
      {
        fact,
        against: (against ?? []).flatMap(id => known.get(id) ?? []),
        ...(ends_at && { endsAt: ends_at, ends: expires_at && expires_at <= ends_at ? 'expires' : 'fades' }),
        ...(replacedBy && retired_in !== null && { replacedBy, batch: retired_in }),
      },
    ]
  })
}

function withWords(tokens: `$${number}`): string {
  return `select item from facts.posting where token = any(${tokens}::int[]) and fact group by item having count(*) = cardinality(${tokens}::int[])`
}

/** Tokens that a fact must have. Where words have no spaces, pairs of characters: how a text is cut into words depends on what is around it. */
function searched(text: string): number[] {
  const tokens = tokensOf(text)
  const hasPairs = tokens.some(({ kind }) => kind === 'pair')
  const chosen = tokens.filter(({ kind, text }) => !hasPairs || kind === 'pair' || (kind === 'word' && !CJK.test(text)))
  return [...new Set(chosen.map(tokenId))].filter(id => kindOf(id) !== 'mark')
}

const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]/u

function keyIn(before: string): readonly string[] {
  if (/^-?\d{1,18}\.\d{1,18}$/.test(before)) return before.split('.')
  throw new KikimimiError('ARGUMENT_INVALID', '[facts] before is the value `next` of an earlier page.')
}

/** Marks facts as true: their confidence is 1, and they fade from now on. Returns those that exist. */
export async function confirmFacts(db: Database, ids: readonly number[], now: Date): Promise<number[]> {
  const { rows } = await db.query<{ item: number }>(
    'update facts.fact set confirmed_at = $2, confidence = 1 where item = any($1) and valid_to is null returning item',
    [ids, now],
  )
  return rows.map(({ item }) => item)
}

/** Computes when facts fade, if the options have changed since. */
export async function applyDecay(db: Database, halfLifeMs: number, forgetBelow: number): Promise<void> {
  const { rows } = await db.query('select from facts.decay where half_life_ms = $1 and forget_below = $2', [
    halfLifeMs,
    forgetBelow,
  ])
  if (rows.length > 0) return
  await db.transaction(async () => {
    await db.query('update facts.decay set half_life_ms = $1, forget_below = $2', [halfLifeMs, forgetBelow])
    await db.query(
      `update facts.fact f set ends_at = least(f.expires_at, facts.fades_at(f))
       where f.ends_at is distinct from least(f.expires_at, facts.fades_at(f))`,
    )
  })
}
