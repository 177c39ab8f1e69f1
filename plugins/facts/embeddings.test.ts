import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place, textsOf, topicVectors } from './test-memory.ts'

const TOPICS = [/doctor|physician|医者/, /tea|コーヒー|drink/]

const SPACES = 'select key as space, count(*) as n from facts.vector v join facts.space s on s.id = v.space group by key'

async function memory(embeddings: ReturnType<typeof topicVectors>) {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins, models: { embeddings } })
  const ask = async (text: string) => {
    const asked = store().recall({ conversation: place(), text })
    // A model that is down is tried again after a pause on the clock of the bot.
    await bot.pass('5s')
    return textsOf(await asked)
  }
  const spaces = async () => (await bot.db.query<{ space: string; n: number }>(SPACES)).rows
  return { bot, store, ask, spaces, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('a model finds a fact that shares no word with the question', async () => {
  await using m = await memory(topicVectors(TOPICS))
  await m.store().add(fact('Bob is a physician'))
  await m.store().add(fact('the bus is late'))
  await m.bot.pass('1s')
  expect((await m.ask('whom do I see, a doctor?'))[0]).toBe('Bob is a physician')
  expect(await m.spaces()).toEqual([{ space: 'topics/3', n: 2 }])
})

test('while the model is down, facts are stored and found by words, and get vectors later', async () => {
  const embeddings = topicVectors(TOPICS)
  await using m = await memory(embeddings)
  embeddings.fault = new Error('503')
  await m.store().add(fact('Bob is a physician'))
  await m.bot.pass('1s')
  expect(await m.ask('which physician?')).toEqual(['Bob is a physician'])
  expect(await m.spaces()).toEqual([])
  embeddings.fault = undefined
  await m.bot.pass('1d')
  expect(await m.spaces()).toEqual([{ space: 'topics/3', n: 1 }])
  expect(await m.ask('a doctor?')).toEqual(['Bob is a physician'])
})

test.each([
  ['no vector at all', 0],
  ['one of another length', 7],
])('%s is refused, and the search uses keywords', async (_what, length) => {
  const embeddings = topicVectors(TOPICS)
  await using m = await memory(embeddings)
  await m.store().add(fact('Bob is a physician'))
  await m.bot.pass('1s')
  embeddings.fault = length
  await m.store().add(fact('green tea is my favourite drink'))
  expect(await m.ask('who has a favourite drink?')).toEqual(['green tea is my favourite drink'])
  expect(await m.spaces()).toEqual([{ space: 'topics/3', n: 1 }])
  // The bot stops when its job has ended, which asks the model again after a pause.
  embeddings.fault = undefined
  await m.bot.pass('1m')
})

test('a text that the model refuses does not block the vectors of others', async () => {
  const embeddings = topicVectors(TOPICS)
  const embed = embeddings.embedDocuments
  embeddings.embedDocuments = async texts => {
    if (texts.some(text => text.includes('poison'))) throw Object.assign(new Error('too long'), { status: 400 })
    return embed(texts)
  }
  await using m = await memory(embeddings)
  await m.bot.db.transaction(async () => {
    for (const text of ['a physician', 'poison for the model', 'a cup of tea']) await m.store().add(fact(text))
  })
  await m.bot.pass('1d')
  expect(await m.spaces()).toEqual([{ space: 'topics/3', n: 2 }])
  expect(await m.ask('the poison')).toEqual(['poison for the model'])
})

test.each([
  ['another model', { model: 'newer' }, 'newer/3'],
  ['another length', { dimensions: 5 }, 'topics/5'],
])('%s: all vectors are made again, and the search uses keywords meanwhile', async (_what, change, space) => {
  const embeddings = topicVectors(TOPICS)
  const { plugins, store } = borrowedFacts()
  await using bot = await testBot({ storage: 'pglite', plugins, models: { embeddings } })
  const spaces = async () => (await bot.db.query(SPACES)).rows
  for (const text of ['Bob is a physician', 'a cup of tea']) await store().add(fact(text))
  await bot.pass('1s')
  expect(await spaces()).toEqual([{ space: 'topics/3', n: 2 }])

  Object.assign(embeddings, { embedDocuments: topicVectors(TOPICS, change).embedDocuments }, 'model' in change && change)
  await bot.restart()
  expect(textsOf(await store().recall({ conversation: place(), text: 'which physician?' }))).toEqual(['Bob is a physician'])
  await bot.pass('1d')
  expect(await spaces()).toEqual([{ space, n: 2 }])
  expect(textsOf(await store().recall({ conversation: place(), text: 'a doctor?' }))[0]).toBe('Bob is a physician')
})
