/** Words that people asked not to remember are in the turn that answers them, and nowhere else. */
import { promptOf, scriptedModel } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

const repeats = () => scriptedModel(request => (promptOf(request).includes('4821') ? 'You said 4821.' : 'I do not know.'))

async function knows(r: Awaited<ReturnType<typeof remembering>>): Promise<string> {
  await r.bot.say('bob', '@kiki what is the pin of alice?', { channel: 'random' })
  return r.bot.sent.at(-1) ?? ''
}

describe('a pin that alice asks not to remember', () => {
  const scenes: Readonly<Record<string, readonly string[]>> = {
    'in the same message': ['don’t remember this: my pin is 4821'],
    'after the words': ['my pin is 4821. Please don’t remember that'],
    'in the next message': ['my pin is 4821', 'don’t remember what I just said'],
    'in the message before it': ['off the record for a moment', 'my pin is 4821'],
    'alone, after it': ['my pin is 4821', 'don’t remember this'],
    'in words that take it back': ['my pin is 4821', '@kiki scratch that, don’t keep it'],
    'in Japanese words that take it back': ['my pin is 4821', '@kiki 今の取り消し、残さないで'],
    'in Japanese': ['これは覚えないで：my pin is 4821'],
    'in Japanese, before it': ['ここからはオフレコで', 'my pin is 4821'],
    'to the bot': ['@kiki don’t remember this: my pin is 4821'],
  }
  for (const [how, said] of Object.entries(scenes)) {
    test(`${how} is told to nobody else, and leaves the log`, async () => {
      await using r = await remembering({ model: repeats() })
      const { bot } = r
      for (const text of said) await bot.say('alice', text)
      await bot.pass('5m')
      expect(await knows(r)).toBe('I do not know.')
      expect((await r.logged()).join('\n')).not.toContain('4821')
      await bot.pass('30m')
      expect(await bot.db.query(`select 1 from kikimimi.message where text like '%4821%'`)).toMatchObject({ rowCount: 0 })
      expect(JSON.stringify(await bot.traces())).not.toContain('4821')
      expect(await r.facts()).toEqual([])
    })
  }

  test('is remembered without that request', async () => {
    await using r = await remembering({ model: repeats() })
    await r.bot.say('alice', 'my pin is 4821')
    await r.bot.pass('5m')
    expect(await knows(r)).toBe('You said 4821.')
  })
})

test('the bot says so in one sentence when it is addressed, and is silent otherwise', async () => {
  await using r = await remembering()
  const { bot } = r
  await bot.say('alice', '@kiki don’t remember this: my pin is 4821')
  await bot.say('alice', '@kiki これは覚えないで：暗証番号は4821')
  expect(bot.sent).toEqual([
    'I have left out that message of yours, and remember nothing of it.',
    'そのメッセージは記憶から外しました。何も覚えていません。',
  ])
  await bot.say('alice', 'don’t remember this: my pin is 4821')
  await bot.pass('5m')
  expect(bot.sent).toHaveLength(2)
})

test('the bot says what it has left out, and promises nothing else', async () => {
  await using r = await remembering()
  const { bot } = r
  const answer = async (text: string, said: Parameters<typeof bot.say>[2] = {}) => {
    await bot.say('alice', text, said)
    return bot.sent.at(-1)
  }
  await bot.say('bob', 'my locker is 12', { id: 'of-bob' })
  expect(await answer('@kiki please don’t keep what I just said')).toMatch(/^I have left out nothing/)
  expect(await answer('@kiki don’t remember this', { replyTo: { id: 'of-bob' } })).toMatch(/no message of yours/)
  await bot.pass('1h')
  await bot.say('alice', 'my spare key is under the blue pot')
  await bot.say('alice', 'the left one')
  expect(await answer('@kiki oops, wrong channel, don’t keep that')).toBe(
    'I have left out 2 messages of alice: “my spare key is … / the …”',
  )
  await bot.pass('1h')
  expect(await answer('@kiki don’t remember this')).toMatch(
    /^I leave out what you say here in the next two minutes\. Just before this/,
  )
  expect(await answer('@kiki これから言うことは覚えないで')).toBe('これから10分間、ここでのあなたの発言は記憶から外します。')
  expect(await r.logged()).toEqual(expect.arrayContaining(['my locker is 12']))
})

test('an old message that the request replies to is left out, and what is left out already stays so', async () => {
  await using r = await remembering({ storage: 'pglite' })
  const { bot } = r
  const old = await bot.say('alice', 'my pin is 4821')
  await bot.pass('2d')
  for (const text of ['the train leaves at ten', 'the bus at nine']) await bot.say('bob', text)
  await bot.say('alice', '@kiki don’t remember this', { replyTo: { id: old } })
  expect(bot.sent.at(-1)).toContain('the last message of alice: “my pin …”')
  expect((await r.logged()).join()).not.toContain('4821')
  await bot.say('alice', '@kiki don’t remember this', { replyTo: { id: old } })
  expect(bot.sent.at(-1)).toBe('I have left out that message of yours, and remember nothing of it.')
})

test('when nothing was said just before, the bot asks which message is meant, and leaves that one out', async () => {
  await using r = await remembering()
  const { bot } = r
  await bot.say('alice', 'my pin is 4821')
  await bot.pass('1h')
  await bot.say('alice', '@kiki please don’t keep what I just said')
  expect(bot.sent.at(-1)).toBe(
    'I have left out nothing: just before this I find no message of yours.\nShall I forget this? Answer “yes” or “no”.\n1. my pin is 4821',
  )
  await bot.say('alice', 'yes')
  expect(bot.sent.at(-1)).toBe('Forgotten.')
  expect((await r.logged()).join()).not.toContain('4821')
})

test('a period off the record ends with its time, with a word, and survives a restart', async () => {
  await using r = await remembering({ storage: 'pglite', model: repeats() })
  const { bot } = r
  const left = async () => (await bot.db.query<{ id: string }>('select id from kikimimi.left_out')).rows.map(({ id }) => id)
  const announced = await bot.say('alice', 'off the record for a moment')
  await bot.restart()
  const secret = await bot.say('alice', 'I will quit')
  await bot.say('bob', 'lunch is at noon')
  await bot.say('alice', 'back on the record')
  await bot.say('alice', 'I like soup')
  expect(await left()).toEqual([announced, secret])
  const again = await bot.say('alice', 'off the record for a moment')
  await bot.pass('11m')
  await bot.say('alice', 'I like tea')
  expect(await left()).toEqual([announced, secret, again])
})

test('a fact and an answer that were made before the request are deleted', async () => {
  await using r = await remembering({ model: repeats() })
  const { bot } = r
  const said = await bot.say('alice', 'my pin is 4821')
  await r
    .store()
    .add({ conversation: place(), content: 'The pin of alice is 4821', sources: [{ message: said, author: 'alice' }] })
  await bot.pass('5m')
  expect(await knows(r)).toBe('You said 4821.')
  await bot.say('alice', 'please forget what I just said')
  expect(await r.facts()).toEqual([])
  expect((await r.logged()).filter(text => text.includes('4821'))).toEqual([])
  expect(await knows(r)).toBe('I do not know.')
})

test.each(['my pin is 4821, please don’t remember this', 'これは覚えないで：my pin is 4821'])(
  'an edit asks for it: %s',
  async edited => {
    await using r = await remembering({ model: repeats() })
    const { bot } = r
    const said = await bot.say('alice', 'my pin is 4821')
    await r.store().add({
      conversation: place(),
      content: 'The pin of alice is 4821',
      sources: [{ message: said, author: 'alice', quote: '4821' }],
    })
    await bot.pass('5m')
    expect(await knows(r)).toBe('You said 4821.')
    await bot.edit(said, edited)
    expect(await knows(r)).toBe('I do not know.')
    expect(await r.facts()).toEqual([])
    await bot.pass('2h')
    expect((await r.logged()).join('\n')).not.toContain('4821')
  },
)

function place() {
  const conversation = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
  return { ...conversation, id: 'test/team/general' }
}
