import { definePlugin, type Reply } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { judge, kiki, no, settledTalk, yes } from './test-bot.ts'

describe('no call of the model', () => {
  test('the bot spoke last', async () => {
    const model = judge(yes())
    const thinking = Promise.withResolvers<Reply>()
    const slow = definePlugin({ name: 'slow', setup: () => ({ respond: () => thinking.promise }) })
    await using bot = await kiki(model, { plugins: [slow] })
    await bot.say('alice', '@kiki where is the key?')
    await bot.say('bob', 'which one does she mean')
    thinking.resolve({ kind: 'text', text: 'With Bob.' })
    await bot.pass('1m')
    expect(bot.sent).toEqual(['With Bob.'])
    expect(model.asked).toEqual([])
    expect((await bot.trace()).decision).toEqual({ plugin: 'judge-llm', kind: 'silent', why: 'the bot spoke last' })
  })

  describe('the conversation has ended', () => {
    test.each([
      [['It leaves at ten.', 'Thanks a lot!']],
      [['got it working now', 'nice one', 'see you tomorrow']],
      [['thx', 'no problem', 'Good night all 🌙']],
      [['OK, talk to you later']],
      [['gotta go', 'take care']],
      [['10時発だよ', 'ありがとう、助かった！']],
      [['いえいえ', 'じゃあまた明日〜']],
      [['お疲れ様でした', 'おつかれさまです']],
      [['そろそろ寝るね', 'おやすみなさい']],
      [['どういたしまして', 'またね👋']],
    ])('%j', async lines => {
      const model = judge(yes())
      await using bot = await kiki(model)
      await settledTalk(bot, ...lines)
      expect(model.asked).toEqual([])
      expect(bot.posted).toEqual([])
      expect((await bot.trace()).decision?.why).toBe('the conversation has ended')
    })

    test.each([
      [['Thanks! One more thing, where is the key?']],
      [['thank you, but it still does not open']],
      [['where is the key?', 'bye everybody']],
      [['I will do it later']],
      [['thanks to the rain the train is late']],
      [['ありがとう、でもまだ開かない']],
      [['鍵どこだっけ？', 'お先に失礼します']],
      [['また開かなくなった']],
    ])('the conversation goes on: %j', async lines => {
      const model = judge(no('x'))
      await using bot = await kiki(model)
      await settledTalk(bot, ...lines)
      expect(model.asked).toHaveLength(1)
    })
  })
})
