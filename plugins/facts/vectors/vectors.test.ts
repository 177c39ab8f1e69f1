// postgres: the contract of vector indexes
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { vectorContract } from './contract.ts'
import { buildGraphs, searchGraph } from './graph.ts'
import { pgvectorIndex } from './pgvector.ts'

async function prepared() {
  const db = await openTestDatabase({ migrations: { facts: new URL('../migrations/', import.meta.url) } })
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() })
}

vectorContract('pgvector', async () => {
  const db = await prepared()
  return {
    index: pgvectorIndex(db),
    empty: async () => void (await db.query('delete from facts.space')),
    close: () => db.close(),
  }
})

describe.skipIf(!testServer())('many vectors on a server', () => {
  test('are found by their graph, only within the scopes, and the graph is built in the background', async () => {
    await using db = await prepared()
    const index = pgvectorIndex(db)
    const space = { name: 'many', dimensions: 16 }
    await index.upsert(space, [{ item: 1, scope: 1, vector: new Float32Array(16).fill(1) }])
    // Nine tenths of them in scope 1, a hundredth in scope 3.
    await db.script(`
      select setseed(0.5);
      insert into facts.vector (item, space, scope, embedding)
        select i, (select id from facts.space), case when i % 100 = 0 then 3 when i % 10 = 0 then 2 else 1 end,
          (select array_agg(random() - 0.5) from generate_series(1, 16) where i > 0)::vector
        from generate_series(2, 12000) i;
      insert into facts.sign select item, space, scope, binary_quantize(embedding)::varbit from facts.vector on conflict do nothing`)
    await db.query('vacuum (analyze) facts.vector')
    const { rows } = await db.query<{ item: number; scope: number; embedding: Float32Array }>('select * from facts.vector')
    const asked = new Float32Array(16).map((_, at) => Math.sin(at))
    const everything = [1, 2, 3]
    const walked = (scopes: readonly number[]) => searchGraph(db, space, asked, { scopes, limit: 10 })

    await buildGraphs(db)
    expect(await walked(everything)).toBeUndefined()
    await buildGraphs(db, { from: 10_000 })
    await buildGraphs(db, { from: 10_000 })
    expect(await walked(everything)).toHaveLength(10)
    expect(await walked([1])).toHaveLength(10)
    // Comparing all that may be read is faster.
    expect(await walked([3])).toBeUndefined()

    for (const scopes of [everything, [1], [2], [3]]) {
      const exact = rows
        .filter(({ scope }) => scopes.includes(scope))
        .map(({ item, embedding }) => ({ item, similarity: cosine(asked, embedding) }))
        .sort((one, other) => other.similarity - one.similarity)
        .slice(0, 10)
      const found = await index.search(space, asked, { scopes, limit: 10 })
      expect(found?.map(({ item }) => item)).toEqual(exact.map(({ item }) => item))
      expect(found?.[0]?.similarity).toBeCloseTo(exact[0]?.similarity ?? 0, 4)
    }
  })
})

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  return dot / (Math.hypot(...one) * Math.hypot(...other))
}
