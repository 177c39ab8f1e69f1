import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import addressing from './index.ts'

async function explained(sentence: string): Promise<string | undefined> {
  await using bot = await testBot({ persona: { name: 'kiki', names: ['キキ'] }, plugins: [addressing()] })
  const answer = await bot.command('alice', `explain "${sentence}"`)
  expect(bot.posted).toEqual([])
  return answer
}

test('explain says whether a sentence calls the bot, what it does, and by which words', async () => {
  const thanks = await explained('thanks a lot kiki')
  expect(thanks).toContain('It calls me by name.')
  expect(thanks).toMatch(/Speech act: thanks, probability (?:0\.[5-9]\d|1\.00), by .*“thanks/)
  const told = await explained('he told me to shut up yesterday')
  expect(told).toContain('It does not call me by name.')
  expect(told).toContain('Speech act: none')
})

test.each([
  ['kiki is rui coming?', 'It calls me by name.'],
  ['i think kiki is asleep', 'It does not call me by name.'],
])('explain says of %s one thing about the name', async (sentence, answer) => {
  expect((await explained(sentence))?.match(/name/g)).toHaveLength(1)
  expect(await explained(sentence)).toContain(answer)
})

test('a trace has the speech act of the message and its probability', async () => {
  await using bot = await testBot({ persona: { name: 'kiki' }, plugins: [addressing()] })
  await bot.say('alice', '@kiki thanks a lot!')
  expect((await bot.trace())?.score?.parts).toContainEqual({
    plugin: 'addressing',
    points: 0,
    why: expect.stringMatching(/^thanks, probability (?:0\.[89]\d|1\.00)$/),
  })
  expect(await bot.command('alice', 'why')).toMatch(/addressing: thanks, probability [\d.]+(?! 0)/)
})
