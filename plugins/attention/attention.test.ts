import judgeRules from '@kikimimi/judge-rules'
import { definePlugin } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import { type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, it } from 'vitest'
import attention from './index.ts'
import { basePoints, pointsOf, probabilityOf, SHARED } from './model.ts'
import { SIGNS } from './signs.ts'

const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    respond: ({ message }, { kind }) =>
      kind === 'react' ? { kind: 'reaction', emoji: '👍' } : { kind: 'text', text: `to ${message.text}`, replyTo: message.id },
  }),
})

const kiki = (locale: 'en' | 'ja' | 'ko' = 'en', threshold = 60) =>
  testBot({
    persona: { name: 'kiki' },
    locale,
    plugins: [attention(), judgeRules({ preset: 'attention', threshold }), answer],
  })

const CAROL = { id: 'carol', name: 'carol' }

async function pointsAfter(say: (bot: TestBot) => Promise<void>): Promise<number> {
  await using bot = await kiki()
  await say(bot)
  await bot.pass('1m')
  return (await bot.trace()).score?.parts.reduce((sum, { points }) => sum + points, 0) ?? 0
}

const talk =
  (after: Duration, author: string, text: string, said = {}) =>
  async (bot: TestBot) => {
    await bot.say('alice', '@kiki where is the key?')
    await bot.pass(after)
    await bot.say(author, text, said)
  }

describe('the points', () => {
  it('are higher for the person whom the bot talks with than for another', async () => {
    const partner = await pointsAfter(talk('20s', 'alice', 'and where is the lamp?'))
    const another = await pointsAfter(talk('20s', 'bob', 'and where is the lamp?'))
    expect(partner).toBeGreaterThan(another)
  })

  it('fall with the time since the bot’s words', async () => {
    const soon = await pointsAfter(talk('20s', 'bob', 'the train was late'))
    const later = await pointsAfter(talk('25m', 'bob', 'the train was late'))
    expect(soon).toBeGreaterThan(later)
  })

  it('are lower for a message to somebody else, and for thanks', async () => {
    const open = await pointsAfter(talk('20s', 'bob', 'it is in the drawer'))
    const toOther = await pointsAfter(talk('20s', 'bob', 'it is in the drawer', { mentions: [CAROL] }))
    const thanks = await pointsAfter(talk('20s', 'bob', 'ok, thanks'))
    expect(toOther).toBeLessThan(open)
    expect(thanks).toBeLessThan(open)
  })

  it('stand in the trace with words in the language of the bot, and with the probability', async () => {
    for (const [locale, base] of [
      ['en', 'any message'],
      ['ja', 'どの発言にも共通'],
      ['ko', '모든 메시지에 공통'],
    ] as const) {
      await using bot = await kiki(locale)
      await talk('20s', 'bob', 'the train was late')(bot)
      await bot.pass('1m')
      const { score, decision } = await bot.trace()
      expect(score?.parts.map(({ why }) => why)).toContain(base)
      expect(decision?.why).toMatch(/ · probability 0\.\d\d$/)
    }
  })
})

it('the message that won is the one that is answered', async () => {
  await using bot = await kiki('en', 10)
  await bot.say('alice', '@kiki where is the key?')
  await bot.pass('20s')
  await bot.say('alice', 'and where is the lamp?')
  await bot.say('bob', 'morning, see the note', { mentions: [CAROL] })
  await bot.pass('1m')
  const { trigger, messages, score } = await bot.trace()
  expect(messages).toHaveLength(2)
  expect(trigger).toBe(messages[0])
  expect(score?.message).toBe(messages[0])
  expect(bot.sent.at(-1)).toBe('to and where is the lamp?')
})

it('a call is answered at once, without learned points', async () => {
  await using bot = await kiki()
  await bot.say('alice', '@kiki hello')
  expect(bot.sent).toEqual(['to @kiki hello'])
  expect((await bot.trace()).score?.parts.map(({ why }) => why)).toEqual(['mentions the bot'])
})

it('the preset without the plugin is refused at the start, with the remedy', async () => {
  await expect(testBot({ plugins: [judgeRules({ preset: 'attention' })] })).rejects.toMatchObject({
    code: 'SERVICE_MISSING',
    message: expect.stringContaining('Add attention() above judgeRules()'),
  })
})

it('the weights know every sign, and the usual threshold is a probability of 40 %', () => {
  expect(Object.keys(SHARED.signs)).toEqual([...SIGNS])
  expect(probabilityOf(60)).toBeCloseTo(0.4)
  expect(probabilityOf(80)).toBeGreaterThan(0.75)
  // A message with average signs is seldom for the bot.
  const average = SIGNS.reduce((sum, sign) => sum + pointsOf(sign, SHARED.signs[sign].mean, SHARED), basePoints(SHARED))
  expect(probabilityOf(average)).toBeLessThan(0.03)
})
