import { describe, expect, test } from 'vitest'
import { ADVICE, listening, mind, QUARREL, talk } from './test-listener.ts'

describe('questions to the model', () => {
  test('the state in 20 tokens and the verdict in 50 by the judge model; the answer by the chat model', async () => {
    const judge = mind({ state: 'MISUNDERSTANDING', verdict: 'YES' })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    expect(judge.model.asked.map(({ role, maxTokens, messages }) => [role, maxTokens, messages[0]?.text])).toEqual([
      ['judge', 20, expect.stringMatching(/ENDING, MISUNDERSTANDING, CONFLICT or ACTIVE\?$/)],
      ['judge', 50, expect.stringMatching(/YES or NO\?$/)],
      ['chat', 500, expect.stringContaining('any ideas')],
    ])
    expect(bot.sent).toHaveLength(1)
  })

  test('whether it is the same conversation in 20 tokens', async () => {
    const judge = mind({ verdict: 'YES', same: 'DIFFERENT' })
    await using bot = await listening(judge, { minInterval: 0 })
    await talk(bot, ADVICE)
    await talk(bot, 'alice: nobody? any advice')
    expect(judge.model.asked.map(({ maxTokens }) => maxTokens)).toEqual([20, 50, 500, 20, 20, 50, 500])
  })

  test('after NO only a stronger sign, or more messages', async () => {
    const judge = mind({ state: 'ACTIVE', verdict: 'NO' })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    expect(judge.steps).toEqual(['state', 'verdict'])
    await talk(bot, 'bob: hm\nalice: nobody? any advice')
    expect(judge.steps).toHaveLength(2)
    await talk(bot, 'bob: shut up, you idiot\nalice: shut up yourself')
    expect(judge.steps).toHaveLength(4)
    for (let line = 0; line < 9; line++) await talk(bot, 'bob: tea\nalice: coffee')
    expect(judge.steps).toHaveLength(4)
    await talk(bot, 'bob: tea\nalice: any ideas, I am stuck')
    for (let line = 0; line < 10; line++) await talk(bot, 'bob: tea\nalice: coffee')
    expect(judge.steps).toHaveLength(5)
  })

  test('after a long silence, as in a new conversation', async () => {
    const judge = mind({ state: 'ACTIVE', verdict: 'NO' })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    await bot.pass('1h')
    await talk(bot, ADVICE)
    expect(judge.steps).toEqual(['state', 'verdict', 'state', 'verdict'])
  })

  test('in the language of the conversation', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge, {}, { locale: 'en' })
    await talk(bot, 'alice: 昼からデプロイが止まったまま\nbob: こっちは通った\nalice: 困った、誰か分かる人')
    expect(judge.model.asked.map(({ system }) => system)).toEqual([
      expect.stringContaining('会話の現在の状態を判定してください'),
      expect.stringContaining('介入が必要かどうかを判定してください'),
      expect.stringContaining('抽象的な「寄り添います」ではなく'),
    ])
    expect(bot.sent).toHaveLength(1)
  })

  test('about the last twenty messages', async () => {
    const judge = mind()
    await using bot = await listening(judge)
    for (let line = 1; line <= 24; line++) await bot.say(line % 2 ? 'alice' : 'bob', `line ${line} of the day`)
    await talk(bot, 'alice: any ideas')
    const [prompt = ''] = judge.prompts('state')
    expect([...prompt.matchAll(/^line (\d+) /gm)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 19 }, (_, at) => at + 6),
    )
  })

  test('none about fewer than three messages', async () => {
    const judge = mind()
    await using bot = await listening(judge)
    await talk(bot, 'alice: shut up\nbob: you idiot')
    expect(judge.steps).toEqual([])
    await talk(bot, 'alice: you are the idiot')
    expect(judge.steps).toEqual(['state', 'verdict'])
  })

  test('without signs, for every message', async () => {
    const judge = mind()
    await using bot = await listening(judge, { signs: false, minMessages: 1, bufferSize: 1 })
    await talk(bot, 'alice: 안녕하세요')
    expect(judge.steps).toEqual(['state', 'verdict'])
  })

  test.each([
    ['a channel that is not listed', { channels: ['other'] }],
    ['no channels at all', { channels: [] }],
  ])('none in %s', async (_, options) => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES' })
    await using bot = await listening(judge, options)
    const before = bot.db.statements
    await talk(bot, QUARREL.en)
    const quiet = bot.db.statements - before
    expect(judge.steps).toEqual([])
    expect(bot.sent).toEqual([])
    expect(quiet).toBeGreaterThan(0)
    expect((await bot.db.query('select 1 from eavesdrop.judgement')).rowCount).toBe(0)
  })

  test('a channel can be listed with its #', async () => {
    const judge = mind()
    await using bot = await listening(judge, { channels: ['#general'] })
    await talk(bot, QUARREL.en)
    expect(judge.steps).toEqual(['state', 'verdict'])
  })

  test('none about a message that addresses the bot: it gets an answer', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', answer: 'Both of you.' })
    await using bot = await listening(judge)
    await talk(bot, QUARREL.en)
    const asked = judge.steps.length
    await bot.say('bob', '@kiki who is right? she is an idiot')
    expect(judge.steps.slice(asked)).toEqual(['answer'])
    expect(bot.sent).toEqual(['Both of you.'])
    // The plan is cancelled.
    await bot.pass('5m')
    expect(bot.sent).toHaveLength(1)
    expect((await bot.db.query('select 1 from eavesdrop.intervention')).rowCount).toBe(0)
  })
})
