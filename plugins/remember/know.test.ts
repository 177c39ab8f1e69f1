import { expect, test } from 'vitest'
import { place, remembering, replacing } from './test-bot.ts'

const vault = { channel: 'vault', visibility: 'private' } as const
const direct = { channel: 'dm', visibility: 'direct' } as const

test.each([
  ['@kiki what do you know about me?', 'What I know about you:', 'Ask me in a direct message, and I tell you everything.'],
  [
    'キキ、私のこと何知ってる？',
    'あなたについて知っていること：',
    'ダイレクトメッセージで聞いてくだされば、すべてお答えします。',
  ],
])('lists what may be read in this conversation, without a model: %s', async (text, title, end) => {
  await using m = await remembering()
  await m.bot.say('alice', '@kiki remember that I play the cello')
  await m.bot.say('bob', '@kiki remember that @alice lives in Kyoto', { channel: 'random' })
  await m.bot.say('alice', '@kiki remember that I am looking for a new job', vault)
  await m.bot.say('alice', 'remember that my salary is 1,000', direct)
  await m.bot.say('bob', '@kiki remember that the train leaves at ten')
  await m.bot.say('alice', text)
  const lines = (m.bot.sent.at(-1) ?? '').split('\n')
  expect([lines[0], lines.at(-1)]).toEqual([title, end])
  expect(lines.filter(line => /^\d+\. /.test(line)).slice(0, 2)).toEqual(['1. @alice lives in Kyoto', '2. I play the cello'])
  expect(lines.join()).not.toMatch(/job|salary|train/)
  expect((await m.bot.trace()).models).toEqual([])
})

test('in a direct conversation: everything, from all conversations, with earlier facts', async () => {
  await using m = await remembering()
  await replacing(m)
  await m.bot.say('alice', '@kiki remember that I am looking for a new job', vault)
  await m.bot.say('bob', '@kiki remember that @alice is bad at chess', { channel: 'den', visibility: 'private' })
  await m.bot.say('alice', 'what do you know about me?', direct)
  const [title, ...lines] = (m.bot.sent.at(-1) ?? '').split('\n')
  expect(title).toBe('Everything that I know about you:')
  expect(lines.slice(0, 3)).toEqual([
    '1. I am looking for a new job',
    '2. my weekly yoga lesson moved to Tuesday',
    '3. my weekly yoga lesson is on Monday (no longer true)',
  ])
  expect(lines.join()).not.toContain('chess')
})

test('the profile, as far as the audience may know it', async () => {
  await using m = await remembering()
  await m.bot.say('alice', 'good morning')
  await m.bot.pass('1h')
  const alice = { platform: 'test', id: 'alice' }
  await m
    .people()
    .note(alice, place(), { tags: ['trains', 'tea'], personality: 'Patient.', lastConversation: 'The new timetable.' })
  await m.people().note(alice, place('vault', { visibility: 'private' }), { personality: 'Secretly nervous.' })
  await m.bot.say('alice', '@kiki what do you know about me?')
  const text = m.bot.sent.at(-1)
  expect(text).toContain(
    '1. What I associate with you: trains, tea\n2. My impression: Patient.\n3. We last talked about: The new timetable.',
  )
  expect(text).toMatch(/I have heard (?:2 messages|one message) from you, mostly in #general\./)
  expect(text).not.toContain('nervous')
})

test('without knowledge the bot says so', async () => {
  await using m = await remembering()
  await m.bot.say('bob', '@kiki remember that the train leaves at ten')
  await m.bot.say('alice', '@kiki what do you know about me?')
  expect(m.bot.sent.at(-1)).not.toMatch(/\d\. |train/)
  await m.bot.say('carol', '私のこと何知ってる？', direct)
  expect(m.bot.sent.at(-1)).not.toMatch(/\d\. /)
  expect((await m.bot.trace()).models).toEqual([])
})

test('a long list is cut', async () => {
  await using m = await remembering()
  for (let at = 1; at <= 23; at++) {
    await m.store().add({ conversation: place(), content: `thing number ${at} ${'x'.repeat(200)}`, people: ['alice'] })
  }
  await m.bot.say('alice', '@kiki what do you know about me?')
  const lines = (m.bot.sent.at(-1) ?? '').split('\n')
  expect(lines.filter(line => /^\d+\. /.test(line))).toHaveLength(15)
  expect(lines).toContain('… and 8 more.')
  expect(Math.max(...lines.map(line => line.length))).toBeLessThan(110)
})

test('two linked accounts are one person', async () => {
  await using m = await remembering()
  await m.bot.say('alice', '@kiki remember that I play the cello')
  await m.bot.say('alice-at-work', '@kiki remember that I work on Sundays')
  await m.people().link({ platform: 'test', id: 'alice' }, { platform: 'test', id: 'alice-at-work' })
  await m.bot.say('alice', '@kiki what do you know about me?')
  expect(m.bot.sent.at(-1)).toMatch(/I work on Sundays[\s\S]*I play the cello|I play the cello[\s\S]*I work on Sundays/)
})

test('a fact about somebody else is in the list of that person, and its author told it', async () => {
  await using m = await remembering()
  await m.bot.say('bob', 'good morning')
  await m.bot.say('alice', '@kiki remember that bob is allergic to nuts')
  await m.bot.say('alice', '@kiki remember that @bob owes me a coffee')
  await m.bot.say('alice', '@kiki remember that the wifi password is tulip')
  const items = async (name: string) => {
    await m.bot.say(name, '@kiki what do you know about me?')
    return (m.bot.sent.at(-1) ?? '').split('\n').flatMap(line => /^\d+\. (.*)$/.exec(line)?.[1] ?? [])
  }
  expect(await items('bob')).toEqual(expect.arrayContaining(['@bob owes me a coffee', 'bob is allergic to nuts']))
  expect(await items('alice')).toEqual(
    expect.arrayContaining(['the wifi password is tulip', '@bob owes me a coffee', 'you told me: bob is allergic to nuts']),
  )
})

test.each([
  ['@kiki remember my shoe size', 'What about “my shoe size”?'],
  ['キキ、私の靴のサイズを覚えておいて', '「私の靴のサイズ」の何を'],
])('a content that only names a thing is asked about: %s', async (text, answer) => {
  await using m = await remembering()
  await m.bot.say('alice', text)
  expect(m.bot.sent.at(-1)).toContain(answer)
  expect(await m.facts()).toEqual([])
})

test('the list leaves the log with a message of one of its facts, and with no message of others', async () => {
  await using m = await remembering()
  const { bot } = m
  const random = { channel: 'random' }
  const cello = await bot.say('alice', '@kiki remember that I play the cello', random)
  const lunch = await bot.say('bob', 'lunch is at noon', random)
  await bot.say('alice', 'see you there', random)
  await bot.say('alice', '@kiki what do you know about me?')
  const list = async () => (await m.logged()).filter(text => text.startsWith('What I know about you'))
  await bot.remove(lunch, random)
  expect(await list()).toEqual([expect.stringContaining('I play the cello')])
  await bot.remove(cello, random)
  expect(await list()).toEqual([])
})
