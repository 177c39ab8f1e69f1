/** Very many facts, created by the server itself: a million take minutes instead of hours. */
import type { Database } from 'kikimimi'
import { seededRandom } from '../../../core/base/random.ts'
import { spaceKey } from '../../../plugins/facts/api/vectors.ts'
import { packed } from '../../../plugins/facts/storage/entries.ts'
import { tokenId } from '../../../plugins/facts/text/tokens.ts'
import { pgvectorIndex } from '../../../plugins/facts/vectors/pgvector.ts'
import { progress, round } from '../../base/measure.ts'
import { stopwatch } from '../../base/stopwatch.ts'
import { memoryOn, place } from './memory.ts'

/** The size of a model with shortened vectors. */
const SPACE = { name: 'scale', dimensions: 256 } as const

/** Workspaces by their share of all facts: a person in one of them may read that share. */
const SHARES = [0.889, 0.1, 0.01, 0.001] as const

const CHANNELS = 20
const WORDS = 50_000
const WORDS_EACH = 10

/**
 * Facts of ten words each, drawn from 50,000 as in a language (the n-th as often as 1/n), and vectors that lie in groups:
 * each the sum of one of 500 centres and of four of 1,000 deviations.
 */
export async function fill(db: Database, count: number): Promise<void> {
  const random = seededRandom(7)
  const normal = () => random() + random() + random() + random() - 2
  const direction = (length: number) => Float32Array.from({ length: SPACE.dimensions }, () => normal() * length)
  const pool = (size: number, length: number) => Array.from({ length: size }, () => direction(length))

  await db.script(`
    create unlogged table public.vocabulary (n int primary key, word text, token int, bytes bytea);
    create unlogged table public.pool (kind text, n int, v vector, primary key (kind, n));
    create unlogged table public.drawn (id int, word int);
    alter table facts.posting disable trigger user;
    alter table facts.item disable trigger user`)
  const words = Array.from({ length: WORDS }, (_, n) => `w${n}`)
  const tokens = words.map(text => tokenId({ text, kind: 'word' }))
  await db.query(
    `insert into public.vocabulary select n - 1, word, token, decode(bytes, 'base64')
     from unnest($1::text[], $2::int[], $3::text[]) with ordinality as v(word, token, bytes, n)`,
    [words, tokens, tokens.map(token => packed([token]))],
  )
  for (const [kind, vectors] of [
    ['centre', pool(500, 1)],
    ['deviation', pool(1_000, 0.45)],
  ] as const) {
    for (const [n, v] of vectors.entries()) await db.query('insert into public.pool values ($1, $2, $3)', [kind, n, v])
  }

  const edges = SHARES.map((_, at) => SHARES.slice(0, at + 1).reduce((sum, share) => sum + share, 0))
  await db.script(`
    select setseed(0.5);
    insert into facts.scope (workspace, channel, place, visibility, realm)
      select 'bench/w' || w, 'bench/w' || w || '/c' || c, 'bench/w' || w || '/c' || c, 'public', w + 1
      from generate_series(0, ${SHARES.length - 1}) w, generate_series(1, ${CHANNELS}) c;
    insert into public.drawn
      select i, floor(power(${WORDS}, random())) - 1 from generate_series(1, ${count}) i, generate_series(1, ${WORDS_EACH}) k;
    create unlogged table public.made as
      select i as id, (
        width_bucket(((i::bigint * 7919) % 1000003) / 1000003.0, array[0, ${edges.slice(0, -1).join(', ')}]::numeric[]) - 1
      ) * ${CHANNELS} + 1 + i % ${CHANNELS} as scope
      from generate_series(1, ${count}) i;
    insert into facts.item (id, kind, scope, at, tokens, words, space)
      select m.id, 'fact', m.scope, timestamptz '2025-12-31' - m.id % 300 * interval '1 day', w.tokens, ${WORDS_EACH}, '${spaceKey(SPACE)}'
      from public.made m join (
        select d.id, string_agg(v.bytes, '') as tokens from public.drawn d join public.vocabulary v on v.n = d.word group by d.id
      ) w on w.id = m.id;
    insert into facts.fact (item, content, digest, kind, people, keywords, confidence, shareable, pinned)
      select d.id, string_agg(v.word, ' '), d.id, 'current', '{}', '{}', 0.8, false, false
      from public.drawn d join public.vocabulary v on v.n = d.word group by d.id;
    insert into facts.posting (token, realm, item, scope, fact)
      select distinct v.token, s.realm, d.id, m.scope, true
      from public.drawn d join public.vocabulary v on v.n = d.word join public.made m on m.id = d.id join facts.scope s on s.id = m.scope;
    insert into facts.token (token, realm, items) select token, realm, count(*) from facts.posting group by token, realm;
    insert into facts.extent (realm, items, words)
      select s.realm, count(*), sum(i.words) from facts.item i join facts.scope s on s.id = i.scope group by s.realm;
    update facts.corpus set items = ${count}, words = ${count * WORDS_EACH};
    select setval(pg_get_serial_sequence('facts.item', 'id'), ${count});
    insert into facts.space (key) values ('${spaceKey(SPACE)}');
    insert into facts.vector (item, space, scope, embedding)
      select m.id, s.id, m.scope, c.v + a.v + b.v + d.v + e.v
      from public.made m join facts.space s on true
        join public.pool c on c.kind = 'centre' and c.n = m.id % 500
        join public.pool a on a.kind = 'deviation' and a.n = (m.id::bigint * 31) % 997
        join public.pool b on b.kind = 'deviation' and b.n = (m.id::bigint * 37) % 991
        join public.pool d on d.kind = 'deviation' and d.n = (m.id::bigint * 41) % 983
        join public.pool e on e.kind = 'deviation' and e.n = (m.id::bigint * 43) % 977;
    insert into facts.sign select item, space, scope, binary_quantize(embedding)::varbit from facts.vector;
    alter table facts.posting enable trigger user;
    alter table facts.item enable trigger user;
    drop table public.made, public.drawn, public.pool, public.vocabulary`)
  await db.query(
    'vacuum (analyze) facts.scope, facts.item, facts.fact, facts.posting, facts.token, facts.extent, facts.corpus, facts.vector, facts.sign',
  )
}

/** The number of questions that are compared with an exact search, which takes a second each. */
const COMPARED = 20
const NEAREST = 100

/** A whole recall, by words and by vector, and only the search by vector, in each workspace. */
export async function askAll(db: Database, questions: number) {
  const index = pgvectorIndex(db)
  const results: Record<string, unknown>[] = []
  for (const at of SHARES.keys()) {
    const { rows } = await db.query<{ id: number }>('select id from facts.scope where workspace = $1', [`bench/w${at}`])
    const scopes = rows.map(({ id }) => id)
    const asked = await questionsOf(db, scopes, questions)
    progress(`workspace ${at + 1} of ${SHARES.length}`)
    let question = asked[0]
    const store = memoryOn(db, 'hybrid', {
      embedder: {
        space: SPACE,
        embed: async () => ({ space: SPACE, vectors: [] }),
        embedQuery: async () => question && { space: SPACE, vector: question.vector, unrelated: 0 },
      },
    })
    const whole = stopwatch(db)
    const leg = stopwatch(db)
    for (question of asked) {
      const { text, vector } = question
      await whole.time(() => store.search({ conversation: place('c1', 'public', `w${at}`), text, limit: 8 }))
      await leg.time(() => index.search(SPACE, vector, { scopes, limit: NEAREST }))
    }
    const found = { first10: 0, first100: 0, of10: 0, of100: 0 }
    for (const { vector } of asked.slice(0, COMPARED)) {
      const near = new Set((await index.search(SPACE, vector, { scopes, limit: NEAREST }))?.map(({ item }) => item))
      const exact = await exactly(db, vector, scopes)
      found.first10 += exact.slice(0, 10).filter(item => near.has(item)).length
      found.first100 += exact.filter(item => near.has(item)).length
      found.of10 += Math.min(10, exact.length)
      found.of100 += exact.length
    }
    results.push({
      share: SHARES[at],
      recall: whole.times(),
      vectorLeg: leg.times(),
      foundOfNearest: { 10: round(found.first10 / found.of10, 3), 100: round(found.first100 / found.of100, 3) },
    })
  }
  return results
}

interface Question {
  readonly text: string
  readonly vector: Float32Array
}

/** Three words of a fact, and a vector near it. */
async function questionsOf(db: Database, scopes: readonly number[], count: number): Promise<Question[]> {
  const random = seededRandom(11)
  const { rows } = await db.query<{ content: string; embedding: Float32Array }>(
    `select f.content, v.embedding from (
       select item, embedding from facts.vector where scope = any($1) order by md5(item::text) limit $2
     ) v join facts.fact f using (item)`,
    [scopes, count],
  )
  return rows.map(({ content, embedding }) => ({
    text: content.split(' ').slice(0, 3).join(' '),
    vector: embedding.map(value => value + 0.5 * (random() + random() + random() + random() - 2)),
  }))
}

async function exactly(db: Database, vector: Float32Array, scopes: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ item: number }>(
    `with readable as materialized (select item, embedding <=> $1::vector as distance from facts.vector where scope = any($2))
     select item from readable order by distance limit ${NEAREST}`,
    [vector, scopes],
  )
  return rows.map(({ item }) => item)
}
