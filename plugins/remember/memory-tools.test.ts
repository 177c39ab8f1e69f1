/** The tools with which a model leaves out and forgets for the person who asks, in words that the rules do not recognise. */
import { scriptedModel } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

interface Args {
  readonly what?: string
  readonly topic?: string
  readonly which?: string
}

/** A bot whose model calls the tool in an answer to "please …", and what the tool told it. */
async function forgetting(args: Args, options: Parameters<typeof remembering>[0] = {}, name = 'forget') {
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return last.text
    return last?.text.includes('please') ? { toolCalls: [{ id: '1', name, args: { ...args } }] } : 'I see.'
  })
  return remembering({ model, ...options })
}

describe('a model forgets', () => {
  test('the last message of the person who asks, with the answer to it', async () => {
    await using m = await forgetting({ what: 'last_message' })
    await m.bot.say('bob', 'the gate code is 4411')
    await m.bot.say('alice', '@kiki my salary is low')
    await m.bot.say('alice', '@kiki please lose that last bit')
    expect(m.bot.sent.at(-1)).toBe('Forgotten: your message “@kiki my …” is no longer in my memory.')
    expect((await m.logged()).join()).not.toContain('salary')
    expect((await m.logged()).join()).toContain('gate code')
  })

  test('the message that the request replies to, and none of another person', async () => {
    await using m = await forgetting({ what: 'last_message' })
    const mine = await m.bot.say('alice', 'my salary is low')
    await m.bot.say('alice', 'lunch?')
    await m.bot.say('alice', '@kiki please not that one', { replyTo: { id: mine, author: 'alice' } })
    expect((await m.logged()).join()).not.toContain('salary')
    expect((await m.logged()).join()).toContain('lunch?')
    const other = await m.bot.say('bob', 'the gate code is 4411')
    await m.bot.say('alice', '@kiki please not that one', { replyTo: { id: other, author: 'bob' } })
    expect(m.bot.sent.at(-1)).toBe('Somebody else said that. I forget it when they ask me to.')
    expect((await m.logged()).join()).toContain('gate code')
  })

  test('a topic, in what the person said', async () => {
    await using m = await forgetting({ what: 'topic', topic: 'my knee surgery' })
    await m.bot.say('alice', '@kiki remember that my knee surgery is on Friday')
    await m.bot.say('alice', '@kiki please drop the stuff on that operation')
    expect(m.bot.sent.at(-1)).toContain('Forgotten')
    await m.bot.pass('2m')
    expect(await m.facts()).toEqual([])
    expect((await m.logged()).join()).not.toContain('knee')
  })

  test('what is said in the next ten minutes', async () => {
    await using m = await forgetting({ which: 'next' }, {}, 'leave_out')
    await m.bot.say('alice', '@kiki please stay out of the next bit')
    expect(m.bot.sent.at(-1)).toBe('I leave out what you say here in the next ten minutes.')
    await m.bot.say('alice', 'the party is a surprise')
    await m.bot.say('bob', 'nice')
    expect((await m.logged()).join()).not.toContain('surprise')
    await m.bot.pass('11m')
    await m.bot.say('alice', 'the cake is ready')
    expect((await m.logged()).join()).toContain('cake')
  })
})

test('a model leaves out what was just said, and says what', async () => {
  await using m = await forgetting({ which: 'last' }, {}, 'leave_out')
  await m.bot.say('bob', 'the gate code is 4411')
  await m.bot.say('alice', 'my salary is 1,000 a month')
  await m.bot.say('alice', '@kiki please, that was a slip of the tongue')
  expect(m.bot.sent.at(-1)).toBe('I have left out the last message of alice: “my salary is …”')
  expect((await m.logged()).join()).not.toContain('salary')
  expect((await m.logged()).join()).toContain('gate code')
})

describe('a model does not forget', () => {
  test.each([
    ['forget', { what: 'everything' }, 'forget me'],
    ['stop_listening', {}, 'don’t listen to me'],
  ])('what cannot be undone: %s tells the words', async (name, args, words) => {
    await using m = await forgetting(args, {}, name)
    await m.bot.say('alice', 'my cat is called Momo')
    await m.bot.say('alice', '@kiki please purge all that you hold')
    expect(m.bot.sent.at(-1)).toContain(`say: “${words}”`)
    await m.bot.pass('30m')
    expect((await m.logged()).join()).toContain('Momo')
  })

  test('for a person who may not give orders', async () => {
    await using m = await forgetting({ what: 'last_message' }, { access: { orders: ['person:bob'] } })
    await m.bot.say('alice', 'my salary is low')
    // The learned model reads no Korean, so the chat model does.
    await m.bot.say('alice', '@kiki please 그 얘기는 없던 걸로')
    expect(m.bot.sent.at(-1)).toMatch(/^Nothing was forgotten: /)
    expect((await m.logged()).join()).toContain('salary')
  })

  test('a second thing in one answer, and it says so', async () => {
    const call = (id: string, args: Args) => ({ id, name: 'forget', args: { ...args } })
    const model = scriptedModel(({ messages }) => {
      const told = messages.filter(({ role }) => role === 'tool')
      if (told.length > 0) return told.map(({ text }) => text).join(' | ')
      if (!messages.at(-1)?.text.includes('please')) return 'I see.'
      return { toolCalls: [call('1', { what: 'last_message' }), call('2', { what: 'topic', topic: 'the cat' })] }
    })
    await using m = await remembering({ model })
    await m.bot.say('alice', '@kiki remember that the cat is called Momo')
    await m.bot.say('alice', 'my salary is low')
    await m.bot.say('alice', '@kiki please lose that, and the cat')
    expect(m.bot.sent.at(-1)).toMatch(/^Forgotten: your message .* \| Not done: only one thing/)
    await m.bot.pass('2m')
    expect((await m.logged()).join()).not.toContain('salary')
    expect(await m.facts()).toHaveLength(1)
  })

  test('a topic that it does not name', async () => {
    await using m = await forgetting({ what: 'topic' })
    await m.bot.say('alice', '@kiki please drop that')
    expect(m.bot.sent.at(-1)).toMatch(/^Nothing was forgotten: /)
  })
})
