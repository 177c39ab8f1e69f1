import type { ChatModel } from 'kikimimi/model'
import { describe, expect, test } from 'vitest'
import { ADVICE, type Given, listening, MORE, mind, QUARREL, talk } from './test-listener.ts'

describe('a judgement', () => {
  const heated = { state: 'CONFLICT', verdict: 'YES', answer: 'One at a time.' } as const

  test('is reused while the conversation has no new message, even if other people talk', async () => {
    const judge = mind(heated)
    await using bot = await listening(judge, { wait: { messages: [9, 9], time: ['200s', '200s'] } })
    await talk(bot, QUARREL.en)
    expect(judge.steps).toEqual(['state', 'verdict'])
    for (let round = 0; round < 3; round++) {
      const question = await bot.say('carol', 'soup today')
      await bot.say('dave', 'yes, with bread', { replyTo: { id: question } })
      await bot.pass('40s')
    }
    expect(judge.steps).toEqual(['state', 'verdict'])
    await bot.pass('2m')
    expect(bot.sent).toEqual(['One at a time.'])
  })

  test('is reused for five minutes', async () => {
    const judge = mind(heated)
    await using bot = await listening(judge, { wait: { messages: [9, 9], time: ['20m', '20m'] } })
    await talk(bot, QUARREL.en)
    const soup = async () => {
      const question = await bot.say('carol', 'soup today')
      await bot.say('dave', 'yes, with bread', { replyTo: { id: question } })
      await bot.pass('10s')
    }
    await bot.pass('4m')
    await soup()
    expect(judge.steps).toEqual(['state', 'verdict'])
    await bot.pass('1m')
    await soup()
    expect(judge.steps).toEqual(['state', 'verdict', 'state', 'verdict'])
  })

  test('is not reused for an edited conversation', async () => {
    const judge = mind(heated)
    await using bot = await listening(judge, { wait: { messages: [9, 9] } })
    await bot.say('alice', 'you broke the build again')
    await bot.say('bob', 'that was your stupid merge')
    const id = await bot.say('alice', 'shut up')
    await bot.pass('10s')
    await bot.edit(id, 'shut up, all of you')
    await talk(bot, 'carol: hm')
    expect(judge.steps).toEqual(['state', 'verdict', 'state', 'verdict'])
  })

  test('survives a restart between its steps', async () => {
    const hangs = new Promise<string>(() => {})
    const judge = mind({ verdict: 'YES', answer: 'Try this.' })
    let asked = 0
    const model: ChatModel = {
      name: 'hangs once',
      async generate(request) {
        const answer = await judge.model.generate(request)
        return judge.steps.at(-1) === 'verdict' && asked++ === 0 ? { text: await hangs, toolCalls: [] } : answer
      },
    }
    await using bot = await listening({ model }, {}, { storage: 'pglite' })
    await talk(bot, ADVICE)
    const soup = await bot.say('carol', 'soup today')
    await bot.say('dave', 'with bread', { replyTo: { id: soup } })
    await bot.restart()
    await bot.pass('10s')
    expect(judge.steps).toEqual(['state', 'verdict', 'verdict', 'answer'])
    expect(bot.sent).toEqual(['Try this.'])
  })

  test('survives a restart with its plan', async () => {
    const judge = mind(heated)
    await using bot = await listening(judge, {}, { storage: 'pglite' })
    await talk(bot, QUARREL.en)
    await bot.restart()
    await bot.pass('30s')
    expect(bot.sent).toEqual([])
    await bot.restart()
    await bot.pass('2m')
    expect(bot.sent).toEqual(['One at a time.'])
    expect(judge.steps).toEqual(['state', 'verdict', 'answer'])
  })

  test('counts messages from before a restart', async () => {
    const judge = mind(heated)
    const patient: Given = { wait: { messages: [3, 3], time: ['10m', '10m'] } }
    await using bot = await listening(judge, patient, { storage: 'pglite' })
    await talk(bot, QUARREL.en)
    await talk(bot, MORE.en)
    await bot.restart()
    expect(bot.sent).toEqual([])
    await talk(bot, 'bob: you are a liar')
    expect(bot.sent).toEqual(['One at a time.'])
  })
})
