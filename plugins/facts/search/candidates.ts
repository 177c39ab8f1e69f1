/** Finds candidates for a question: the best of each leg, within what the audience may read. */
import { type Conversation, channelOf, type Database, KikimimiError } from 'kikimimi'
import type { SearchBy } from '../api/facts.ts'
import type { Near, VectorIndex } from '../api/vectors.ts'
import { unpacked, workspaceOf } from '../storage/entries.ts'
import { findingIds, kindOf, READ, tokenId, tokensOf } from '../text/tokens.ts'
import type { Embedder } from '../vectors/embedder.ts'
import { agreementOf } from './agreement.ts'
import { idf, KANJI_WEIGHT } from './bm25.ts'
import type { Candidate } from './candidate.ts'
import { ASKS } from './rank.ts'

/**
 * Candidates of each leg, for facts and for messages. Twice as many found nothing more on the sets in bench/, and took 8 ms
 * more on PGlite.
 */
const PER_LEG = 100

/** Factor of candidates in a search for facts by vector only. */
const WITH_MESSAGES = 10

/**
 * Maximum number of index entries that a search reads. It begins with the rarest words and the newest entries of each, and
 * skips words that occur in every other text. All words count when candidates are ranked.
 */
const READS = 3_000

/** Number of best candidates whose neighbours are examined too: an answer often shares no word with its question. */
const WITH_NEIGHBOURS = 50

/** Texts without any word of the question, as a prior: two words of two texts are not common for that. */
const OTHERS = 100

export interface Search {
  readonly conversation: Conversation
  readonly text: string
  readonly messages: boolean
  readonly by: SearchBy
  /** Whether to include facts that no longer hold. */
  readonly history: boolean
  /** Ids of messages of this channel to leave out. */
  readonly except: readonly string[]
  readonly signal?: AbortSignal | undefined
}

export interface Found {
  readonly candidates: readonly Candidate[]
  /** The weight of each token of the question. Empty in a search by vector alone. */
  readonly tokens: ReadonlyMap<number, number>
  readonly meanWords: number
  /** The searched scopes. */
  readonly scopes: readonly number[]
  /** Whether the question has a vector. */
  readonly byVector: boolean
  /** How well vectors and words agree: see {@link agreementOf}. */
  readonly agreement: number | undefined
  /** Ids of people whose names occur in the question. */
  readonly named: readonly string[]
}

export interface SearchDeps {
  readonly db: Database
  readonly vectors: () => VectorIndex
  readonly embedder: Embedder | undefined
}

export async function findCandidates({ db, vectors, embedder }: SearchDeps, search: Search): Promise<Found> {
  const asked = findingIds(tokensOf(search.text).map(tokenId))
  const [byWords, byVectors] = [search.by !== 'vector', search.by !== 'keyword']
  const vector = asked.length > 0 && byVectors ? embedder?.embedQuery(search.text, search.signal) : undefined
  const { scopes, realms, items, words, known, people } = await lookUp(db, search, asked)
  const having = new Map(known)
  const tokens = new Map(
    (byWords ? asked : []).map(token => [
      token,
      idf(items + OTHERS, having.get(token) ?? 0) * (kindOf(token) === 'kanji' ? KANJI_WEIGHT : 1),
    ]),
  )
  const byKeyword = byWords ? await keywordLeg(db, { scopes, realms, tokens, known, messages: search.messages }) : []
  const near = await vectorLeg(await vector)
  if (!byWords && asked.length > 0) await requireVectors(await vector, near)
  const similarity = new Map(near?.map(({ item, similarity }) => [item, similarity]))
  const best = [...byKeyword.slice(0, WITH_NEIGHBOURS), ...[...similarity.keys()].slice(0, WITH_NEIGHBOURS)]
  const ids = [...new Set([...byKeyword, ...similarity.keys()])]
  const rows = ids.length === 0 ? [] : await read(db, search, { ids, best: search.messages ? best : [], scopes })
  const candidates = rows.map(row => toCandidate(row, similarity.get(row.id)))
  const named = people.filter(({ name }) => says(search.text, name)).map(({ id }) => id)
  const byVector = near !== undefined && (await vector) !== undefined
  const agreement = near && search.messages ? agreementOf([...similarity.keys()], byKeyword, items) : undefined
  return { candidates, tokens, meanWords: words / Math.max(1, items), scopes, named, byVector, agreement }

  /** Subtracts the similarity of unrelated texts, so that values of different models are comparable. */
  async function vectorLeg(embedded: Awaited<typeof vector>): Promise<readonly Near[] | undefined> {
    if (!embedded) return []
    const { space, vector, unrelated } = embedded
    // An index does not distinguish facts from messages, of which there are many more.
    const limit = search.by === 'vector' && !search.messages ? WITH_MESSAGES * PER_LEG : PER_LEG
    const found = await vectors().search(space, vector, { scopes, limit })
    return found?.map(({ item, similarity }) => ({ item, similarity: (similarity - unrelated) / (1 - unrelated) }))
  }

  /** A search by vector alone must fail if vectors are unavailable, instead of returning nothing. */
  async function requireVectors(embedded: Awaited<typeof vector>, near: readonly Near[] | undefined): Promise<void> {
    const advice = 'Search by keyword, or try again later.'
    if (!embedder)
      throw new KikimimiError('MODEL_MISSING', `[facts] there is no model for vectors in bot.config.ts. Search by keyword.`)
    if (!embedded) throw new KikimimiError('MODEL_UNAVAILABLE', `[facts] the embedding model does not respond. ${advice}`)
    if (!near) throw new KikimimiError('DATABASE_UNREACHABLE', `[facts] the vector index does not respond. ${advice}`)
    if (near.length > 0) return
    const home = await vectors().home(embedded.space)
    const { rowCount } = await db.query(
      'select 1 from facts.item where scope = any($1) and ($2 or kind = $3) and space is distinct from $4 limit 1',
      [scopes, search.messages, 'fact', home],
    )
    if (rowCount > 0) throw new KikimimiError('MODEL_UNAVAILABLE', `[facts] vectors are still being made. ${advice}`)
  }
}

interface LookUp {
  readonly scopes: readonly number[]
  readonly realms: readonly number[]
  readonly items: number
  readonly words: number
  /** Tokens of the question in the index, each with its number of items. */
  readonly known: readonly (readonly [token: number, items: number])[]
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

async function lookUp(db: Database, { conversation, text }: Search, asked: readonly number[]): Promise<LookUp> {
  const { rows } = await db.query<{ found: LookUp | null }>('select facts.look_up($1, $2, $3, $4, $5) as found', [
    workspaceOf(conversation),
    channelOf(conversation),
    conversation.id,
    asked,
    text.slice(0, READ).toLowerCase(),
  ])
  const found = rows[0]?.found
  if (!found) throw new KikimimiError('INTERNAL', '[facts] The table facts.corpus has no row.')
  return found
}

/** Matches whole words in Latin script, so that "an" is not Ann, and any position in Japanese, which has no spaces. */
function says(text: string, name: string): boolean {
  const escaped = name.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{sc=Latin}\\p{N}_])${escaped}(?![\\p{sc=Latin}\\p{N}_])`, 'u').test(text.toLowerCase())
}

/** Ids of facts and of messages, best first. */
async function keywordLeg(
  db: Database,
  {
    scopes,
    realms,
    tokens,
    known,
    messages,
  }: {
    readonly scopes: readonly number[]
    readonly realms: readonly number[]
    readonly tokens: ReadonlyMap<number, number>
    readonly known: LookUp['known']
    readonly messages: boolean
  },
): Promise<readonly number[]> {
  const rarest = known.toSorted(([, one], [, other]) => one - other)
  let reads = 0
  const read = rarest.filter(([, items], at) => {
    reads += items
    return at === 0 || reads <= READS
  })
  if (read.length === 0 || scopes.length === 0) return []
  const { rows } = await db.query<{ items: readonly number[] }>('select facts.by_words($1, $2, $3, $4, $5, $6, $7) as items', [
    read.map(([token]) => token),
    read.map(([token]) => tokens.get(token) ?? 0),
    realms,
    scopes,
    messages,
    READS,
    PER_LEG,
  ])
  return rows[0]?.items ?? []
}

interface Row {
  readonly id: number
  readonly kind: 'fact' | 'message'
  readonly at: string
  readonly tokens: string
  readonly words: number
  readonly fact_kind: string | null
  readonly pinned: boolean | null
  readonly confidence: number | null
  readonly people: readonly string[] | null
  readonly author: string | null
  readonly sitting: number | null
  readonly line: number | null
  readonly asks: boolean | null
  readonly answers: number | null
  readonly sources: readonly number[] | null
}

/** The candidates, with the lines around the best messages, and the messages of the best facts. */
async function read(
  db: Database,
  { conversation, messages, history, except }: Search,
  where: { readonly ids: readonly number[]; readonly best: readonly number[]; readonly scopes: readonly number[] },
): Promise<readonly Row[]> {
  const { rows } = await db.query<{ found: readonly Row[] }>('select facts.candidates($1, $2, $3, $4, $5, $6, $7) as found', [
    where.ids,
    where.best,
    where.scopes,
    messages,
    history,
    channelOf(conversation),
    except,
  ])
  return rows[0]?.found ?? []
}

function toCandidate(row: Row, similarity: number | undefined): Candidate {
  const { id, kind, at, words, author, sitting, line, asks, answers, sources } = row
  return {
    id,
    kind,
    at: new Date(at),
    tokens: unpacked(row.tokens),
    words,
    lasting: row.pinned === true || row.fact_kind === 'durable' || row.fact_kind === 'preference',
    confidence: row.confidence ?? (asks ? ASKS : 1),
    people: author === null ? (row.people ?? []) : [author],
    ...(similarity !== undefined && { similarity }),
    ...(sitting !== null &&
      line !== null && { said: { sitting, line, asks: asks === true, ...(answers !== null && { answers }) } }),
    ...(sources && { sources }),
  }
}
