import reply from '@kikimimi/reply'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { borrowedFacts, fact, place, textsOf, topicVectors } from '../test-memory.ts'

async function memory(more: Partial<Parameters<typeof testBot>[0]> = {}) {
  const { plugins, store } = borrowedFacts()
  const model = 'The cat? I know nothing of a cat.'
  const bot = await testBot({ storage: 'pglite', plugins: [...plugins, reply()], model, ...more })
  const ask = async (text: string, more: object = {}) => textsOf(await store().recall({ conversation: place(), text, ...more }))
  return { bot, store, ask, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const CAT = 'the cat is called Momo'

describe('messages are found', () => {
  test('after the turn, in the channel and in the whole workspace', async () => {
    await using m = await memory()
    await m.bot.say('alice', CAT)
    await m.bot.pass('10s')
    expect(await m.ask("what is the cat's name?")).toEqual([CAT])
    expect(await m.ask('the cat', { conversation: place('elsewhere') })).toEqual([CAT])
    expect(await m.ask('the cat', { conversation: place('elsewhere', { workspace: 'other' }) })).toEqual([])
  })

  test('except those of bots, questions to the bot, and messages that the reader sees anyway', async () => {
    await using m = await memory({ listen: { bots: true } })
    const id = await m.bot.say('alice', '@kiki remember that the cat eats at nine')
    await m.bot.say('bob', '@kiki what does the cat eat?')
    await m.bot.say('robot', 'the cat has been fed', { bot: true })
    await m.bot.pass('10s')
    expect(m.bot.sent).toHaveLength(2)
    expect(await m.ask('cat')).toEqual(['@kiki remember that the cat eats at nine'])
    expect(await m.ask('cat', { except: [id] })).toEqual([])
    expect(await m.ask('cat', { messages: false })).toEqual([])
  })

  test('once, after several runs of the index and after a restart', async () => {
    await using m = await memory()
    await m.bot.say('alice', CAT)
    await m.bot.pass('10s')
    await m.bot.restart()
    await m.bot.say('bob', 'good evening')
    await m.bot.pass('10s')
    expect(await m.store().index()).toBe(0)
    const { rows } = await m.bot.db.query('select id from facts.message order by seq')
    expect(rows).toHaveLength(2)
  })

  test('also after a message that an earlier version recorded twice', async () => {
    await using m = await memory()
    const id = await m.bot.say('alice', CAT)
    const again = async () =>
      m.bot.db.query(
        `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions,
           attachments, at, received_at)
         select conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments,
           max(at) over () + interval '9 days', received_at from kikimimi.message where id = $1 limit 1`,
        [id],
      )
    await again()
    await m.bot.pass('10s')
    await again()
    const later = await m.bot.say('bob', 'the dog is called Rex')
    await m.bot.pass('10s')
    const { rows } = await m.bot.db.query('select id from facts.message order by seq')
    expect(rows).toEqual([{ id }, { id: later }])
    expect(m.bot.log).toEqual([])
  })

  test('by the question that they answer', async () => {
    await using m = await memory()
    const asked = await m.bot.say('alice', 'where do we meet for the picnic?')
    await m.bot.say('carol', 'has anybody seen my umbrella?')
    await m.bot.say('bob', 'by the old oak', { replyTo: { id: asked } })
    await m.bot.pass('10s')
    expect((await m.ask('the picnic'))[0]).toBe('by the old oak')
  })
})

describe('changes of a message apply to the memory', () => {
  test('deleted: gone at once, with facts that have no other source', async () => {
    await using m = await memory()
    const id = await m.bot.say('alice', CAT)
    await m.bot.pass('10s')
    const source = (message: string) => ({ message, author: 'alice' })
    await m.store().add(fact('Alice has a cat called Momo', { sources: [source(id)] }))
    await m.store().add(fact('Momo is a cat', { sources: [source(id), source('m99')] }))
    await m.bot.remove(id)
    expect(await m.ask('the cat Momo')).toEqual(['Momo is a cat'])
    expect((await m.store().list({ conversation: place() }))[0]?.sources).toMatchObject([{ message: 'm99' }])
  })

  test('edited: found by its new text, and facts keep quotes that are still there', async () => {
    await using m = await memory()
    const id = await m.bot.say('alice', 'the cat is called Momo and eats tuna')
    await m.bot.pass('10s')
    const source = (quote: string) => [{ message: id, author: 'alice', quote }]
    await m.store().add(fact('Momo is the name of the cat', { sources: source('called Momo') }))
    await m.store().add(fact('tuna is what the cat eats', { sources: source('eats tuna') }))
    await m.bot.edit(id, 'the cat is called Momo and eats beef')
    await m.bot.say('bob', 'ok')
    await m.bot.pass('10s')
    const found = await m.ask('what the cat eats')
    expect(found.slice(0, 2)).toEqual(['the cat is called Momo and eats beef', 'Momo is the name of the cat'])
    expect(found).not.toContain('tuna is what the cat eats')
    expect(await m.ask('tuna')).toEqual([])
  })

  test('deleted by retention after 90 days: its facts stay', async () => {
    await using m = await memory({ models: { embeddings: topicVectors([/cat/]) } })
    const id = await m.bot.say('alice', CAT)
    await m.bot.pass('10s')
    await m.store().add(fact('Alice has a cat', { kind: 'durable', sources: [{ message: id, author: 'alice' }] }))
    await m.bot.pass('92d')
    expect(await m.ask('the cat')).toEqual(['Alice has a cat'])
    expect((await m.bot.db.query('select 1 from facts.vector')).rowCount).toBe(1)
  })

  test('the message of a fact that is history is history', async () => {
    await using m = await memory()
    const id = await m.bot.say('alice', 'our release day is Thursday')
    await m.bot.pass('10s')
    const day = { subject: 'release', relation: 'date' }
    const sources = [{ message: id, author: 'alice' }]
    const old = await m.store().add(fact('the release day is Thursday', { ...day, value: 'Thursday', sources }))
    await m.store().supersede([old.id], fact('the release day is Tuesday', { ...day, value: 'Tuesday' }))
    expect(await m.ask('which is the release day?')).toEqual(['the release day is Tuesday'])
    expect((await m.ask('which was the release day before?')).sort()).toEqual([
      'our release day is Thursday',
      'the release day is Thursday',
      'the release day is Tuesday',
    ])
  })
})
