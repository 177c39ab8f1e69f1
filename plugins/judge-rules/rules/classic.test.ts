import addressing from '@kikimimi/addressing'
import { type Conversation, definePlugin, type Trace } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import judgeRules from '../index.ts'
import { CLASSIC } from './classic.ts'

type Options = Parameters<typeof judgeRules>[0]

/** Answers each decision in the decided form. */
const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    respond: (_turn, { kind }) => (kind === 'react' ? { kind: 'reaction', emoji: '👍' } : { kind: 'text', text: kind }),
  }),
})

const kiki = (options?: Options) =>
  testBot({
    persona: { name: 'kiki', names: ['キキ'] },
    plugins: [addressing(), judgeRules({ preset: 'classic', ...options }), answer],
  })

/** A conversation in which the bot has spoken. */
async function engaged(options?: Options): Promise<TestBot> {
  const bot = await kiki(options)
  await bot.say('alice', '@kiki hello')
  expect(bot.sent).toEqual(['full'])
  return bot
}

/** The reasons with their points, as the trace has them. Observations have no points. */
const reasons = ({ score }: Trace) => score?.parts.flatMap(({ why, points }) => (points === 0 ? [] : `${why} ${points}`))

const FIRST_WORDS = 'first words after a long silence 10'

test('silence is the default', async () => {
  await using bot = await kiki()
  for (const line of ['good morning', '今日は雨だった', 'is anyone here?', '@bob are you there?']) {
    await bot.say('alice', line)
    await bot.pass('1m')
  }
  expect(bot.posted).toEqual([])
  expect((await bot.traces()).map(({ decision }) => decision?.why)).toEqual([
    'first words after a long silence 10 · below 60',
    'no rule applies · below 60',
    'asks a question 20 · below 60',
    'no rule applies · below 60',
  ])
})

describe('while the bot takes part', () => {
  test('a question with a keyword reaches the threshold, and the trace says why', async () => {
    await using bot = await engaged({ keywords: ['rust'] })
    await bot.pass('3m')
    await bot.say('alice', 'does anyone here write Rust?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full', 'full'])
    expect(await bot.trace()).toMatchObject({
      outcome: 'replied',
      score: { points: 75 },
      decision: {
        plugin: 'judge-rules',
        kind: 'full',
        why: 'the bot is in the conversation 40, asks a question 20, has a keyword 15 · reaches 60',
      },
    })
  })

  test('directly after its own words the bot holds back', async () => {
    await using bot = await engaged({ keywords: ['rust'] })
    await bot.pass('30s')
    await bot.say('alice', 'does anyone here write Rust?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full'])
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      score: { points: 25 },
      decision: {
        why: 'the bot is in the conversation 40, asks a question 20, has a keyword 15, the bot spoke a moment ago -50 · below 60',
      },
    })
  })

  test('it answers when it is addressed', async () => {
    await using bot = await engaged()
    await bot.say('alice', 'kiki, one more thing')
    expect(bot.sent).toEqual(['full', 'full'])
  })

  test('a statement is not enough', async () => {
    await using bot = await engaged()
    await bot.pass('3m')
    await bot.say('alice', 'I see')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full'])
    expect(await bot.trace()).toMatchObject({ score: { points: 40 }, outcome: 'silent' })
  })

  test('after the bot has left, a question is not enough', async () => {
    await using bot = await engaged()
    await bot.pass('6m')
    await bot.say('alice', 'anything else?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full'])
    expect(reasons(await bot.trace())).toEqual(['asks a question 20'])
  })

  test('another channel is another conversation', async () => {
    await using bot = await engaged()
    await bot.pass('3m')
    await bot.say('alice', 'anything else?', { channel: 'random' })
    await bot.pass('10s')
    expect(reasons(await bot.trace())).toEqual(['asks a question 20', FIRST_WORDS])
  })
})

describe('the rules', () => {
  interface Row {
    readonly rule: (typeof CLASSIC)[number]['name']
    readonly text: string
    readonly reasons: readonly string[]
    /** Time since the bot spoke in the conversation; absent: never. */
    readonly after?: '30s' | '3m'
    readonly reply?: boolean
    readonly visibility?: Conversation['visibility']
  }

  const ROWS: Row[] = [
    { rule: 'mention', text: '@kiki good morning', reasons: ['mentions the bot 100'] },
    {
      rule: 'reply',
      text: 'thanks',
      after: '3m',
      reply: true,
      reasons: ['replies to the bot 100', 'the bot is in the conversation 40'],
    },
    { rule: 'direct', text: 'good morning', visibility: 'direct', reasons: ['talks to the bot alone 100'] },
    { rule: 'name', text: 'キキ、おはよう', reasons: ['calls the bot by name 80'] },
    { rule: 'engaged', text: 'good morning', after: '3m', reasons: ['the bot is in the conversation 40'] },
    { rule: 'question', text: 'もう朝？', reasons: ['asks a question 20', FIRST_WORDS] },
    { rule: 'keyword', text: 'Rust, rust, Rust!', reasons: ['has a keyword 15', FIRST_WORDS] },
    { rule: 'topic', text: '京都の紅葉はきれい', reasons: ['is about something the bot knows 15', FIRST_WORDS] },
    {
      rule: 'cooldown',
      text: 'good morning',
      after: '30s',
      reasons: ['the bot is in the conversation 40', 'the bot spoke a moment ago -50'],
    },
  ]

  const ELSEWHERE = ['pair', 'unmentioned', 'lively', 'silence', 'fading', 'faded']

  test('each rule is in this table or below', () => {
    expect([...ROWS.map(({ rule }) => rule), ...ELSEWHERE]).toEqual(CLASSIC.map(({ name }) => name))
  })

  test.each(ROWS)('$rule: $text', async ({ text, after, reply, visibility, reasons: expected }) => {
    await using bot = await kiki({ keywords: ['rust'], knownTopics: ['紅葉'] })
    let replyTo: string | undefined
    if (after) {
      await bot.say('alice', '@kiki hello')
      const [hello] = bot.posted
      if (reply && hello?.kind === 'text') replyTo = hello.id
      await bot.pass(after)
    }
    await bot.say('alice', text, { ...(visibility && { visibility }), ...(replyTo && { replyTo: { id: replyTo } }) })
    await bot.pass('10s')
    expect(reasons(await bot.trace())).toEqual(expected)
  })
})

describe('the course of a conversation', () => {
  /** The reasons for the last of these lines. Each line is said some seconds after the one before. */
  async function after(lines: readonly (readonly [seconds: number, author: string, text: string])[], options?: Options) {
    await using bot = await kiki(options)
    for (const [seconds, author, text] of lines) {
      await bot.pass(seconds)
      await bot.say(author, text)
    }
    await bot.pass('10s')
    return reasons(await bot.trace())
  }

  test('only two people talk: −20, unless the bot is one of them', async () => {
    const talk = [
      [0, 'alice', 'shall we go'],
      [20, 'bob', 'soon'],
      [20, 'alice', '雨だよ'],
      [20, 'bob', 'I have a coat'],
      [20, 'alice', 'fine'],
    ] as const
    expect(await after(talk)).toEqual(['only two people are talking -20'])
    expect(await after([[0, 'carol', '@kiki hello'], ...talk.slice(1)])).not.toContain('only two people are talking -20')
    expect(await after([...talk, [20, 'carol', 'me too']])).toEqual([])
  })

  test('nobody has mentioned the bot in the last messages: −10', async () => {
    const nine = Array.from({ length: 9 }, (_, at) => [20, `person ${at}`, 'the train is late'] as const)
    expect(await after(nine)).toEqual([])
    expect(await after([...nine, [20, 'dave', 'as ever']])).toEqual(['nobody has mentioned the bot lately -10'])
    expect(await after([[0, 'dave', '@kiki hello'], ...nine], { cooldown: '1s', points: { engaged: 0 } })).toEqual([])
  })

  test('messages come fast: −10', async () => {
    const ten = (seconds: number) => Array.from({ length: 10 }, (_, at) => [seconds, `person ${at}`, 'wow'] as const)
    const points = { unmentioned: 0 }
    expect(await after(ten(5), { points })).toEqual(['messages come fast -10'])
    expect(await after(ten(7), { points })).toEqual([])
  })

  test('first message after a long silence: +10', async () => {
    expect(
      await after([
        [0, 'alice', 'good night'],
        [8 * 3_600, 'bob', 'good morning'],
      ]),
    ).toEqual([FIRST_WORDS])
    expect(
      await after([
        [0, 'alice', 'good night'],
        [30, 'bob', 'good night'],
      ]),
    ).toEqual([])
  })

  test('the answers to the bot get shorter: −10, to less than half: −15', async () => {
    const answers = (last: string) =>
      ['so here is what happened', 'then it went on like that', 'and that was not all of it', last, last, last].map(
        text => [20, 'alice', text] as const,
      )
    const talk = (last: string) => after([[0, 'alice', '@kiki hello'], ...answers(last)], { cooldown: '1s' })
    expect(await talk('and on it went like that')).toEqual(['the bot is in the conversation 40'])
    expect(await talk('and on it went')).toEqual(['the bot is in the conversation 40', 'the answers to the bot get shorter -10'])
    expect(await talk('うん')).toEqual([
      'the bot is in the conversation 40',
      'the answers to the bot get shorter -10',
      'the answers to the bot got short -5',
    ])
  })
})

test('the score lies between 0 and 100', async () => {
  await using bot = await engaged()
  await bot.say('alice', 'I see')
  await bot.pass('10s')
  expect((await bot.trace()).score?.points).toBe(0)
  await bot.say('alice', '@kiki is that so?')
  expect((await bot.trace()).score?.points).toBe(100)
})

describe('options', () => {
  test('a lower threshold gives more answers', async () => {
    await using bot = await kiki({ threshold: 20 })
    await bot.say('alice', 'is anyone here?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full'])
  })

  test('points of a rule can change or be 0', async () => {
    await using bot = await kiki({ points: { question: 60, name: 0 } })
    await bot.say('alice', 'is anyone here?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['full'])
    await bot.say('alice', 'kiki, hello')
    expect(reasons(await bot.trace())).not.toContain('calls the bot by name 80')
  })

  test('reactFrom sets a lower threshold for reactions', async () => {
    await using bot = await kiki({ reactFrom: 20 })
    await bot.say('alice', 'is anyone here?')
    await bot.pass('10s')
    expect(bot.posted).toMatchObject([{ kind: 'reaction', emoji: '👍' }])
  })

  test('diversity gives unasked messages a shorter form', async () => {
    await using bot = await kiki({
      diversity: true,
      threshold: 15,
      keywords: ['rust', 'trains'],
      points: { keyword: 60 },
    })
    await bot.say('alice', 'I like trains')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['ack'])
    await bot.pass('10m')
    await bot.say('alice', 'does anyone like trains?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['ack', 'full'])
  })

  test('the points of other plugins count', async () => {
    const other = definePlugin({ name: 'other', setup: () => ({ score: () => ({ points: 45, why: 'it is Monday' }) }) })
    await using bot = await testBot({ plugins: [other, judgeRules({ preset: 'classic', points: { silence: 0 } }), answer] })
    await bot.say('alice', 'is anyone here?')
    await bot.pass('10s')
    expect((await bot.trace()).decision?.why).toBe('it is Monday 45, asks a question 20 · reaches 60')
  })

  test('invalid options are refused at the start', async () => {
    // @ts-expect-error there is no such rule
    await expect(kiki({ threshold: 160, points: { questions: 1 } })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(
        /^bot\.config\.ts is invalid:\n.*\[judge-rules\] threshold: .*160\n.*\[judge-rules\] points: .*questions/,
      ),
    })
  })
})
