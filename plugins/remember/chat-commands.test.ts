import { expect, test } from 'vitest'
import { place, remembering } from './test-bot.ts'

test.each([
  ['en', 'remember that my flight is on Friday', 'my flight is on Friday', 'I’ll remember that.'],
  ['ja', 'remember 鍵は青い鉢の下にある', '鍵は青い鉢の下にある', '覚えておきます。'],
] as const)('%s: /kiki %s', async (locale, command, fact, answer) => {
  await using m = await remembering({ locale })
  expect(await m.bot.command('alice', command)).toBe(answer)
  expect(await m.facts()).toMatchObject([{ content: fact, people: ['alice'], pinned: true, sources: [{ author: 'alice' }] }])
  expect(await m.logged()).toEqual([])
})

test.each(['remember when we went to Kyoto?', 'forget about the cat'])('is a message to the bot: %s', async text => {
  await using m = await remembering()
  expect(await m.bot.command('alice', text)).toBeUndefined()
})

test('without a content it asks for one', async () => {
  await using m = await remembering()
  expect(await m.bot.command('alice', 'remember')).toMatch(/^What shall I remember\?/)
  expect(await m.facts()).toEqual([])
})

test.each([
  ['en', 'What I know about you:', 'Ask me in a direct message, and I tell you everything.', 'Everything that I know about you:'],
  [
    'ja',
    'あなたについて知っていること：',
    'ダイレクトメッセージで聞いてくだされば、すべてお答えします。',
    'あなたについて知っていることのすべて：',
  ],
] as const)('%s: /kiki what-do-you-know-about-me tells what those who are there may read', async (locale, head, tail, alone) => {
  await using m = await remembering({ locale })
  await m.bot.command('alice', 'remember that I play the cello', { channel: 'hidden', visibility: 'private' })
  await m.bot.command('alice', 'remember that I work on Sundays')
  const here = (await m.bot.command('alice', 'what-do-you-know-about-me')) ?? ''
  expect(here.split('\n')[0]).toBe(head)
  expect(here).toContain('I work on Sundays')
  expect(here).not.toContain('cello')
  expect(here.split('\n').at(-1)).toBe(tail)
  const dm = (await m.bot.command('alice', 'what-do-you-know-about-me', { channel: 'd1', visibility: 'direct' })) ?? ''
  expect(dm.split('\n')[0]).toBe(alone)
  expect(dm).toContain('cello')
})

test.each([
  ['en', /^I am forgetting you: /],
  ['ja', /^あなたのことを忘れます。/],
] as const)('%s: /kiki forget-me', async (locale, answer) => {
  await using m = await remembering({ locale })
  await m.bot.say('alice', 'my parrot is called Xenophon')
  await m.bot.command('alice', 'remember that my parrot is called Xenophon')
  await m.bot.command('bob', 'remember that the train leaves at ten')
  expect(await m.bot.command('alice', 'forget-me')).toMatch(answer)
  await m.bot.pass('10m')
  expect((await m.facts()).map(({ content }) => content)).toEqual(['the train leaves at ten'])
  expect(await m.logged()).toEqual([])
})

test.each([
  ['en', /^From now on I do not listen to you/, 'I listen to you again.'],
  ['ja', /^これからは、ここのどのチャンネルでも/, 'またあなたの発言を聞きます。'],
] as const)('%s: /kiki opt-out, and opt-in', async (locale, out, back) => {
  await using m = await remembering({ locale })
  expect(await m.bot.command('alice', 'opt-out')).toMatch(out)
  await m.bot.pass('1s')
  await m.bot.say('alice', 'my safe opens with 4711')
  await m.bot.say('bob', 'good morning')
  expect(await m.logged()).toEqual(['good morning'])
  expect(await m.bot.command('alice', 'opt-in')).toBe(back)
  await m.bot.pass('1s')
  await m.bot.say('alice', 'here I am')
  expect(await m.logged()).toEqual(['good morning', 'here I am'])
})

test('works in a channel where the bot does not listen', async () => {
  await using m = await remembering({ listen: { channels: ['dev'] } })
  expect(await m.bot.command('alice', 'remember that I work on Sundays')).toBe('I’ll remember that.')
  expect(await m.facts(place())).toHaveLength(1)
})
