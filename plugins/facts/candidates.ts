/** What could answer a question: the best of each leg, within what may be read there. */
import { type Conversation, channelOf, type Database } from 'kikimimi'
import type { Embedder } from './embedder.ts'
import { countEach, unpacked, workspaceOf } from './entries.ts'
import { hashedSimilarity } from './hashed.ts'
import { type Candidate, idf, KANJI_WEIGHT } from './rank.ts'
import { kindOf, tokenId, tokensOf } from './tokens.ts'
import type { Near, VectorIndex } from './vectors.ts'

/** The best of each leg, of facts and of messages. Twice as many found nothing more on the sets in bench/, and took 8 ms more on PGlite. */
const PER_LEG = 100

/**
 * How many places of the index a search reads at most. It begins with the rarest words and leaves out what is in every
 * other text, which tells little; all words count when the candidates are put in order. One place takes about 1.5 µs on PGlite.
 */
const READS = 3_000

/** The neighbours of so many are looked at too: the answer to a question often shares no word with it. */
const WITH_NEIGHBOURS = 50

/**
 * In an index of more than LARGE, with ENOUGH found by their words, the built-in vectors are not searched: they are made
 * of the same words, and find more only where those are misspelt. It costs 1 of 270 answers, and saves half of the time.
 */
const LARGE = 5_000
const ENOUGH = 8

export interface Search {
  readonly conversation: Conversation
  readonly text: string
  readonly messages: boolean
  /** What does not hold any more, too. */
  readonly history: boolean
  /** Ids of messages of this channel to leave out. */
  readonly except: readonly string[]
  readonly signal?: AbortSignal | undefined
}

export interface Found {
  readonly candidates: readonly Candidate[]
  /** What each token of the question tells. */
  readonly tokens: ReadonlyMap<number, number>
  readonly meanWords: number
  /** Where was looked. */
  readonly scopes: readonly number[]
  /** Whether the question has a vector. */
  readonly byVector: boolean
  /** Ids of people whose names stand in the question. */
  readonly named: readonly string[]
}

export interface SearchDeps {
  readonly db: Database
  readonly vectors: () => VectorIndex
  readonly embedder: Embedder
}

export async function findCandidates({ db, vectors, embedder }: SearchDeps, search: Search): Promise<Found> {
  const counts = countEach(tokensOf(search.text).map(tokenId))
  const asked = [...counts.keys()]
  const vector = asked.length === 0 ? undefined : embedder.embedQuery(search.text, search.signal)
  const { scopes, items, words, known, people } = await lookUp(db, search, asked)
  const tokens = new Map(
    asked.map(token => [token, idf(items, known.get(token) ?? 0) * (kindOf(token) === 'kanji' ? KANJI_WEIGHT : 1)]),
  )
  const byKeyword = await keywordLeg(db, { scopes, tokens, known, messages: search.messages })
  const near = embedder.builtIn && items > LARGE && byKeyword.length >= ENOUGH ? [] : await vectorLeg(await vector)
  const similarity = new Map(near?.map(({ item, similarity }) => [item, similarity]))
  const best = [...byKeyword.slice(0, WITH_NEIGHBOURS), ...[...similarity.keys()].slice(0, WITH_NEIGHBOURS)]
  const ids = [...new Set([...byKeyword, ...similarity.keys()])]
  const rows = ids.length === 0 ? [] : await read(db, search, { ids, best: search.messages ? best : [], scopes })
  const candidates = rows.map(row => {
    const tokens = unpacked(row.tokens)
    const near = similarity.get(row.id) ?? (embedder.builtIn ? hashedSimilarity(counts, countEach(tokens)) : undefined)
    return toCandidate(row, tokens, near)
  })
  const named = people.filter(({ name }) => says(search.text, name)).map(({ id }) => id)
  const byVector = near !== undefined && (await vector) !== undefined
  return { candidates, tokens, meanWords: words / Math.max(1, items), scopes, named, byVector }

  /** With what unrelated texts have in common taken off, so that the figure says the same of every model. */
  async function vectorLeg(embedded: Awaited<typeof vector>): Promise<readonly Near[] | undefined> {
    if (!embedded) return []
    const { space, vector, unrelated } = embedded
    const found = await vectors().search(space, vector, { scopes, limit: PER_LEG })
    return found?.map(({ item, similarity }) => ({ item, similarity: (similarity - unrelated) / (1 - unrelated) }))
  }
}

/** The scopes that may be read, how common the words of the question are, and whose names may stand in it. */
async function lookUp(db: Database, { conversation, text }: Search, asked: readonly number[]) {
  const { rows } = await db.query<{
    scopes: number[]
    items: number
    words: number
    known: Record<string, number> | null
    people: { id: string; name: string }[] | null
  }>(
    `select array(select facts.readable($1, $2, $3)) as scopes, c.items, c.words,
       (select json_object_agg(t.token, t.items) from facts.token t where t.token = any($4::int[])) as known,
       (select json_agg(json_build_object('id', p.id, 'name', p.name)) from facts.person p
        where p.workspace = $1 and length(p.name) > 1 and position(lower(p.name) in $5) > 0) as people
     from facts.corpus c`,
    [workspaceOf(conversation), channelOf(conversation), conversation.id, asked, text.toLowerCase()],
  )
  const [row] = rows
  if (!row) throw new Error('facts.corpus has lost its row')
  const known = new Map(Object.entries(row.known ?? {}).map(([token, items]) => [Number(token), items]))
  return { ...row, known, people: row.people ?? [] }
}

/** As a word of its own in Latin script, where "an" is no Ann; anywhere in Japanese, which has no spaces. */
function says(text: string, name: string): boolean {
  const escaped = name.toLowerCase().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{sc=Latin}\\p{N}_])${escaped}(?![\\p{sc=Latin}\\p{N}_])`, 'u').test(text.toLowerCase())
}

/** Ids, best first, of facts and of messages each. */
async function keywordLeg(
  db: Database,
  {
    scopes,
    tokens,
    known,
    messages,
  }: {
    readonly scopes: readonly number[]
    readonly tokens: ReadonlyMap<number, number>
    readonly known: ReadonlyMap<number, number>
    readonly messages: boolean
  },
): Promise<number[]> {
  const rarest = [...known].sort(([, one], [, other]) => one - other)
  let reads = 0
  const read = rarest.filter(([, items], at) => {
    reads += items
    return at === 0 || reads <= READS
  })
  if (read.length === 0 || scopes.length === 0) return []
  const { rows } = await db.query<{ item: number }>(
    `with hit as materialized (
       select p.item, p.fact, sum(q.weight) as score
       from unnest($1::int[], $2::float8[]) as q(token, weight) join facts.posting p on p.token = q.token
       where p.scope = any($3) and (p.fact or $4)
       group by p.item, p.fact
     )
     (select item, score from hit where fact order by score desc, item desc limit ${PER_LEG})
     union all
     (select item, score from hit where not fact order by score desc, item desc limit ${PER_LEG})
     order by score desc`,
    [read.map(([token]) => token), read.map(([token]) => tokens.get(token) ?? 0), scopes, messages],
  )
  return rows.map(({ item }) => item)
}

interface Row {
  readonly id: number
  readonly kind: 'fact' | 'message'
  readonly at: Date
  readonly tokens: string
  readonly words: number
  readonly fact_kind: string | null
  readonly pinned: boolean | null
  readonly confidence: number | null
  readonly people: readonly string[] | null
  readonly author: string | null
  readonly previous: number | null
  readonly answers: number | null
}

/** All that the ranking needs to know of what was found, and of the neighbours of the best. */
async function read(
  db: Database,
  { conversation, messages, history, except }: Search,
  where: { readonly ids: readonly number[]; readonly best: readonly number[]; readonly scopes: readonly number[] },
): Promise<Row[]> {
  const { rows } = await db.query<Row>(
    `with wanted as materialized (
       select unnest($1::bigint[]) as id
       union select previous from facts.message where item = any($2)
       union select answers from facts.message where item = any($2)
       union select item from facts.message where previous = any($2)
       union select item from facts.message where answers = any($2)
     )
     select i.id, i.kind, i.at, encode(i.tokens, 'base64') as tokens, i.words, f.kind as fact_kind, f.pinned, f.confidence, f.people,
       m.author, m.previous, m.answers
     from wanted join facts.item i on i.id = wanted.id
       left join facts.fact f on f.item = i.id left join facts.message m on m.item = i.id
     where i.scope = any($3) and ($4 or i.kind = 'fact')
       and ($5 or f.valid_to is null)
       -- A message that said what is history now is history too, unless it said something else besides.
       and ($5 or m.item is null or not exists (
         select 1 from facts.fact_source s join facts.fact o on o.item = s.item
         where s.channel = m.channel and s.message = m.id having bool_and(o.valid_to is not null)
       ))
       and not (m.item is not null and m.channel = $6 and m.id = any($7))`,
    [where.ids, where.best, where.scopes, messages, history, channelOf(conversation), except],
  )
  return rows
}

function toCandidate(row: Row, tokens: Int32Array, similarity: number | undefined): Candidate {
  const { id, kind, at, words, author, previous, answers } = row
  return {
    id,
    kind,
    at,
    tokens,
    words,
    lasting: row.pinned === true || row.fact_kind === 'durable' || row.fact_kind === 'preference',
    confidence: row.confidence ?? 1,
    people: author === null ? (row.people ?? []) : [author],
    ...(similarity !== undefined && { similarity }),
    ...(previous !== null && { previous }),
    ...(answers !== null && { answers }),
  }
}
