// postgres: concurrent writers
/** Concurrent writers. Needs a Postgres server: the embedded database has one writer at a time. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { testBot, testServer } from 'kikimimi/testing'
import { describe, expect, test, vi } from 'vitest'
import { borrowedFacts, fact, place } from './test-memory.ts'

const den = place('den', { visibility: 'private' })

async function memory() {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins })
  const facts = store()
  const said = await bot.say('alice', 'the cat sleeps on the roof')
  await bot.pass('10s')
  const sources = [{ message: said, author: 'alice', quote: 'cat sleeps' }]
  const { id } = await facts.add(fact('the cat sleeps on the roof', { sources }))

  const outside = AsyncLocalStorage.snapshot()
  const waiting = async () =>
    (await bot.db.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .rowCount
  /** Starts the one, and then the other while the first waits for these rows. */
  async function meet(rows: string, one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
    const begun: Promise<unknown>[] = []
    await bot.db.transaction(async () => {
      await bot.db.query(`${rows} for update`)
      for (const write of [one, other]) {
        begun.push(outside(write))
        await vi.waitFor(async () => expect(await outside(waiting)).toBe(begun.length), { timeout: 120_000, interval: 10 })
      }
    })
    await Promise.all(begun)
  }
  return { bot, facts, id, said, meet, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

describe.runIf(testServer())('two concurrent writers both finish', () => {
  test('one edits a fact, the other adds its text elsewhere', async () => {
    await using m = await memory()
    await m.meet(
      `select 1 from facts.item where id = ${m.id}`,
      () => m.facts.edit(m.id, { content: 'the cat sleeps in a very small basket' }),
      () => m.facts.add(fact('a basket for the cat on the roof', { conversation: den })),
    )
    expect(await sums(m)).toEqual({ items: 3, words: true, tokens: true })
  })

  test('one edits a fact, the other forgets it', async () => {
    await using m = await memory()
    await m.meet(
      'select 1 from facts.token',
      () => m.facts.edit(m.id, { content: 'the cat sleeps in the basket' }),
      () => m.facts.forget([m.id]),
    )
    expect(await m.facts.list({ conversation: place() })).toEqual([])
    expect(await sums(m)).toEqual({ items: 1, words: true, tokens: true })
  })

  test('one forgets a fact, the other replaces it', async () => {
    await using m = await memory()
    await m.meet(
      `select 1 from facts.fact where item = ${m.id}`,
      () => m.facts.forget([m.id]),
      () => m.facts.supersede([m.id], fact('the cat sleeps in the basket')),
    )
    expect(await sums(m)).toEqual({ items: 2, words: true, tokens: true })
  })

  test('one adds a fact again, the other forgets it', async () => {
    await using m = await memory()
    await m.meet(
      `select 1 from facts.fact where item = ${m.id}`,
      () => m.facts.add(fact('the cat sleeps on the roof', { sources: [{ message: 'm9', author: 'bob' }] })),
      () => m.facts.forget([m.id]),
    )
    expect(await sums(m)).toEqual({ items: 1, words: true, tokens: true })
  })

  test('a person is forgotten and deletes a message', async () => {
    await using m = await memory()
    await m.meet(
      `select 1 from facts.item where id = ${m.id}`,
      () => m.facts.forgetPerson({ platform: 'test', id: 'alice' }),
      () => m.bot.remove(m.said),
    )
    expect(await sums(m)).toEqual({ items: 0, words: true, tokens: true })
    expect(m.bot.log).toEqual([])
  })
})

async function sums({ bot }: Awaited<ReturnType<typeof memory>>) {
  const { rows } = await bot.db.query(
    `select items, words = (select coalesce(sum(words), 0) from facts.item) as words,
       (select coalesce(sum(items), 0) from facts.token) = (select count(*) from facts.posting) as tokens from facts.corpus`,
  )
  return rows[0]
}
