// postgres: the statements of judge-llm
import { Points } from '@kikimimi/judge-rules/points'
import { definePlugin } from 'kikimimi'
import { promptOf } from 'kikimimi/testing'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import judgeLlm from './index.ts'
import { judge, kiki, no, settledTalk, yes } from './test-bot.ts'

// A prompt shows times in the time zone of the machine.
beforeEach(() => void vi.stubEnv('TZ', 'UTC'))

describe('when the model is asked', () => {
  test.each([
    [0, 0],
    [20, 0],
    [21, 1],
    [50, 1],
    [79, 1],
    // 100 points of judge-rules are a probability of 57 %.
    [80, 1],
    [100, 1],
  ])('at a score of %i: %i times', async (points, times) => {
    const model = judge(yes())
    await using bot = await kiki(model, { points })
    await settledTalk(bot, 'is anyone here?')
    expect(model.asked).toHaveLength(times)
    // Outside the band the next decider decides.
    expect((await bot.trace()).decision?.plugin).toBe(times ? 'judge-llm' : 'next')
  })

  test.each([
    [79, 1],
    [89, 1],
    [90, 0],
    [100, 0],
  ])('with points that are percent, at a score of %i: %i times', async (points, times) => {
    const percent = definePlugin({
      name: 'percent',
      provides: [Points],
      setup: ctx => ctx.provide(Points, { probability: points => points / 100, threshold: () => 60, style: () => 'full' }),
    })
    const model = judge(yes())
    await using bot = await kiki(model, { points, plugins: [percent] })
    await settledTalk(bot, 'is anyone here?')
    expect(model.asked).toHaveLength(times)
    expect((await bot.trace()).decision?.plugin).toBe(times ? 'judge-llm' : 'next')
  })

  test('the band can be changed', async () => {
    const model = judge(yes())
    await using bot = await kiki(model, { points: 10, plugin: judgeLlm({ low: 5, high: 11 }) })
    await settledTalk(bot, 'is anyone here?')
    expect(model.asked).toHaveLength(1)
  })

  test('not for messages that address the bot', async () => {
    const model = judge(yes())
    await using bot = await kiki(model)
    await bot.say('alice', '@kiki is anyone here?')
    expect(model.asked).toEqual([])
    expect((await bot.trace()).decision?.plugin).toBe('next')
  })

  test('once for a burst, after its end', async () => {
    const model = judge(no('nobody needs me'))
    await using bot = await kiki(model)
    await bot.say('alice', 'is anyone here?')
    await bot.pass('2s')
    await bot.say('alice', 'the door is locked')
    await bot.pass('2s')
    await bot.say('bob', 'which door?')
    expect(model.asked).toEqual([])
    await bot.pass('1m')
    expect(model.asked).toHaveLength(1)
    expect(promptOf(model.asked[0])).toMatch(/is anyone here\?[\s\S]*the door is locked[\s\S]*which door\?/)
  })

  test('bounds without a band are refused at the start', async () => {
    await expect(kiki(judge(yes()), { plugin: judgeLlm({ low: 80, high: 20 }) })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringContaining('low: expected less than "high"'),
    })
  })
})

describe('the prompt', () => {
  const memory = definePlugin({
    name: 'memory',
    setup: () => ({ context: () => ({ place: 'facts', title: 'Doors', text: '- The key is with Bob.' }) }),
  })

  test('in English', async () => {
    const model = judge(no('x'))
    await using bot = await kiki(model, { plugins: [memory] })
    await settledTalk(bot, 'the door is locked again', 'does anyone have the key?')
    expect(model.asked[0]).toMatchObject({ role: 'judge', messages: [{ role: 'user' }] })
    const [before = '', line] = promptOf(model.asked[0]).split('\n---\n\n')
    expect(before).toMatchInlineSnapshot(`
      "## Related memories

      ### Doors

      - The key is with Bob.

      ## Current conversation

      ### #general

      #### Top level

      • **2026-01-05 10:00:00** alice:
      the door is locked again

      • **2026-01-05 10:00:00** bob:
      does anyone have the key?
      "
    `)
    expect(line).toMatch(
      /^It is now 2026-01-05 10:\d\d \(Monday, UTC\)\.\n\nThe rules[\s\S]*\n\nDecide whether to answer the current conversation, .*\.$/,
    )
    const { system = '' } = model.asked[0] ?? {}
    expect(system).toMatch(/^You are kiki\.\n\nYou listen to a conversation\. Decide whether to answer it/)
    expect(system).not.toMatch(/\{\{|\n{3}/)
  })

  test('says what the rules have found, how long the last message has waited, and who has spoken', async () => {
    const model = judge(no('x'))
    await using bot = await kiki(model)
    await bot.say('alice', '@kiki hello')
    await bot.pass('10m')
    await settledTalk(bot, 'the door is locked', 'again?', 'does anyone have the key?')
    expect(promptOf(model.asked[0])).toContain(
      [
        'The rules give 50 of 100 points: test +50.',
        'The last message came just now.',
        'You last spoke 10 minutes ago; 3 messages have followed. Your share of the last 5 messages: 1.',
        '2 people take part besides you.',
      ].join('\n'),
    )
  })

  test('in Japanese, if people speak it', async () => {
    const model = judge(no('x'))
    await using bot = await kiki(model, { plugins: [memory] })
    await settledTalk(bot, 'またドアの鍵が閉まってる', '誰か鍵持ってる？')
    const [before = '', line] = promptOf(model.asked[0]).split('\n---\n')
    expect(before).toContain(
      '## 現在の会話\n\n### #general\n\n#### トップレベルメッセージ\n\n• **2026-01-05 10:00:00** alice:\nまたドアの',
    )
    expect(line).toMatch(/上記の情報をもとに、この会話に返答するかどうかを判断してください。$/)
    expect(model.asked[0]?.system).toContain('会話に返答するかどうかを判断してください')
  })

  test('in the language of the bot, if the conversation is too short', async () => {
    const model = judge(no('x'))
    await using bot = await kiki(model, { locale: 'ja' })
    await settledTalk(bot, 'ok?')
    expect(promptOf(model.asked[0])).toContain('## 現在の会話')
  })

  test('has only the last messages', async () => {
    const model = judge(no('x'))
    await using bot = await kiki(model, { plugin: judgeLlm({ history: 2 }) })
    await settledTalk(bot, 'one', 'two', 'three?')
    expect(promptOf(model.asked[0])).toMatch(/two[\s\S]*three/)
    expect(promptOf(model.asked[0])).not.toContain('one\n')
  })

  test('has the same context as the answer, which is read once', async () => {
    let read = 0
    const counted = definePlugin({
      name: 'counted',
      setup: () => ({ context: () => ({ place: 'facts', title: `Read ${++read}`, text: 'The key is with Bob.' }) }),
    })
    await using bot = await kiki(judge(yes()), { plugins: [counted] })
    await settledTalk(bot, 'does anyone have the key?')
    expect(bot.sent).toEqual(['full: Read 1'])
    expect((await bot.trace()).sections).toMatchObject([{ title: 'Read 1', plugin: 'counted', kept: true }])
  })

  test('no context is read if no model is asked', async () => {
    let read = 0
    const counted = definePlugin({ name: 'counted', setup: () => ({ context: () => void read++ }) })
    await using bot = await kiki(judge(no('x')), { plugins: [counted] })
    await settledTalk(bot, 'thanks, bye!')
    expect(read).toBe(0)
  })
})

test('an own prompt replaces it', async () => {
  const model = judge(no('x'))
  await using bot = await kiki(model, { project: new URL('./fixtures/', import.meta.url) })
  await settledTalk(bot, 'is anyone here?')
  expect(model.asked[0]?.system).toBe('Is it about trains?')
  expect(promptOf(model.asked[0])).toMatch(/^## Current conversation\n[\s\S]*alice:\nis anyone here\?\n/)
})
