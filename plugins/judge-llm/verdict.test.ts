import { KikimimiError } from 'kikimimi'
import { type ScriptedModel, scriptedModel } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import judgeLlm from './index.ts'
import { judge, kiki, no, settledTalk, yes } from './test-bot.ts'
import { verdictOf } from './verdict.ts'

test('the model is asked for the reason before the verdict', () => {
  expect(Object.keys(z.toJSONSchema(verdictOf(['full'])).properties ?? {}).slice(0, 2)).toEqual(['reason', 'respond'])
})

describe('decisions of the model', () => {
  test('to speak, with a reason and a confidence', async () => {
    await using bot = await kiki(judge(yes({ reason: 'a question that nobody answered', confidence: 0.9 })))
    await settledTalk(bot, 'is anyone here?')
    expect(bot.sent).toEqual(['full'])
    const { decision, models } = await bot.trace()
    const why = 'a question that nobody answered · probability 0.11, with the verdict 0.56: reaches 0.30'
    expect(decision).toEqual({ plugin: 'judge-llm', kind: 'full', why, confidence: 0.9 })
    expect(models).toMatchObject([{ role: 'judge', attempts: 1 }])
  })

  test('to be silent', async () => {
    await using bot = await kiki(judge(no('they get along well')))
    await settledTalk(bot, 'is anyone here?')
    expect(bot.posted).toEqual([])
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      decision: {
        plugin: 'judge-llm',
        kind: 'silent',
        why: expect.stringMatching(/^they get along well · .+ below 0.30$/),
        confidence: 0.8,
      },
    })
    expect(bot.log).toEqual([])
  })

  test('to wait, and then to speak', async () => {
    await using bot = await kiki(judge(yes({ delaySeconds: 90 })))
    await settledTalk(bot, 'is anyone here?')
    expect(bot.sent).toEqual([])
    expect((await bot.trace()).outcome).toBe('delayed')
    await bot.pass('60s')
    expect(bot.sent).toEqual([])
    await bot.pass('60s')
    expect(bot.sent).toEqual(['full'])
  })

  test('to wait, and to judge again if somebody answers meanwhile', async () => {
    const model = judge(yes({ delaySeconds: 90 }), no('bob has answered'))
    await using bot = await kiki(model)
    await settledTalk(bot, 'is anyone here?')
    await bot.pass('30s')
    await bot.say('bob', 'I am')
    await bot.pass('10m')
    expect(bot.posted).toEqual([])
    expect(model.asked).toHaveLength(2)
    expect((await bot.trace()).decision?.why).toMatch(/^bob has answered · /)
  })

  test.each([
    [null, 0],
    [-5, 0],
    [0, 0],
    [10_000, 600],
  ])('a delay of %s s is one of %i s', async (delaySeconds, seconds) => {
    await using bot = await kiki(judge(yes({ delaySeconds })))
    const start = bot.clock.now()
    await bot.say('alice', 'is anyone here?')
    await bot.pass('4s')
    if (seconds > 0) {
      await bot.pass(`${seconds - 1}s`)
      expect(bot.sent).toEqual([])
      await bot.pass('1s')
    }
    expect(bot.sent).toEqual(['full'])
    expect(bot.clock.now() - start).toBe((4 + seconds) * 1_000)
  })

  test('the form of the answer, if it is allowed', async () => {
    await using bot = await kiki(judge(yes({ style: 'react' })), { plugin: judgeLlm({ styles: ['full', 'react'] }) })
    await settledTalk(bot, 'I got the job')
    expect(bot.posted).toMatchObject([{ kind: 'reaction', emoji: '👍' }])
  })

  test('a form that is not allowed is ignored', async () => {
    await using bot = await kiki(judge(yes({ style: 'react' })))
    await settledTalk(bot, 'I got the job')
    expect(bot.posted).toEqual([])
  })

  test('a reason that repeats a message is not stored', async () => {
    const secret = 'the code of the door is 4711 and nobody must know'
    await using bot = await kiki(judge(no(`Alice said: ${secret}`)))
    await settledTalk(bot, `hm, ${secret}`)
    expect((await bot.trace()).decision?.why).toMatch(/^the model quoted what was said as its reason · /)
    expect(JSON.stringify(await bot.trace())).not.toContain('4711')
  })

  test('a reason is short and has one line', async () => {
    await using bot = await kiki(judge(no(`quiet\n\u001b[31m\u202e${'x'.repeat(1_000)}`)))
    await settledTalk(bot, 'is anyone here?')
    expect((await bot.trace()).decision?.why).toMatch(/^quiet \[31m x{180,200} · /)
  })
})

describe('a judge that fails is silent', () => {
  test.each<[string, ScriptedModel, string]>([
    ['is down', scriptedModel(new Error('503')), 'could not be reached'],
    ['is asked too often', scriptedModel(Object.assign(new Error('quota'), { status: 429 })), '(429)'],
    ['refuses the key', scriptedModel(Object.assign(new Error('key'), { status: 401 })), 'API key'],
    ['never answers', scriptedModel(() => new Promise<never>(() => {})), 'within 15 s'],
    ['answers with nothing', scriptedModel(''), 'does not fit the schema'],
    ['answers with a word', scriptedModel('NO_REPLY'), 'does not fit the schema'],
    ['answers with yes', scriptedModel('YES'), 'does not fit the schema'],
    ['answers in prose', scriptedModel('I think you should say hello to alice.'), 'does not fit the schema'],
    ['answers with half a JSON', scriptedModel('{"respond": true, "reason": "x"'), 'does not fit the schema'],
    ['answers with a page', scriptedModel('<!DOCTYPE html><html>502 Bad Gateway</html>'), 'does not fit the schema'],
    ['is surer than sure', judge(yes({ confidence: 85 })), 'does not fit the schema'],
    ['says yes in words', judge({ ...yes(), respond: 'yes' }), 'does not fit the schema'],
    ['answers another question', judge({ answer: 42 }), 'does not fit the schema'],
  ])('a model that %s', async (_name, model, problem) => {
    await using bot = await kiki(model)
    await settledTalk(bot, 'is anyone here?')
    await bot.pass('10m')
    expect(bot.posted).toEqual([])
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      decision: { kind: 'silent', why: 'judge-llm failed to decide', plugin: 'judge-llm' },
      problems: [{ plugin: 'judge-llm', stage: 'decide', message: expect.stringContaining(problem) }],
    })
    expect(bot.log).toEqual([expect.stringContaining('[judge-llm]')])
  })

  test('and a mention is still answered', async () => {
    await using bot = await kiki(scriptedModel(new KikimimiError('MODEL_UNAVAILABLE', 'down')))
    for (let time = 0; time < 5; time++) await settledTalk(bot, 'is anyone here?')
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['full'])
  })

  test('a second answer that can be read counts', async () => {
    const model = scriptedModel(['Sure!', JSON.stringify(yes())])
    await using bot = await kiki(model)
    await settledTalk(bot, 'is anyone here?')
    expect(bot.sent).toEqual(['full'])
    expect(model.asked[1]?.messages.at(-1)?.text).toContain('could not be read')
  })

  test('JSON in a text counts, for models without schemas', async () => {
    await using bot = await kiki(scriptedModel(`Here is my verdict:\n\`\`\`json\n${JSON.stringify(yes())}\n\`\`\``))
    await settledTalk(bot, 'is anyone here?')
    expect(bot.sent).toEqual(['full'])
  })
})
