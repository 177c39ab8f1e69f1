/** Calls of several people at random times, with the plugins that answer people. */

import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { readTranscript } from 'kikimimi/model'
import { promptOf, scriptedModel, testBot, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { seededRandom } from '../../core/base/random.ts'

const { rounds, seed } = testRounds({ few: 25, all: 250 })
const PEOPLE = ['alice', 'bob', 'carol', 'dave']

test('of many calls of four people, each is answered once, in its own words', async () => {
  const random = seededRandom(2 + seed)
  const model = scriptedModel(async request => {
    const asked = readTranscript(promptOf(request)).filter(line => line.asked)
    await ticks(random() * 40)
    return asked.map(({ text }) => `answer to ${text.replace('@kiki ', '')}`).join(' and ')
  })
  await using bot = await testBot({ plugins: [quiet(), addressing(), judgeRules(), reply()], storage: 'memory', model })
  for (let round = 0; round < rounds; round++) {
    const before = bot.sent.length
    const calls = PEOPLE.toSorted(() => random() - 0.5).map(async person => {
      await ticks(random() * 60)
      await bot.say(person, `@kiki what about ${person} ${round}?`)
    })
    await Promise.all(calls)
    await bot.pass('10s')
    const answers = bot.sent.slice(before)
    expect(answers.toSorted()).toEqual(PEOPLE.map(person => `answer to what about ${person} ${round}?`).toSorted())
  }
  expect(bot.sent).toHaveLength(rounds * PEOPLE.length)
})

test.each([
  ['reply', 'when does the shop close?', 'an answer of the model'],
  ['remember', 'remember that the key is under the mat', 'I’ll remember that.'],
  ['quiet', 'be quiet for an hour please', '👌'],
])('three people who call at the same time are each answered by %s', async (_plugin, text, answer) => {
  await using bot = await testBot({
    plugins: [remember(), facts(), profiles(), quiet(), addressing(), judgeRules(), reply()],
    model: 'an answer of the model',
  })
  await Promise.all(['alice', 'bob', 'carol'].map(person => bot.say(person, `@kiki ${text}`)))
  await bot.pass('10s')
  expect(bot.posted.map(one => (one.kind === 'text' ? one.text : one.emoji))).toEqual([answer, answer, answer])
  // Messages that arrive at the same time have no order.
  const answered = (await bot.traces()).map(({ answers }) => answers)
  expect(answered.toSorted()).toEqual([['m1'], ['m2'], ['m3']])
})

async function ticks(count: number): Promise<void> {
  for (let tick = Math.floor(count); tick > 0; tick--) await Promise.resolve()
}
