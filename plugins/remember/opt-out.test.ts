import type { IncomingMessage } from 'kikimimi'
import { promptOf, scriptedModel, type TestBotOptions } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

const OPTED_OUT = /^From now on I do not listen to you|^これからは、ここのどのチャンネルでも/

async function optedOut(text = "@kiki don't listen to me", options: TestBotOptions = {}) {
  const m = await remembering(options)
  await m.bot.say('alice', 'good morning')
  await m.bot.say('alice', text)
  return m
}

describe('a person who opted out', () => {
  test.each([
    "@kiki don't listen to me",
    '@kiki stop remembering me',
    'キキ、私の発言は記録しないで',
    '@kiki 私の話は聞かないで',
  ])('gets one answer and is not recorded any more, in any channel: %s', async text => {
    await using m = await optedOut(text)
    expect(m.bot.sent.filter(one => OPTED_OUT.test(one))).toHaveLength(1)
    expect(m.bot.sent.at(-1)).toMatch(/“forget me”|「私のことは忘れて」/)
    const turns = (await m.bot.traces()).length
    await m.bot.say('alice', 'my safe opens with 4711')
    await m.bot.say('alice', '@kiki what time is it?')
    await m.bot.say('alice', '@kiki remember that my safe opens with 4711', { channel: 'random' })
    await m.bot.say('alice', 'hello', { channel: 'dm', visibility: 'direct' })
    await m.bot.say('alice', text)
    await m.bot.pass('1m')
    expect(m.bot.sent).toHaveLength(1)
    expect(await m.bot.traces()).toHaveLength(turns)
    expect(await m.logged()).toEqual([])
    expect(await m.facts()).toEqual([])
  })

  test('other people are recorded as before', async () => {
    await using m = await optedOut()
    await m.bot.say('bob', '@kiki remember that the train leaves at ten')
    expect(await m.facts()).toHaveLength(1)
  })

  test('the opt-out survives a restart', async () => {
    await using m = await optedOut(undefined, { storage: 'pglite' })
    await m.bot.restart()
    await m.bot.say('alice', '@kiki what time is it?')
    expect(m.bot.sent).toHaveLength(1)
  })

  test('can opt in again', async () => {
    await using m = await optedOut()
    await m.bot.say('alice', 'listen to me again')
    await m.bot.say('alice', '@bob listen to me again')
    expect(await m.logged()).toEqual([])
    await m.bot.say('alice', '@kiki you can listen to me again')
    expect(m.bot.sent.at(-1)).toBe('I listen to you again.')
    await m.bot.say('alice', '@kiki hello')
    expect(m.bot.sent.at(-1)).toBe('I see.')
  })

  test('can do so by the bot’s name, by its account name, in a direct conversation, and in Japanese', async () => {
    for (const [text, where] of [
      ['@Ears_bot listen to me again', { mentions: [{ id: 'bot', name: 'Ears_bot' }] }],
      ['キキ、また聞いていいよ', {}],
      ['また聞いて', { channel: 'dm', visibility: 'direct' }],
    ] as const) {
      await using m = await optedOut()
      await m.bot.say('alice', text, where)
      expect(m.bot.sent.at(-1)).toMatch(/^(?:またあなたの発言を聞きます。|I listen to you again\.)$/)
    }
  })

  test('"listen to me again" means something else from other people', async () => {
    await using m = await remembering()
    await m.bot.say('alice', '@kiki listen to me')
    expect(m.bot.sent).toEqual(['I see.'])
  })

  test('can still ask to be forgotten, and stays opted out', async () => {
    await using m = await remembering()
    await m.bot.say('alice', '@kiki remember that I play the cello')
    await m.bot.say('alice', "@kiki don't listen to me")
    await m.bot.say('alice', '@kiki forget me')
    await m.bot.pass('10m')
    expect(await m.facts()).toEqual([])
    expect((await m.logged()).join()).not.toContain('cello')
    await m.bot.say('alice', '@kiki hello')
    expect((await m.logged()).join()).not.toContain('hello')
  })

  test('opts out with all linked accounts', async () => {
    await using m = await remembering()
    await m.bot.say('alice', '@kiki good morning')
    await m.bot.say('alice-at-work', '@kiki good morning')
    await m.people().link({ platform: 'test', id: 'alice' }, { platform: 'test', id: 'alice-at-work' })
    await m.bot.say('alice', "@kiki don't listen to me")
    const sent = m.bot.sent.length
    await m.bot.say('alice-at-work', '@kiki what time is it?')
    expect(m.bot.sent).toHaveLength(sent)
  })

  test('opts out with an account that is linked later', async () => {
    await using m = await optedOut()
    await m.bot.say('alice-at-work', 'good morning')
    await m.people().link({ platform: 'test', id: 'alice-at-work' }, { platform: 'test', id: 'alice' })
    const sent = m.bot.sent.length
    await m.bot.say('alice-at-work', 'my safe opens with 4711')
    await m.bot.say('alice-at-work', '@kiki what time is it?')
    expect(m.bot.sent).toHaveLength(sent)
    expect((await m.logged()).join()).not.toContain('4711')
    await m.bot.say('alice-at-work', '@kiki you can listen to me again')
    expect(m.bot.sent.at(-1)).toBe('I listen to you again.')
    await m.bot.say('alice', 'the sun shines')
    expect(await m.logged()).toContain('the sun shines')
  })

  test('messages between the order and its turn are deleted too', async () => {
    const thinking = Promise.withResolvers<void>()
    await using m = await remembering()
    m.hold(thinking.promise)
    await m.bot.say('bob', '@kiki tell us about trains')
    await m.bot.say('alice', '@kiki stop recording me')
    await m.bot.say('alice', 'my safe opens with 4711')
    await m.bot.say('bob', 'oh')
    thinking.resolve()
    await m.bot.pass('1m')
    expect(m.bot.sent.filter(one => OPTED_OUT.test(one))).toHaveLength(1)
    expect((await m.logged()).join()).not.toContain('4711')
    expect(await m.logged()).toContain('oh')
  })

  test('an edit adds no new text, and deletes the old one', async () => {
    await using m = await remembering()
    const id = await m.bot.say('alice', 'the code is 0815')
    await m.bot.say('alice', "@kiki don't listen to me")
    await m.bot.edit(id, 'the code is 4711')
    expect((await m.logged()).join()).not.toMatch(/4711|0815/)
    const other = await m.bot.say('bob', 'the code is 1')
    await m.bot.edit(other, 'the code is 2')
    expect(await m.logged()).toContain('the code is 2')
  })

  test('an edit with an account that is linked later adds no new text, and deletes the old one', async () => {
    const model = scriptedModel('I see.')
    await using m = await remembering({ model })
    const id = await m.bot.say('alice-at-work', 'the code is 0815')
    await m.bot.say('alice', "@kiki don't listen to me")
    await m.people().link({ platform: 'test', id: 'alice-at-work' }, { platform: 'test', id: 'alice' })
    await m.bot.edit(id, 'the code is 4711')
    await m.bot.say('bob', '@kiki what is the code?')
    expect(model.asked.map(promptOf).join()).not.toContain('4711')
    await m.bot.pass('1m')
    expect((await m.logged()).join()).not.toMatch(/4711|0815/)
  })

  test('what the person said before is deleted, also with an account that is linked later; what others said stays', async () => {
    await using m = await remembering()
    const { bot } = m
    await bot.say('alice', '@kiki remember that my safe opens with 4711')
    await bot.say('alice', 'and it stands behind the clock 4711', { channel: 'vault', visibility: 'private' })
    await bot.say('alice-at-work', 'the code is 4711')
    await bot.say('bob', '@kiki remember that @alice plays the cello')
    await bot.say('alice', "@kiki don't listen to me")
    await bot.pass('1m')
    expect((await m.logged()).join()).not.toMatch(/clock|opens/)
    await m.people().link({ platform: 'test', id: 'alice-at-work' }, { platform: 'test', id: 'alice' })
    await bot.say('alice-at-work', 'hello')
    await bot.pass('1m')
    await bot.say('alice', '@kiki you can listen to me again')
    expect((await m.logged()).join()).not.toContain('4711')
    expect(await m.facts()).toMatchObject([{ content: expect.stringContaining('cello') }])
  })

  test('new reactions are not recorded, but removals are', async () => {
    await using m = await remembering()
    const id = await m.bot.say('bob', 'good morning')
    await m.bot.react('alice', id, '☕')
    await m.bot.say('alice', "@kiki don't listen to me")
    const reactions = async () => {
      const { rows } = await m.bot.db.query<{ reactions: unknown }>('select reactions from kikimimi_v1.message where id = $1', [
        id,
      ])
      return rows[0]?.reactions
    }
    await m.bot.react('alice', id, '🎉')
    await m.bot.react('carol', id, '☕')
    expect(await reactions()).toEqual([{ emoji: '☕', by: ['alice', 'carol'] }])
    await m.bot.react('alice', id, '☕', { removed: true })
    expect(await reactions()).toEqual([{ emoji: '☕', by: ['carol'] }])
    await m.bot.say('alice', '@kiki listen to me again')
    await m.bot.react('alice', id, '🎉')
    expect(await reactions()).toContainEqual({ emoji: '🎉', by: ['alice'] })
  })

  test('an order that is deleted at once is answered and counts', async () => {
    const thinking = Promise.withResolvers<void>()
    await using m = await remembering()
    m.hold(thinking.promise)
    const id = await m.bot.say('alice', "@kiki don't listen to me")
    await m.bot.remove(id)
    thinking.resolve()
    await m.bot.pass('1m')
    expect(m.bot.sent.filter(one => OPTED_OUT.test(one))).toHaveLength(1)
    await m.bot.say('alice', 'my safe opens with 4711')
    expect((await m.logged()).join()).not.toContain('4711')
  })

  test('only ids and times of the person are stored', async () => {
    await using m = await optedOut()
    const { rows } = await m.bot.db.query('select * from kikimimi.opt_out')
    expect(rows).toEqual([{ platform: 'test', person: 'alice', since: new Date('2026-01-05T10:00:00Z'), until: null }])
  })
})

describe('messages read by catch-up', () => {
  const NOON = new Date('2026-01-05T12:00:00Z')
  const said = (id: string, channel: string, minute: number, text: string, author = 'alice'): IncomingMessage => ({
    id,
    conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
    author: { id: author, name: author },
    text,
    at: new Date(NOON.getTime() + minute * 60_000),
    mentions: text.includes('@kiki') ? [{ id: 'bot', name: 'kiki' }] : [],
  })

  async function away(past: readonly IncomingMessage[]) {
    const m = await remembering({ platform: { past }, at: NOON })
    await m.bot.say('bob', 'good morning', { id: 'first' })
    await m.bot.say('bob', 'good morning', { id: 'first', channel: 'random' })
    return m
  }
  const first = ['general', 'random'].map(channel => said('first', channel, 0, 'good morning', 'bob'))

  test('of a person who opted out are not recorded', async () => {
    await using m = await away([
      ...first,
      said('a1', 'general', 5, 'my safe opens with 4711'),
      said('b1', 'general', 6, 'hello', 'bob'),
    ])
    await m.bot.say('alice', "@kiki don't listen to me")
    const readOn = await m.trackPosition()
    await m.bot.pass('7m')
    await readOn()
    await m.bot.pass('1m')
    expect(await m.logged()).toContain('hello')
    expect((await m.logged()).join()).not.toContain('4711')
  })

  test('are not recorded after an opt-in either, because they are older', async () => {
    await using m = await away([
      ...first,
      said('a1', 'random', 5, 'my safe opens with 4711'),
      said('a2', 'random', 15, 'the sun shines'),
    ])
    await m.bot.say('alice', "@kiki don't listen to me")
    await m.bot.pass('10m')
    await m.bot.say('alice', '@kiki listen to me again')
    const readOn = await m.trackPosition()
    await m.bot.pass('10m')
    await readOn()
    await m.bot.pass('1m')
    expect(await m.logged()).toContain('the sun shines')
    expect((await m.logged()).join()).not.toContain('4711')
  })

  test('that follow the opt-out order directly are not recorded', async () => {
    await using m = await away([
      ...first,
      said('a1', 'general', 5, '@kiki stop recording me'),
      said('a2', 'general', 6, 'my safe opens with 4711'),
      said('a3', 'random', 7, 'and it is behind the clock'),
    ])
    const readOn = await m.trackPosition()
    await m.bot.pass('8m')
    await readOn()
    await m.bot.pass('1m')
    expect(m.bot.sent.filter(one => OPTED_OUT.test(one))).toHaveLength(1)
    expect((await m.logged()).join()).not.toMatch(/4711|clock/)
  })
})
