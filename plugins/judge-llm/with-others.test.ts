/** Together with judge-rules, with the offline model, and with Gemini. */
import addressing from '@kikimimi/addressing'
import attention from '@kikimimi/attention'
import { probabilityOf } from '@kikimimi/attention/model'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { definePlugin } from 'kikimimi'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { startGemini } from 'kikimimi/testing/gemini'
import { describe, expect, test } from 'vitest'
import judgeLlm from './index.ts'

const pacing = { minWait: '4s', jitter: 0 } as const

describe.each([
  ['before the rules', () => [judgeLlm(), addressing(), judgeRules({ points: { question: 40 } })]],
  ['after the rules', () => [addressing(), judgeRules({ points: { question: 40 } }), judgeLlm()]],
])('%s', (_name, judges) => {
  const verdict = (respond: boolean) => ({ value: { respond, reason: 'the model says so', confidence: 0.7, delaySeconds: 0 } })

  test('the model decides in the band, both to speak and to stay silent', async () => {
    const model = scriptedModel(request =>
      request.role === 'judge' ? verdict(!promptOf(request).includes('umbrella')) : 'At ten.',
    )
    await using bot = await testBot({ plugins: [judges(), reply()], model, pacing })
    await bot.say('alice', 'when does the train leave?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['At ten.'])
    expect((await bot.trace()).decision).toMatchObject({
      plugin: 'judge-llm',
      why: expect.stringMatching(/^the model says so · /),
      confidence: 0.7,
    })
    await bot.say('alice', 'where is my umbrella?', { channel: 'random' })
    await bot.pass('10s')
    expect(bot.sent).toHaveLength(1)
    expect((await bot.trace()).decision).toMatchObject({ plugin: 'judge-llm', kind: 'silent' })
  })

  test('it is not asked outside the band, nor about a mention', async () => {
    const model = scriptedModel('Here I am.')
    await using bot = await testBot({ plugins: [judges(), reply()], model, pacing })
    await bot.say('alice', 'it rains')
    await bot.pass('10s')
    expect((await bot.trace()).decision?.plugin).toBe('judge-rules')
    await bot.say('alice', 'kiki, are you there?')
    expect(bot.sent).toEqual(['Here I am.'])
    expect(model.asked.map(({ role }) => role)).toEqual(['chat'])
  })
})

test('the probability of the points is that of attention, if it scores', async () => {
  const model = scriptedModel({ value: { respond: false, reason: 'test', confidence: 0.5, delaySeconds: 0 } })
  const plugins = [attention(), addressing(), judgeRules({ preset: 'attention' }), judgeLlm({ low: 1 }), reply()]
  await using bot = await testBot({ plugins, model, pacing })
  await bot.say('alice', '@kiki are you there?')
  await bot.pass('20s')
  await bot.say('alice', 'when does the train leave')
  await bot.pass('10s')
  const { score, decision } = await bot.trace()
  const before = probabilityOf(score?.points ?? 0)
  expect(before).toBeGreaterThan(0.05)
  const [shown = 0] = /(?<=probability )[\d.]+/.exec(decision?.why ?? '')?.map(Number) ?? []
  expect(shown).toBe(Math.floor(100 * before) / 100)
})

describe('the form of the answer', () => {
  async function formOf(points: number, text: string, plugin = judgeLlm(), chosen = {}) {
    const scorer = definePlugin({ name: 'scorer', setup: () => ({ score: () => ({ points, why: 'test' }) }) })
    const verdict = { respond: true, reason: 'test', confidence: 0.9, delaySeconds: 0, ...chosen }
    const model = scriptedModel(({ role }) => (role === 'judge' ? { value: verdict } : 'At ten.'))
    await using bot = await testBot({
      plugins: [scorer, addressing(), judgeRules({ diversity: true }), plugin, reply()],
      model,
      pacing,
    })
    await bot.say('alice', text)
    await bot.pass('10s')
    const { score, decision } = await bot.trace()
    return [score?.points, decision?.plugin, decision?.kind]
  }

  test.each([
    ['a low score: a reaction', 50, 'it rains', 'react'],
    ['a middling score: a short phrase', 70, 'it rains', 'ack'],
    ['a high score: an answer', 85, 'it rains', 'full'],
  ])('follows the score with the option diversity of judge-rules; %s', async (_name, points, text, kind) => {
    expect(await formOf(points, text)).toEqual([points, 'judge-llm', kind])
  })

  test('is an answer to a question', async () => {
    expect((await formOf(40, 'does it rain?'))[2]).toBe('full')
  })

  test('is what the model chooses, if it may choose', async () => {
    expect((await formOf(50, 'it rains', judgeLlm({ styles: ['full', 'ack'] }), { style: 'ack' }))[2]).toBe('ack')
    expect((await formOf(50, 'it rains', judgeLlm({ styles: ['react'] })))[2]).toBe('react')
  })
})

describe('the offline model', () => {
  const bot = () => testBot({ plugins: [judgeLlm(), addressing(), judgeRules({ points: { question: 40 } }), reply()], pacing })

  test.each([
    ['the train leaves at ten', 'when does the train leave?', 'the train leaves at ten'],
    ['会議は三時から第二会議室です', '会議は何時からでしたっけ？', '三時から'],
  ])('answers an open question if the answer was said before: %s', async (said, question, answer) => {
    await using kiki = await bot()
    await kiki.say('alice', said)
    await kiki.pass('1m')
    await kiki.say('bob', question)
    await kiki.pass('10s')
    expect(await kiki.trace()).toMatchObject({
      outcome: 'delayed',
      decision: { plugin: 'judge-llm', why: expect.stringMatching(/^it was said here before · /) },
    })
    await kiki.pass('1m')
    expect(kiki.sent).toEqual([expect.stringContaining(answer)])
  })

  test('waits for people to answer', async () => {
    await using kiki = await bot()
    await kiki.say('alice', 'the train leaves at ten')
    await kiki.say('bob', 'when does the train leave?')
    await kiki.pass('10s')
    expect((await kiki.trace()).outcome).toBe('delayed')
    await kiki.say('alice', 'at ten, as I said')
    await kiki.pass('5m')
    expect(kiki.posted).toEqual([])
  })

  test.each(['does anyone know a good dentist?', '@bob when does the train leave?', '誰か傘持ってない？'])(
    'is silent otherwise: %s',
    async question => {
      await using kiki = await bot()
      await kiki.say('alice', 'the train leaves at ten')
      await kiki.say('bob', question)
      await kiki.pass('15m')
      expect(kiki.posted).toEqual([])
    },
  )
})

describe('Gemini', () => {
  async function asked(answer: string) {
    await using gemini = await startGemini({ answer })
    const { baseUrl, apiKey } = gemini
    const judge = new ChatGoogleGenerativeAI({ baseUrl, apiKey, model: 'gemini-2.5-flash-lite' })
    const chat = scriptedModel('At ten.')
    await using bot = await testBot({
      plugins: [judgeLlm({ styles: ['full', 'react'] }), addressing(), judgeRules({ points: { question: 40 } }), reply()],
      models: { chat, judge },
      pacing,
    })
    await bot.say('alice', 'when does the train leave?')
    await bot.pass('4s')
    await gemini.settled(bot)
    return { calls: gemini.calls, sent: [...bot.sent], trace: await bot.trace() }
  }

  test('a different chat model gets the schema of the verdict', async () => {
    const verdict = { respond: true, reason: 'a question', confidence: 0.8, delaySeconds: null, style: 'full' }
    const { calls, sent, trace } = await asked(JSON.stringify(verdict))
    expect(sent).toEqual(['At ten.'])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.model).toBe('gemini-2.5-flash-lite')
    expect(calls[0]?.body.generationConfig).toMatchObject({ responseMimeType: 'application/json' })
    expect(trace.models).toMatchObject([
      { role: 'judge', model: 'gemini-2.5-flash-lite' },
      { role: 'chat', model: 'scripted' },
    ])
  })

  test('a text without a verdict decides nothing', async () => {
    const { sent, trace } = await asked('YES')
    expect(sent).toEqual([])
    expect(trace).toMatchObject({ outcome: 'silent', problems: [{ plugin: 'judge-llm', stage: 'decide' }] })
  })
})
