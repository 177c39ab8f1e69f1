// postgres: the statements of eavesdrop
import { definePlugin } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import eavesdrop from './index.ts'
import { ADVICE, listening, MORE, mind, QUARREL, talk } from './test-listener.ts'

const ANOTHER = `
  carol: the printer is out of toner
  dave: the blue one works
  carol: can anyone help with the toner`

describe('limits', () => {
  test('five minutes between interventions, without a question to the model', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    await bot.pass('4m')
    const asked = judge.steps.length
    await talk(bot, ANOTHER)
    expect(judge.steps).toHaveLength(asked)
    expect((await bot.trace()).decision?.why).toBe('stepped in a moment ago')
    await bot.pass('1m')
    await talk(bot, 'carol: anyone at all? any ideas')
    expect(bot.sent).toHaveLength(2)
  })

  test('at most three per hour', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge)
    for (let round = 0; round < 5; round++) {
      await talk(bot, round % 2 ? ANOTHER : ADVICE)
      await bot.pass('10m')
    }
    expect(bot.sent).toHaveLength(3)
    expect((await bot.trace()).decision?.why).toBe('has stepped in often enough within the hour')
    await bot.pass('15m')
    await talk(bot, ADVICE)
    expect(bot.sent).toHaveLength(4)
  })

  test('the limits are options', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge, { minInterval: '1m', maxPerHour: 1 })
    await talk(bot, ADVICE)
    await bot.pass('2m')
    await talk(bot, ANOTHER)
    expect(bot.sent).toHaveLength(1)
    expect((await bot.trace()).decision?.why).toBe('has stepped in often enough within the hour')
  })

  test('each channel has its own limits, and they survive a restart', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge, { channels: ['general', 'dev'] }, { storage: 'pglite' })
    await talk(bot, ADVICE)
    await talk(bot, ADVICE, 'dev')
    expect(bot.posted.map(({ channel }) => channel)).toEqual(['general', 'dev'])
    await bot.restart()
    await talk(bot, ANOTHER)
    expect(bot.sent).toHaveLength(2)
  })

  test('an intervention that was cancelled for newer messages does not count', async () => {
    let answered = () => {}
    const written = new Promise<string>(resolve => {
      answered = () => resolve('Late.')
    })
    const judge = mind({ verdict: ['YES', 'NO'] })
    const model: ChatModel = {
      name: 'slow',
      generate: async request => {
        const answer = await judge.model.generate(request)
        return request.role === 'chat' ? { ...answer, text: await written } : answer
      },
    }
    await using bot = await listening({ model })
    await talk(bot, ADVICE)
    await bot.say('bob', 'found it: the disk is full')
    answered()
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toContain('cancelled')
    expect((await bot.db.query('select 1 from eavesdrop.intervention')).rowCount).toBe(0)
  })

  test('an intervention that the platform refused does not count', async () => {
    await using bot = await listening(mind({ verdict: 'YES' }))
    bot.platform.faults.push(new Error('no permission'))
    await talk(bot, ADVICE)
    expect(bot.sent).toEqual([])
    expect((await bot.db.query('select 1 from eavesdrop.intervention')).rowCount).toBe(0)
  })
})

describe('memory of interventions', () => {
  test('a new topic can get an intervention; the prompt mentions the old one', async () => {
    const judge = mind({ verdict: 'YES', answer: ['Turn it off and on.', 'Ask the office.'] })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    await bot.pass('12m')
    await talk(bot, ANOTHER)
    expect(bot.sent).toEqual(['Turn it off and on.', 'Ask the office.'])
    expect(judge.steps).toEqual(['state', 'verdict', 'answer', 'state', 'same', 'verdict', 'answer'])
    const [same = ''] = judge.prompts('same')
    expect(same.slice(same.indexOf('## When you stepped in'), same.indexOf('## Now'))).toContain('I am stuck, any ideas')
    expect(same.slice(same.indexOf('## Now'))).toContain('can anyone help with the toner')
    const [first = '', verdict = ''] = judge.prompts('verdict')
    expect(first).not.toContain('stepped in before')
    expect(verdict).toContain('Minutes since the last time: 12\nTimes within the last 30 minutes: 1')
    expect(verdict).toContain('I am stuck, any ideas')
    // Its own words stand in the transcript, and nowhere else.
    expect(judge.prompts('answer')[1]?.split(' kiki:\nTurn it off and on.')).toHaveLength(2)
    expect(judge.prompts('answer')[1]).not.toContain('What you have said')
  })

  test('the last five messages are stored, with their first two hundred characters', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge, { signs: false })
    for (let line = 1; line <= 6; line++) await bot.say(line % 2 ? 'alice' : 'bob', `${line} ${'x'.repeat(250)}`)
    await bot.pass('10s')
    await bot.pass('10m')
    await talk(bot, ANOTHER)
    const [same = ''] = judge.prompts('same')
    const before = same.slice(0, same.indexOf('## Now'))
    expect([...before.matchAll(/^(\d) x+$/gm)].map(([line, number]) => [number, line.length])).toEqual(
      ['2', '3', '4', '5', '6'].map(number => [number, 200]),
    )
  })

  test('the words are deleted after an hour, from the database too', async () => {
    const judge = mind({ verdict: 'YES', answer: 'Turn it off and on.' })
    await using bot = await listening(judge)
    await talk(bot, ADVICE)
    await bot.pass('80m')
    const { rows } = await bot.db.query('select talk, answer, state from eavesdrop.intervention')
    expect(rows).toEqual([{ talk: null, answer: null, state: 'ACTIVE' }])
    expect((await bot.db.query('select 1 from eavesdrop.judgement')).rowCount).toBe(0)
    await talk(bot, ANOTHER)
    expect(judge.steps).not.toContain('same')
    expect(judge.prompts('answer').at(-1)).not.toContain('Turn it off and on.')
    await bot.db.query("update eavesdrop.intervention set at = at - interval '30 days'")
    await bot.pass('30m')
    expect((await bot.db.query('select 1 from eavesdrop.intervention')).rowCount).toBe(0)
  })

  test('a reply to an intervention belongs to its conversation, at any later time: no question to the model', async () => {
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge)
    await bot.say('alice', 'the deploy hangs since noon')
    await bot.say('bob', 'mine went through')
    const stuck = await bot.say('alice', 'I am stuck, any ideas')
    await bot.pass('40m')
    expect(bot.sent).toHaveLength(1)
    await bot.say('bob', 'still nothing', { replyTo: { id: stuck } })
    await talk(bot, 'alice: no\nbob: hm\nalice: any ideas')
    expect(judge.steps).toEqual(['state', 'verdict', 'answer', 'state'])
    expect((await bot.trace()).decision?.why).toBe('ACTIVE · has stepped into this talk already')
  })
})

describe('two conversations in one channel', () => {
  test('are separated by replies, and the answer quotes its own', async () => {
    const judge = mind({ state: 'MISUNDERSTANDING', verdict: 'YES', answer: 'Friday is the release.' })
    await using bot = await listening(judge)
    const meet = await bot.say('alice', 'so we meet on Friday')
    const soup = await bot.say('carol', 'there is soup today')
    await bot.say('bob', 'I thought you meant the release', { replyTo: { id: meet } })
    await bot.say('dave', 'with bread', { replyTo: { id: soup } })
    const which = await bot.say('alice', 'no, the other one')
    await bot.say('carol', 'and cake')
    await bot.pass('10s')
    const prompts = [...judge.prompts('state'), ...judge.prompts('verdict'), ...judge.prompts('answer')]
    expect(prompts).toHaveLength(3)
    for (const prompt of prompts) {
      expect(prompt).toContain('the other one')
      expect(prompt).not.toMatch(/soup|bread|cake/)
    }
    expect(bot.posted).toMatchObject([{ text: 'Friday is the release.', replyTo: which }])
  })

  test('calm messages beside a quarrel neither end nor cancel the wait', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', answer: 'One at a time.' })
    await using bot = await listening(judge, { wait: { messages: [2, 2], time: ['100s', '100s'] } })
    await talk(bot, QUARREL.en)
    for (let round = 0; round < 4; round++) {
      const soup = await bot.say('carol', 'there is soup today')
      await bot.say('dave', 'with bread', { replyTo: { id: soup } })
      await bot.pass('15s')
    }
    expect(bot.sent).toEqual([])
    await talk(bot, MORE.en)
    expect(bot.sent).toEqual(['One at a time.'])
  })
})

describe('with other plugins', () => {
  const trains = definePlugin({
    name: 'trains',
    setup: () => ({
      score: ({ messages }) =>
        messages.some(({ text }) => /train/.test(text)) ? { points: 60, why: 'talks of trains' } : undefined,
      decide: (_turn, { points }) => (points >= 60 ? { kind: 'full', why: 'trains' } : undefined),
      respond: (_turn, { plugin }) => ({ kind: 'text', text: `at ten, says ${plugin}` }),
    }),
  })

  test('its NO leaves the decision to other deciders', async () => {
    await using bot = await listening(mind({ verdict: 'NO' }), {}, { plugins: [trains] })
    await talk(bot, 'alice: I missed it\nbob: oh\nalice: when is the next train, anyone know')
    expect(bot.sent).toEqual(['at ten, says trains'])
  })

  test('in a quarrel its NO is final', async () => {
    await using bot = await listening(mind({ state: 'CONFLICT', verdict: 'NO' }), {}, { plugins: [trains] })
    await talk(bot, `${QUARREL.en}\nbob: you idiot made me miss my train`)
    expect(bot.sent).toEqual([])
    expect((await bot.trace()).decision).toMatchObject({ plugin: 'eavesdrop', kind: 'silent' })
  })

  test('people who quarrelled a moment ago get no further message, even if new words have no sign', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', answer: 'One at a time.' })
    await using bot = await listening(judge, {}, { plugins: [trains] })
    await talk(bot, QUARREL.en + MORE.en)
    await bot.pass('2m')
    expect(bot.sent).toEqual(['One at a time.'])
    await talk(bot, 'bob: soup\nalice: with bread\nbob: and butter\nalice: at noon\nbob: sunny\nalice: the train at ten')
    expect(bot.sent).toEqual(['One at a time.'])
    expect((await bot.trace()).decision).toMatchObject({ why: 'stepped in between these people a moment ago' })
    await talk(bot, 'carol: any trains today')
    expect(bot.sent).toEqual(['One at a time.', 'at ten, says trains'])
  })

  test('it does not answer for other deciders', async () => {
    const judge = mind({ answer: 'from the reply plugin' })
    const always = definePlugin({ name: 'always', setup: () => ({ decide: () => ({ kind: 'full', why: 'always' }) }) })
    await using bot = await listening(judge, {}, { plugins: [always] })
    await talk(bot, 'alice: good morning')
    expect(bot.sent).toEqual(['from the reply plugin'])
    expect(judge.prompts('answer')[0]).toContain('Reply to the current conversation')
  })

  test('the memory is in the prompt of its answer', async () => {
    const memory = definePlugin({
      name: 'memory',
      setup: () => ({ context: () => ({ place: 'facts', title: 'Deploys', text: 'They hang when the disk is full.' }) }),
    })
    const judge = mind({ verdict: 'YES' })
    await using bot = await listening(judge, {}, { plugins: [memory] })
    await talk(bot, ADVICE)
    expect(judge.prompts('answer')[0]).toContain('They hang when the disk is full.')
    expect(judge.prompts('verdict')[0]).not.toContain('disk')
  })
})

test('an invalid option is refused at the start', async () => {
  const plugins = [eavesdrop({ channels: ['general'], bufferSize: 2, wait: { messages: [3, 2] }, minInterval: 'soon' as never })]
  await expect(testBot({ plugins })).rejects.toThrow(/\[eavesdrop\] minInterval/)
  await expect(testBot({ plugins })).rejects.toThrow(/wait\.messages: expected the smaller number first/)
  await expect(testBot({ plugins })).rejects.toThrow(/minInterval: expected a number of seconds/)
  await expect(testBot({ plugins: [eavesdrop({ bufferSize: 2 })] })).rejects.toThrow(
    /bufferSize: expected at least minMessages, got 2/,
  )
})
