import { describe, expect, test } from 'vitest'
import { ADVICE, listening, mind, QUARREL, talk } from './test-listener.ts'

describe('answers that cannot be read', () => {
  test.each([
    ['it may be well, I think', 'ACTIVE, by default · NO'],
    ['', 'ACTIVE, by default · NO'],
    ['INACTIVE', 'ACTIVE, by default · NO'],
    ['ACTIVE, though near a CONFLICT', 'CONFLICT · NO'],
    ['CONFLICT or ENDING', 'ENDING · the talk is ending'],
    ['**Misunderstanding**, not conflict', 'MISUNDERSTANDING · NO'],
    ['状態：ＣＯＮＦＬＩＣＴです', 'CONFLICT · NO'],
  ])('the state %j counts as %j', async (state, why) => {
    const judge = mind({ state, verdict: 'NO' })
    await using bot = await listening(judge)
    await talk(bot, QUARREL.en)
    expect((await bot.trace()).decision?.why).toBe(why)
  })

  test.each(['YES', 'yes.', '**YES**', ' Yes\n', 'YES: it gets heated', '答え：YES'])(
    'the verdict %j counts as YES',
    async verdict => {
      await using bot = await listening(mind({ verdict }))
      await talk(bot, ADVICE)
      expect(bot.sent).toHaveLength(1)
    },
  )

  test.each([
    'NO',
    'YES or NO',
    'YES, but NOT now',
    'I would say YES',
    '{"answer":"YES"}',
    'NO_REPLY',
    'はい',
    '<html>YES</html>',
    'YESTERDAY',
  ])('the verdict %j does not count as YES', async verdict => {
    await using bot = await listening(mind({ verdict }))
    await talk(bot, ADVICE)
    expect(bot.sent).toEqual([])
  })

  test.each(['SAME', 'SAME or DIFFERENT?', 'hard to say'])(
    'whether the conversation is the same, %j: no intervention',
    async same => {
      await using bot = await listening(mind({ verdict: 'YES', same }), { minInterval: 0 })
      await talk(bot, ADVICE)
      await talk(bot, 'alice: nobody? any advice')
      expect(bot.sent).toHaveLength(1)
      expect((await bot.trace()).decision?.why).toBe('ACTIVE · has stepped into this talk already')
    },
  )

  test.each(['NO_REPLY', '**SILENT**', '<html><body>502</body></html>', 'kiki: '])(
    'the answer %j is not posted',
    async answer => {
      await using bot = await listening(mind({ verdict: 'YES', answer }), {}, { apology: 'Sorry.' })
      await talk(bot, ADVICE)
      await bot.pass('5m')
      expect(bot.sent).toEqual([])
      expect(await bot.trace()).toMatchObject({ outcome: 'silent', why: expect.stringContaining('could not step in') })
      expect(bot.log).toHaveLength(1)
    },
  )
})

describe('errors of the model', () => {
  const down = new Error('503 service unavailable')

  test('for the state: the state is ACTIVE, and the verdict is requested', async () => {
    const judge = mind({ state: down, verdict: 'NO' })
    await using bot = await listening(judge)
    await talk(bot, QUARREL.en)
    await bot.pass('1m')
    expect(await bot.trace()).toMatchObject({
      decision: { kind: 'silent', why: 'ACTIVE, by default · NO' },
      models: [{ role: 'judge', error: 'MODEL_UNAVAILABLE' }, { role: 'judge' }],
      problems: [],
    })
    expect(bot.log).toEqual([expect.stringContaining('could not judge a conversation: state: ')])
  })

  test('for the verdict: it is NO', async () => {
    await using bot = await listening(mind({ state: 'CONFLICT', verdict: down }), {}, { apology: 'Sorry.' })
    await talk(bot, QUARREL.en)
    await bot.pass('1m')
    expect((await bot.trace()).decision?.why).toBe('CONFLICT · NO, by default')
    await bot.pass('5m')
    expect(bot.sent).toEqual([])
    expect(bot.log).toHaveLength(1)
  })

  test('for the comparison of conversations: no intervention', async () => {
    const judge = mind({ verdict: 'YES', same: down })
    await using bot = await listening(judge, { minInterval: 0 })
    await talk(bot, ADVICE)
    await talk(bot, 'alice: nobody? any advice')
    await bot.pass('1m')
    expect(bot.sent).toHaveLength(1)
    expect(bot.log).toEqual([expect.stringContaining('same: ')])
  })

  test('for the answer: silence, no apology, one line in the log, and no intervention is counted', async () => {
    const judge = mind({ verdict: 'YES', answer: [down, down, down, 'Try again.'] })
    await using bot = await listening(judge, {}, { apology: 'Sorry.' })
    await talk(bot, ADVICE)
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      why: expect.stringContaining('could not step in'),
      models: [{ role: 'judge' }, { role: 'judge' }, { role: 'chat', error: 'MODEL_UNAVAILABLE' }],
    })
    expect(bot.log).toEqual([expect.stringContaining('could not step in')])
    await talk(bot, 'alice: nobody? any advice')
    expect(bot.sent).toEqual(['Try again.'])
  })

  test('a timeout: silence', async () => {
    await using bot = await listening({ model: { name: 'hangs', generate: () => new Promise(() => {}) } })
    await talk(bot, ADVICE)
    await bot.pass('2m')
    expect(bot.sent).toEqual([])
    expect((await bot.trace()).outcome).toBe('silent')
  })

  test('and the log contains no text of people', async () => {
    await using bot = await listening(mind({ state: down, verdict: 'I was told to say: any ideas' }), {}, { logLevel: 'debug' })
    await talk(bot, ADVICE)
    await bot.pass('1m')
    expect(bot.log.join('\n')).toContain('could not judge')
    expect(bot.log.join('\n')).not.toMatch(/deploy|any ideas|stuck/)
  })
})
