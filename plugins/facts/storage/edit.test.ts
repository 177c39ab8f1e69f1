import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { FactEvent } from '../api/facts.ts'
import { borrowedFacts, fact, place, textsOf, topicVectors } from '../test-memory.ts'

async function memory(more: Partial<Parameters<typeof testBot>[0]> = {}) {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins, ...more })
  const facts = store()
  const search = async (text: string, more: object = {}) =>
    textsOf(await facts.search({ conversation: place(), text, messages: false, ...more }))
  const list = () => facts.list({ conversation: place(), history: true })
  return { bot, facts, search, list, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const said = (message: string, quote: string, author = 'alice') => [{ message, author, quote }]

describe('an edited fact', () => {
  test('is found by its new text, and keeps its sources, its age and its place', async () => {
    await using m = await memory({ models: { embeddings: topicVectors([/Tuesday/, /Thursday/]) } })
    const heard: FactEvent[] = []
    m.facts.watch(event => void heard.push(event))
    const at = new Date('2026-01-02T00:00:00Z')
    const sources = said('m1', 'we meet on Thursday')
    const { id } = await m.facts.add(fact('the team meets on Thursday', { at, sources, keywords: ['Thursday', 'standup'] }))
    await m.facts.add(fact('the printer is broken'))
    await m.bot.pass('1h')
    const change = { content: 'the team meets on Tuesday', kind: 'durable', confidence: 0.9, shareable: true } as const
    const edited = await m.facts.edit(id, change)
    expect(edited).toEqual({
      outcome: 'edited',
      fact: {
        id,
        ...change,
        people: [],
        keywords: ['standup'],
        pinned: false,
        at,
        channel: 'test/team/general',
        visibility: 'public',
        single: false,
        validFrom: at,
        strength: 0,
        editedAt: new Date('2026-01-05T11:00:00Z'),
        sources: sources.map(source => ({ ...source, channel: 'test/team/general' })),
      },
    })
    expect(await m.search('Tuesday', { by: 'keyword' })).toEqual(['the team meets on Tuesday'])
    expect(await m.search('Thursday', { by: 'keyword' })).toEqual([])
    await m.bot.pass('1s')
    const [nearest] = await m.facts.search({ conversation: place(), text: change.content, by: 'vector' })
    expect(nearest).toMatchObject({ fact: { id }, evidence: expect.closeTo(1, 4) })
    expect(await m.search('standup')).toEqual(['the team meets on Tuesday'])
    expect(heard.at(-1)).toEqual({ kind: 'edited', ids: [id], at: new Date('2026-01-05T11:00:00Z') })
    const { rows } = await m.bot.db.query(
      `select (select words from facts.corpus) = (select sum(words) from facts.item) as words,
         (select sum(items) from facts.token) = (select count(*) from facts.posting) as postings,
         (select count(*) from facts.vector) as vectors`,
    )
    expect(rows).toEqual([{ words: true, postings: true, vectors: 2 }])
  })

  test('is found by the names of the people it is about now', async () => {
    await using m = await memory()
    await m.bot.say('Bob', 'hello')
    await m.bot.say('Carol', 'hello')
    await m.bot.pass('10s')
    const { id } = await m.facts.add(fact('keeps bees on the roof', { people: ['Bob'] }))
    await m.facts.edit(id, { people: ['Carol', 'Carol'] })
    expect((await m.list())[0]).toMatchObject({ people: ['Carol'], content: 'keeps bees on the roof' })
    expect(await m.search('Carol', { by: 'keyword' })).toHaveLength(1)
    expect(await m.search('Bob', { by: 'keyword' })).toEqual([])
  })

  test('loses its old keywords if its subject changes', async () => {
    await using m = await memory()
    const { id } = await m.facts.add(fact('Alice keeps bees', { keywords: ['apiary'] }))
    await m.facts.edit(id, { content: 'the train to Ueno leaves at ten' })
    expect(await m.search('apiary', { by: 'keyword' })).toEqual([])
  })

  test('cannot become equal to another fact', async () => {
    await using m = await memory()
    const one = await m.facts.add(fact('the cat is called Momo'))
    const other = await m.facts.add(fact('the cat is called Coco'))
    await m.facts.add(fact('the cat is called Toto', { conversation: place('den', { visibility: 'private' }) }))
    expect(await m.facts.edit(other.id, { content: 'The cat is called “Momo”!' })).toEqual({ outcome: 'known', id: one.id })
    expect((await m.list()).map(({ content }) => content)).toContain('the cat is called Coco')
    // Equal text in another place is another fact. The same text with other capitals is still the same fact.
    expect(await m.facts.edit(other.id, { content: 'the cat is called Toto' })).toMatchObject({ outcome: 'edited' })
    expect(await m.facts.edit(other.id, { content: 'The cat is called Toto.' })).toMatchObject({ outcome: 'edited' })
  })

  test('of two concurrent edits to the same text, one is told', async () => {
    await using m = await memory()
    const added = [await m.facts.add(fact('the cat is Momo')), await m.facts.add(fact('the cat is Coco'))]
    const edited = await Promise.all(added.map(({ id }) => m.facts.edit(id, { content: 'there is no cat' })))
    expect(edited.map(({ outcome }) => outcome).sort()).toEqual(['edited', 'known'])
  })

  test.each([
    ['no content', { content: ' … ' }],
    ['a content of a book', { content: 'a'.repeat(2_001) }],
    ['more than certain', { confidence: 1.1 }],
    ['no number', { confidence: Number.NaN }],
  ])('%s is refused and changes nothing', async (_what, wrong) => {
    await using m = await memory()
    const { id } = await m.facts.add(fact('the cat is called Momo'))
    await expect(m.facts.edit(id, wrong)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
    expect((await m.list())[0]).not.toHaveProperty('editedAt')
  })

  test('must exist', async () => {
    await using m = await memory()
    await m.bot.say('alice', 'a message is no fact')
    await m.bot.pass('10s')
    for (const id of [1, 99]) expect(await m.facts.edit(id, { content: 'anything' })).toEqual({ outcome: 'missing' })
  })

  test('has the same audience as before', async () => {
    await using m = await memory()
    const cellar = place('cellar', { visibility: 'private' })
    const { id } = await m.facts.add(fact('the wine is behind the stairs', { conversation: cellar }))
    await m.facts.edit(id, { content: 'the wine is in the attic' })
    expect(await m.search('wine')).toEqual([])
    expect(await m.search('wine', { conversation: cellar })).toEqual(['the wine is in the attic'])
  })
})

describe('an edit is permanent', () => {
  test('if its source is read again; a new statement counts', async () => {
    await using m = await memory()
    const wrong = fact('Alice likes tea', { people: ['alice'], sources: said('m1', 'I like tea'), confidence: 0.5 })
    const { id } = await m.facts.add(wrong)
    const elsewhere = await m.facts.add(fact('Alice owns a boat', { sources: said('m1', 'my boat') }))
    await m.facts.edit(id, { content: 'Alice likes tea sets', people: [], confidence: 0.3 })
    const right = (await m.list()).find(one => one.id === id)

    const merged = { id, outcome: 'merged', superseded: [] }
    expect(await m.facts.add(wrong)).toEqual(merged)
    expect(await m.facts.add({ ...wrong, content: 'Alice is fond of tea' })).toEqual(merged)
    expect(await m.facts.supersede([elsewhere.id], { ...wrong, content: 'Alice drinks tea' })).toEqual(merged)
    expect(await m.facts.add({ ...wrong, content: 'Alice likes tea sets' })).toEqual(merged)
    expect(await m.facts.add(fact('Alice likes tea', { sources: said('m1', 'I really do: I like tea') }))).toEqual(merged)
    expect((await m.list()).find(one => one.id === id)).toEqual(right)

    // Other words of that message, another message, and an order to remember.
    expect(await m.facts.add(fact('Alice has a dog', { sources: said('m1', 'my dog') }))).toMatchObject({ outcome: 'new' })
    expect(await m.facts.add({ ...wrong, sources: said('m2', 'tea is what I like') })).toMatchObject({ outcome: 'new' })
    expect(await m.facts.add({ ...wrong, content: 'I like tea', pinned: true })).toMatchObject({ outcome: 'new' })
  })

  test('in its content only: if the content is unchanged, a repeated statement counts', async () => {
    await using m = await memory()
    const drink = { subject: 'alice', relation: 'favorite drink', single: true, value: 'tea' }
    const sources = said('m1', 'I like tea and cake')
    const told = fact('Alice likes tea', { sources, confidence: 0.5, shareable: true, ...drink })
    const { id } = await m.facts.add(told)
    const { id: cake } = await m.facts.add({ ...told, content: 'Alice likes cake', value: 'cake' })
    await m.facts.edit(id, { content: 'Alice likes tea', shareable: false })
    expect((await m.list()).find(one => one.id === id)).not.toHaveProperty('editedAt')
    expect(await m.facts.supersede([cake], { ...told, content: 'Alice is on a diet', value: 'water' })).toMatchObject({
      outcome: 'new',
      superseded: [cake],
    })
  })

  test('if another part of its message is edited; it is deleted with the message', async () => {
    await using m = await memory()
    const message = await m.bot.say('alice', 'the cat is called Momo and eats tuna')
    await m.bot.pass('10s')
    const { id } = await m.facts.add(fact('Momo is the cat', { sources: said(message, 'called Momo') }))
    await m.facts.edit(id, { content: 'the dog is a poodle' })
    await m.bot.edit(message, 'the cat is called Momo and eats beef')
    expect(await m.search('poodle')).toEqual(['the dog is a poodle'])
    await m.bot.remove(message)
    expect(await m.search('poodle')).toEqual([])
  })

  test.each([
    ['who said it', { sources: said('m1', 'my cat', 'bob') }, { content: 'a cat is on the roof' }],
    ['whom it is about', { people: ['bob'] }, { content: 'a cat is on the roof' }],
    ['whom it names now', {}, { content: 'Bob has a cat on the roof' }],
    ['whom it was put right to be about', {}, { people: ['bob'] }],
  ])('until the person is forgotten: %s', async (_what, before, change) => {
    await using m = await memory()
    const { id } = await m.facts.add(fact('the roof has a cat', before))
    await m.facts.edit(id, change)
    expect(await m.facts.forgetPerson({ platform: 'test', id: 'bob', names: ['Bob'] })).toMatchObject({ facts: 1 })
    expect(await m.list()).toEqual([])
    for (const table of ['item', 'posting', 'token', 'vector', 'sign', 'removed'])
      expect((await m.bot.db.query(`select 1 from facts.${table}`)).rowCount).toBe(0)
  })
})

describe('the vector of an edited fact', () => {
  const TOPICS = [/doctor|physician/, /tea|drink/]

  test('belongs to the new text, and is missing while the model is down', async () => {
    const embeddings = topicVectors(TOPICS)
    await using m = await memory({ models: { embeddings } })
    const { id } = await m.facts.add(fact('Bob is a physician'))
    await m.facts.add(fact('the kettle is for tea'))
    await m.bot.pass('1s')
    embeddings.fault = new Error('503')
    await m.facts.edit(id, { content: 'Bob pours a drink' })
    embeddings.fault = undefined
    expect(await m.search('a doctor?', { by: 'vector' })).toEqual([])
    await m.bot.pass('1d')
    expect((await m.search('tea', { by: 'vector' })).sort()).toEqual(['Bob pours a drink', 'the kettle is for tea'])
    expect(await m.search('a doctor?', { by: 'vector' })).toEqual([])
  })

  test('is made again if the edit happens while it is made', async () => {
    const embeddings = topicVectors(TOPICS)
    const embed = embeddings.embedDocuments
    await using m = await memory({ models: { embeddings } })
    let id = 0
    embeddings.embedDocuments = async texts => {
      const vectors = await embed(texts)
      if (texts.includes('Bob is a physician')) await m.facts.edit(id, { content: 'Bob pours a drink' })
      return vectors
    }
    id = (await m.facts.add(fact('Bob is a physician'))).id
    await m.bot.pass('1m')
    expect(await m.search('tea', { by: 'vector' })).toEqual(['Bob pours a drink'])
    expect(await m.search('a doctor?', { by: 'vector' })).toEqual([])
  })
})

test('the facts before and after it are its history', async () => {
  await using m = await memory()
  const release = (value: string) => fact(`the release is on ${value}`, { subject: 'release', relation: 'date', value })
  const old = await m.facts.add(release('Monday'))
  await m.bot.pass('1d')
  const { id } = await m.facts.supersede([old.id], release('Tuesday'))
  await m.bot.pass('1d')
  const last = await m.facts.supersede([id], release('Friday'))
  await m.facts.add(fact('lunch is at noon'))
  for (const one of [old.id, id, last.id]) {
    const history = await m.facts.history(one)
    expect(history.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [old.id, id],
      [id, last.id],
      [last.id, undefined],
    ])
  }
  expect(await m.facts.history(99)).toEqual([])
  // History may contain a statement that holds now.
  expect(await m.facts.edit(old.id, { content: 'the release is on Friday' })).toMatchObject({ outcome: 'edited' })
})
