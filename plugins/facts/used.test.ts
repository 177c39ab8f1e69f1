import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place } from './test-memory.ts'

const ASKED = '@kiki what is the cat of alice called?'

/** A bot whose judge reads the memory before each decision, and says no to everything but a mention. */
async function talk(answer: string) {
  const { plugins, store } = borrowedFacts()
  const judge = definePlugin({
    name: 'judge',
    setup: () => ({
      async decide({ addressed }, _score, call) {
        await call.context()
        return addressed ? { kind: 'full', why: 'asked' } : { kind: 'silent', why: 'not asked' }
      },
    }),
  })
  const model = scriptedModel(answer)
  const bot = await testBot({ plugins: [...plugins, judge(), reply()], model })
  const strengths = async () =>
    Object.fromEntries((await store().list({ conversation: place() })).map(({ content, strength }) => [content, strength]))
  return { bot, store, model, strengths, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

test('a fact grows stronger when an answer uses it, and not when it was only read', async () => {
  await using t = await talk('She calls him Momo.')
  await t.store().add(fact('the cat of alice is called Momo'))
  await t.store().add(fact('the cat of alice sleeps all day'))
  for (const text of ['the cat of alice is loud', 'is the cat of alice here?', 'poor cat of alice']) {
    await t.bot.say('bob', text)
    await t.bot.pass('1m')
  }
  expect(await t.strengths()).toEqual({ 'the cat of alice is called Momo': 0, 'the cat of alice sleeps all day': 0 })
  await t.bot.say('bob', ASKED)
  await t.bot.pass('10s')
  expect(promptOf(t.model.asked.at(-1))).toContain('the cat of alice sleeps all day')
  expect(await t.strengths()).toEqual({ 'the cat of alice is called Momo': 1, 'the cat of alice sleeps all day': 0 })
})

test('an answer that repeats the question alone strengthens nothing', async () => {
  await using t = await talk('The cat of alice? I do not know what it is called.')
  await t.store().add(fact('the cat of alice is called Momo'))
  await t.bot.say('bob', ASKED)
  await t.bot.pass('10s')
  expect(t.bot.sent).toHaveLength(1)
  expect(await t.strengths()).toEqual({ 'the cat of alice is called Momo': 0 })
})

test('facts come first, and of messages those that state something', async () => {
  await using t = await talk('ok')
  const said = await t.bot.say('alice', 'my running shoes are worn out, I ran in Kyoto')
  await t.bot.say('bob', 'Wow! What got you into running?')
  await t.bot.say('alice', 'my doctor did')
  await t.bot.say('bob', 'aha')
  await t.bot.pass('21d')
  const sources = [{ message: said, author: 'alice', quote: 'I ran in Kyoto' }]
  await t.store().add(fact('alice takes part in running in Kyoto', { sources }))
  await t.bot.say('carol', '@kiki what about the running of alice?')
  const memories = [...promptOf(t.model.asked.at(-1)).matchAll(/^- (.+“.+)$/gm)].map(([, line]) => line)
  expect(memories).toEqual([
    'just now, alice: “alice takes part in running in Kyoto”',
    '3 weeks ago, alice, answering bob’s “Wow! What got you into running?”: “my doctor did”',
  ])
})
