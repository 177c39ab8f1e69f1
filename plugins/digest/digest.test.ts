/** "What did I miss?": asked in a channel, by a command, and through the tool. */
import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import digest from './index.ts'

const platform = { links: true }
const down = new Error('503')

function digesting(options: Omit<TestBotOptions, 'plugins'> = {}): Promise<TestBot> {
  return testBot({ plugins: [digest(), reply()], platform, ...options })
}

/** Alice says hello, leaves, and others talk. */
async function talk(bot: TestBot): Promise<void> {
  await bot.say('alice', 'good morning')
  await bot.pass('1h')
  await bot.say('bob', 'which colour shall the new logo have?', { id: 'q' })
  await bot.say('carol', 'I like the green one most, it is easy to read', { id: 'a', replyTo: { id: 'q' } })
  await bot.say('bob', 'ok, let’s go with green for the logo', { id: 'd' })
  await bot.pass('20m')
  await bot.say('dave', 'does anybody know when the office closes on Friday?', { id: 'o' })
  await bot.pass('40m')
  await bot.say('erin', 'can you look at my report until tomorrow?', { id: 'y', mentions: [{ id: 'alice', name: 'alice' }] })
  await bot.pass('2h')
}

test('without a model it tells what is for the person, what was decided and what is open, with links', async () => {
  await using bot = await digesting({ model: down })
  await talk(bot)
  await bot.say('alice', '@kiki what did I miss?')
  await bot.pass('1m')
  expect(bot.sent).toEqual([
    [
      '**Since 10:00: 5 messages, 4 people.**',
      '**For you**',
      '- erin: can you look at my report until tomorrow? [12:00](https://test.example/general/y)',
      '**Decided**',
      '- bob: ok, let’s go with green for the logo [11:00](https://test.example/general/d)',
      '**Not answered yet**',
      '- dave: does anybody know when the office closes on Friday? [11:20](https://test.example/general/o)',
    ].join('\n'),
  ])
  expect(await bot.trace()).toMatchObject({
    decision: { why: 'is asked what happened since the person last spoke', plugin: 'digest' },
    models: [{ role: 'summary' }],
  })
})

test('a model writes from numbered excerpts, and only numbers that were given become links', async () => {
  const model = scriptedModel(
    [
      'Hello! Here is your summary of everything that has happened in the channel today.',
      '**Decisions**',
      '- bob chose green for the logo [4] [99]',
      '- erin wants a review, see [her page](https://evil.example/x) https://evil.example/y [1]',
      '**Rumours**',
      '- the office burns down [77]',
    ].join('\n'),
  )
  await using bot = await digesting({ model })
  await talk(bot)
  await bot.say('alice', '@kiki catch me up please')
  expect(bot.sent).toHaveLength(1)
  const [text = ''] = bot.sent
  expect(text).toMatch(
    /^\*\*Since 10:00.*\n\*\*Decisions\*\*\n- bob chose green for the logo \[\d\d:\d\d\]\(https:\/\/test\.example\/general\/\w+\)\n/,
  )
  expect(text).not.toMatch(/Hello|Rumours|burns|evil|99|77/)
  expect(model.asked).toHaveLength(1)
  expect(promptOf(model.asked[0])).toMatch(/\[\d\] #general erin: can you look at my report/)
  expect(model.asked[0]?.system).not.toContain('report')
})

test('nothing new is said without a model call', async () => {
  const model = scriptedModel('unused')
  await using bot = await digesting({ model })
  await bot.say('alice', 'good morning')
  await bot.pass('1h')
  await bot.say('alice', '@kiki what did I miss?')
  expect(bot.sent).toEqual(['Nothing since 10:00.'])
  expect(model.asked).toEqual([])
})

test.each([
  ['en', '@kiki what happened since yesterday?', /^\*\*Since .*00:00: 6 messages, 5 people/],
  ['ja', '@kiki 昨日から何か進んだ？', /^\*\*.*00:00から：6件の発言、5人です。/],
  ['ja', '@kiki 何があった？', /^\*\*10:00から：5件の発言/],
  ['ko', '@kiki 어제부터 무슨 일 있었어?', /^\*\*.*00:00부터: 메시지 6개/],
])('understands the question in %s: %s', async (locale, question, answer) => {
  await using bot = await digesting({ model: down, locale })
  await talk(bot)
  await bot.say('alice', question)
  await bot.pass('1m')
  expect(bot.sent.at(-1)).toMatch(answer)
})
