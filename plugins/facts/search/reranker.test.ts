import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place, textsOf } from '../test-memory.ts'

async function memory(rerank: (query: string, texts: readonly string[]) => Promise<readonly number[]>) {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins, models: { rerank: { name: 'judge', rerank } } })
  for (const content of ['green tea is sold out', 'the tea is green', 'black tea and green apples'])
    await store().add(fact(content))
  const find = async () => textsOf(await store().search({ conversation: place(), text: 'green tea' }))
  return { bot, find, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('a model orders the first results', async () => {
  const asked: (readonly [string, number])[] = []
  await using m = await memory(async (query, texts) => {
    asked.push([query, texts.length])
    return texts.map(text => Number(text.includes('apples')))
  })
  expect((await m.find())[0]).toBe('black tea and green apples')
  expect(asked).toEqual([['green tea', 3]])
})

test('a model that fails leaves the order of the search', async () => {
  await using m = await memory(() => Promise.reject(Object.assign(new Error('bad request'), { status: 400 })))
  expect(await m.find()).toHaveLength(3)
  expect((await m.find()).at(-1)).toBe('black tea and green apples')
})

test('a model that is late leaves the order of the search, after two seconds', async () => {
  await using m = await memory(() => new Promise(() => {}))
  const found = m.find()
  await m.bot.pass('2s')
  expect((await found).at(-1)).toBe('black tea and green apples')
})
