/** Finds the passages that answer a question: by words, and by vectors if there is a model for them. */
import { bm25, evidence, idf, KANJI_WEIGHT, total } from '@kikimimi/facts/bm25'
import type { Embedder } from '@kikimimi/facts/embedder'
import { kindOf } from '@kikimimi/facts/tokens'
import type { Database, MessageSource } from 'kikimimi'
import { spaceOf } from '../index/embed.ts'
import { askedTerms } from '../index/terms.ts'

export interface Found {
  /** The name of the source. */
  readonly source: string
  readonly path: string
  /** The title of the document; `''` if it has none. */
  readonly title: string
  readonly headings: readonly string[]
  /** Where people open the passage. Absent: nowhere. */
  readonly link?: string
  /** The message that the document comes from. Absent: none. */
  readonly from?: MessageSource
  readonly text: string
  /** 0…1: how sure it is that the passage tells something about the question. Comparable between questions. */
  readonly relevance: number
}

export interface Search {
  readonly text: string
  /** Names of the sources that may be searched. */
  readonly sources: readonly string[]
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

/** Passages of each leg that are ranked. */
const PER_LEG = 60

/** Passages that are looked at for one word, and for all words together. The rarest words come first. */
const READS = 2_000
const ALL_READS = 6_000

/** Passages of one section that come first. Further ones stand behind those of other sections, which would not fit otherwise. */
const PER_SECTION = 2

/** Share of the relevance of the best that the others must have. */
const FAR_LESS = 0.4

/** Passages without any word of the question, as a prior: in a small folder two words are not common for being in two passages. */
const OTHERS = 100

/** Weight of pairs of Japanese characters and of vectors, relative to words. As in facts, measured by `bench:knowledge`. */
const PAIRS = 0.25
const VECTORS = 1

interface Row {
  readonly id: number
  readonly source: string
  readonly path: string
  readonly title: string
  readonly headings: readonly string[]
  readonly anchor: string | null
  readonly link: string | null
  readonly channel: string | null
  readonly message: string | null
  readonly text: string
  readonly tokens: readonly number[]
  readonly words: number
}

/**
 * The passages for an answer: none if no passage is relevant enough, and none that is far less relevant than the best.
 *
 * @param least the share of the question that the best must cover
 */
export function relevantOf(found: readonly Found[], least: number): readonly Found[] {
  const most = found.reduce((most, { relevance }) => Math.max(most, relevance), 0)
  return most < least ? [] : found.filter(({ relevance }) => relevance >= FAR_LESS * most)
}

/** Best first, with those that hardly tell anything: see {@link relevantOf}. */
export async function search(db: Database, embedder: Embedder | undefined, given: Search): Promise<readonly Found[]> {
  const asked = askedTerms(given.text)
  if (asked.length === 0 || given.sources.length === 0) return []
  const vector = embedder?.embedQuery(given.text, given.signal)
  const { sources, passages, words, known } = await lookUp(db, given.sources, asked)
  const tokens = new Map(
    asked.map(token => [token, idf(passages + OTHERS, known.get(token) ?? 0) * (kindOf(token) === 'kanji' ? KANJI_WEIGHT : 1)]),
  )
  const byWords = await keywordLeg(db, sources, tokens, known)
  const similarity = await vectorLeg(db, sources, await vector)
  const rows = await read(db, [...new Set([...byWords, ...similarity.keys()])])
  return spread(ranked(rows, { tokens, similarity, meanWords: words / Math.max(1, passages) }), given.limit)
}

interface LookUp {
  readonly sources: readonly number[]
  readonly passages: number
  readonly words: number
  readonly known: ReadonlyMap<number, number>
}

async function lookUp(db: Database, names: readonly string[], asked: readonly number[]): Promise<LookUp> {
  const { rows } = await db.query<{
    ids: number[]
    passages: number
    words: number
    known: (readonly [number, number])[] | null
  }>(
    `with readable as materialized (select id, passages, words from knowledge.source where name = any($1))
     select coalesce(array_agg(id), '{}') as ids, coalesce(sum(passages), 0)::float8 as passages,
       coalesce(sum(words), 0)::float8 as words,
       (select json_agg(json_build_array(token, passages)) from (
          select token, sum(passages) as passages from knowledge.token
          where token = any($2) and source in (select id from readable) group by token
        ) t) as known
     from readable`,
    [names, asked],
  )
  const { ids = [], passages = 0, words = 0, known } = rows[0] ?? {}
  return { sources: ids, passages, words, known: new Map(known ?? []) }
}

async function keywordLeg(
  db: Database,
  sources: readonly number[],
  tokens: ReadonlyMap<number, number>,
  known: ReadonlyMap<number, number>,
): Promise<readonly number[]> {
  let reads = 0
  const rarest = [...known]
    .filter(([, passages]) => passages > 0)
    .toSorted(([, one], [, other]) => one - other)
    .filter(([, passages], at) => {
      reads += Math.min(passages, READS)
      return at === 0 || reads <= ALL_READS
    })
  if (rarest.length === 0) return []
  const { rows } = await db.query<{ id: number }>(
    `select o.id from unnest($1::int[], $2::float8[]) as q(token, weight), lateral (
       select id from knowledge.passage where tokens @> array[q.token] and source = any($3) limit ${READS}
     ) o group by o.id order by sum(q.weight) desc, o.id limit ${PER_LEG}`,
    [rarest.map(([token]) => token), rarest.map(([token]) => (tokens.get(token) ?? 0) * weightOf(token)), sources],
  )
  return rows.map(({ id }) => id)
}

function weightOf(token: number): number {
  return kindOf(token) === 'pair' ? PAIRS : 1
}

/** The similarity of the nearest passages, without that of unrelated texts. */
async function vectorLeg(
  db: Database,
  sources: readonly number[],
  asked: Awaited<ReturnType<Embedder['embedQuery']>>,
): Promise<ReadonlyMap<number, number>> {
  if (!asked) return new Map()
  const { space, vector, unrelated } = asked
  const { rows } = await db.query<{ passage: number; similarity: number }>(
    `select passage, 1 - (embedding <=> $1::vector) as similarity from knowledge.vector
     where space = $2 and source = any($3) order by embedding <=> $1::vector limit ${PER_LEG}`,
    [vector, spaceOf(space), sources],
  )
  return new Map(rows.map(({ passage, similarity }) => [passage, (similarity - unrelated) / (1 - unrelated)]))
}

async function read(db: Database, ids: readonly number[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<Row>(
    `select p.id, s.name as source, d.path, d.title, p.headings, p.anchor, d.link, d.channel, d.message, p.text, p.tokens, p.words
     from knowledge.passage p join knowledge.document d on d.id = p.document join knowledge.source s on s.id = p.source
     where p.id = any($1)`,
    [ids],
  )
  return rows
}

interface Asked {
  readonly tokens: ReadonlyMap<number, number>
  readonly similarity: ReadonlyMap<number, number>
  readonly meanWords: number
}

/** A weighted sum of the legs, each a share of its best: what facts does, where it found more than a fusion of ranks. */
function ranked(rows: readonly Row[], { tokens, similarity, meanWords }: Asked): Found[] {
  const byVector = similarity.size > 0
  const onlyWords = new Map([...tokens].filter(([token]) => kindOf(token) === 'word'))
  const candidates = rows.map(row => {
    const near = similarity.get(row.id)
    const candidate = { tokens: Int32Array.from(row.tokens), words: row.words, ...(near !== undefined && { similarity: near }) }
    const { words, pairs } = bm25(candidate, { tokens, meanWords })
    // A Japanese question also counts by its words alone: its endings make pairs that a text without them has not.
    const shares = [tokens, onlyWords].map(some =>
      evidence(candidate, { tokens: some, byVector, trust: VECTORS }, total({ tokens: some })),
    )
    const relevance = Math.max(...shares)
    return { row, words, pairs, near: Math.max(0, near ?? 0), relevance }
  })
  const most = (value: (one: (typeof candidates)[number]) => number) =>
    candidates.reduce((most, one) => Math.max(most, value(one)), 0)
  const [words, pairs, near] = [most(one => one.words), most(one => one.pairs), most(one => one.near)]
  const share = (value: number, best: number) => (best > 0 ? value / best : 0)
  return candidates
    .map(one => ({
      ...one,
      score: share(one.words, words) + PAIRS * share(one.pairs, pairs) + VECTORS * share(one.near, near),
    }))
    .toSorted((one, other) => other.score - one.score || one.row.id - other.row.id)
    .map(({ row, relevance }) => found(row, relevance))
}

/** A long section, cut into many passages, would take all places. A text without headings has no sections. */
function spread(ranked: readonly Found[], limit: number): Found[] {
  const taken = new Map<string, number>()
  const isFirst = ({ source, path, headings }: Found) => {
    if (headings.length === 0) return true
    const section = JSON.stringify([source, path, headings])
    const before = taken.get(section) ?? 0
    taken.set(section, before + 1)
    return before < PER_SECTION
  }
  const { first = [], further = [] } = Object.groupBy(ranked, one => (isFirst(one) ? 'first' : 'further'))
  return [...first, ...further].slice(0, limit)
}

function found({ source, path, title, headings, link, anchor, channel, message, text }: Row, relevance: number): Found {
  // The link of a message leads to the message alone.
  const open = link === null ? undefined : anchor === null || channel !== null ? link : `${link}#${encodeURI(anchor)}`
  return {
    ...{ source, path, title, headings, text, relevance },
    ...(open !== undefined && { link: open }),
    ...(channel !== null && message !== null && { from: { channel, messages: [message] } }),
  }
}
