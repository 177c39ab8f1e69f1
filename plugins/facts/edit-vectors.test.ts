// postgres: an edit beside another connection
/** Edits of a fact whose vector is in another index. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { definePlugin } from 'kikimimi'
import { testBot, testServer } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import { type VectorIndex, Vectors } from './api/vectors.ts'
import { borrowedFacts, fact, place, textsOf, topicVectors } from './test-memory.ts'
import { pgvectorIndex } from './vectors/pgvector.ts'

/** `home` overrides methods of a working index. */
async function memory(home: Partial<VectorIndex> = {}) {
  const { plugins, store } = borrowedFacts()
  const lender = definePlugin({
    name: 'lender',
    provides: [Vectors],
    setup: ({ db, provide }) => {
      const own = pgvectorIndex(db)
      provide(Vectors, {
        home: space => own.home(space),
        upsert: (space, rows) => (home.upsert ?? own.upsert)(space, rows),
        remove: items => (home.remove ?? own.remove)(items),
        search: (...question) => own.search(...question),
        keepOnly: space => own.keepOnly(space),
      })
    },
  })
  const bot = await testBot({ plugins: [lender(), plugins], models: { embeddings: topicVectors([/physician/, /tea|drink/]) } })
  const facts = store()
  const vectors = async () => (await bot.db.query<{ item: number }>('select item from facts.vector')).rows.map(one => one.item)
  const near = async (text: string) => textsOf(await facts.search({ conversation: place(), text, by: 'vector' }))
  return { bot, facts, vectors, near, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('a slow index delays no other work', async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const home: Partial<VectorIndex> = {}
  await using m = await memory(home)
  const { id } = await m.facts.add(fact('Bob is a physician'))
  await m.bot.pass('1s')
  home.remove = () => {
    asked.resolve()
    return answer.promise
  }
  const edited = m.facts.edit(id, { content: 'Bob pours a drink' })
  await asked.promise
  expect(await m.facts.add(fact('the kettle is for tea'))).toMatchObject({ outcome: 'new' })
  expect((await m.facts.list({ conversation: place() })).map(one => one.content).sort()).toEqual([
    'Bob pours a drink',
    'the kettle is for tea',
  ])
  answer.resolve()
  expect(await edited).toMatchObject({ outcome: 'edited' })
})

test('the vector of the old text leaves an unreachable index when the fact is forgotten', async () => {
  const home: Partial<VectorIndex> = {}
  await using m = await memory(home)
  const { id } = await m.facts.add(fact('Bob is a physician'))
  await m.bot.pass('1s')
  home.remove = () => Promise.reject(new Error('503'))
  await m.facts.edit(id, { content: 'Bob pours a drink' })
  await m.facts.forget([id])
  expect(await m.vectors()).toEqual([id])
  delete home.remove
  await m.bot.pass('1d')
  expect(await m.vectors()).toEqual([])
})

test.runIf(testServer())('a vector that is made during an edit is removed', async () => {
  const home: Partial<VectorIndex> = {}
  await using m = await memory(home)
  const other = await m.facts.add(fact('drink tea'))
  await m.bot.pass('1s')
  const { id } = await m.facts.add(fact('Bob is a physician'))
  const own = pgvectorIndex(m.bot.db)
  const outside = AsyncLocalStorage.snapshot()
  const [goOn, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const made = Promise.withResolvers<void>()
  using opened = new DisposableStack()
  for (const one of [goOn, answer]) opened.defer(one.resolve)
  home.upsert = async (space, rows) => {
    await own.upsert(space, rows)
    made.resolve()
    await goOn.promise
  }
  const removed: number[][] = []
  home.remove = async items => {
    if (items.length > 0) removed.push([...items])
    await answer.promise
    await own.remove(items)
  }
  const waiting = async () =>
    (await m.bot.db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .rowCount
  const waits = (count: number) =>
    vi.waitFor(async () => expect(await outside(waiting)).toBe(count), { timeout: 120_000, interval: 10 })
  const passed = m.bot.pass('1s')
  await made.promise
  const edited = await m.bot.db.transaction(async () => {
    // It has changed its entry, and comes to a word that another fact has.
    const tokens = 'select token from facts.posting where item = $1'
    await m.bot.db.query(`select 1 from facts.token where token in (${tokens}) for update`, [other.id])
    const begun = outside(() => m.facts.edit(id, { content: 'Bob pours a drink' }))
    await waits(1)
    goOn.resolve()
    await waits(2)
    return { begun }
  })
  // Each process removes it for itself, because the other may have ended.
  await vi.waitFor(() => expect(removed).toEqual([[id], [id]]), { timeout: 120_000, interval: 10 })
  answer.resolve()
  expect(await edited.begun).toMatchObject({ outcome: 'edited' })
  await passed
  await m.bot.pass('1m')
  expect((await m.near('tea')).sort()).toEqual(['Bob pours a drink', 'drink tea'])
  expect(await m.near('a physician')).toEqual([])
})
