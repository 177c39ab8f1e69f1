import addressing from '@kikimimi/addressing'
import { definePlugin, service, type Trace } from 'kikimimi'
import { type Said, type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import judgeRules from '../index.ts'
import { ATTENTIVE } from './attentive.ts'

type Options = Parameters<typeof judgeRules>[0]

/** Answers each decision in the decided form, with the last message that asks for it. */
const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    respond: ({ message }, { kind }) =>
      kind === 'react'
        ? { kind: 'reaction', emoji: '👍' }
        : { kind: 'text', text: message.text.includes('ask me') ? 'which one?' : kind, replyTo: message.id },
  }),
})

const kiki = (options?: Options) =>
  testBot({ persona: { name: 'kiki', names: ['キキ'] }, plugins: [addressing(), judgeRules(options), answer] })

const reasons = ({ score }: Trace) => score?.parts.flatMap(({ why, points }) => (points === 0 ? [] : why))

type Line = readonly [seconds: number, author: string, text: string, said?: Said]

/** Each line is said some seconds after the one before. */
async function play(bot: TestBot, lines: readonly Line[]): Promise<void> {
  for (const [seconds, author, text, said] of lines) {
    await bot.pass(seconds)
    await bot.say(author, text, said)
  }
  await bot.pass('10s')
}

/** The reasons for and against an answer to the last of these lines. */
async function after(lines: readonly Line[], options?: Options): Promise<readonly string[] | undefined> {
  await using bot = await kiki(options)
  await play(bot, lines)
  return reasons(await bot.trace())
}

const HELLO: Line = [0, 'alice', '@kiki hello there']
const CROWD: Line[] = ['bob', 'carol', 'dave', 'erin'].map(author => [10, author, 'the train was late again today'])

describe('the rules', () => {
  const ROWS: readonly (readonly [rule: string, why: string, holds: readonly Line[], holdsNot: readonly Line[]])[] = [
    ['mention', 'mentions the bot', [[0, 'alice', '@kiki おはよう']], [[0, 'alice', 'おはよう']]],
    ['direct', 'talks to the bot alone', [[0, 'alice', 'hm', { visibility: 'direct' }]], [[0, 'alice', 'hm']]],
    ['name', 'calls the bot by name', [[0, 'alice', 'キキさん、いる？']], [[0, 'alice', 'キキララ、いる？']]],
    [
      'partner',
      'the bot is talking with this person',
      [HELLO, [30, 'alice', 'それで雨は？']],
      [HELLO, [30, 'bob', 'それで雨は？']],
    ],
    [
      'engaged-elsewhere',
      'is talking with somebody else',
      [HELLO, [10, 'bob', '@carol are you in'], [20, 'carol', 'I am here now']],
      [HELLO, [10, 'bob', 'are you in'], [20, 'carol', 'I am here now']],
    ],
    ['others', 'speaks to somebody else', [HELLO, [10, 'alice', '@bob is it done?']], [HELLO, [10, 'alice', 'is it done?']]],
    [
      'with-bot',
      'a talk of two with the bot',
      [HELLO, [10, 'alice', 'so it goes on']],
      [[0, 'bob', 'good day to all'], HELLO, [10, 'alice', 'so it goes on']],
    ],
    [
      'pair',
      'two others are talking',
      ['bob', 'carol', 'bob', 'carol', 'bob'].map(author => [10, author, 'that is what I saw']),
      CROWD.concat([[10, 'bob', 'that is what I saw']]),
    ],
    ['named', 'talks about the bot', [[0, 'alice', 'I read what kiki wrote']], [[0, 'alice', 'I read what kikimimi wrote']]],
    ['present', 'the bot spoke within ten minutes', [HELLO, [500, 'bob', 'good day']], [HELLO, [700, 'bob', 'good day']]],
    ['around', 'the bot spoke within half an hour', [HELLO, [700, 'bob', 'good day']], [HELLO, [2_000, 'bob', 'good day']]],
    ['close', 'the bot spoke in the last 8 messages', [HELLO, ...CROWD], [HELLO, ...CROWD, ...CROWD, ...CROWD]],
    ['next', "follows the bot's words", [HELLO, [10, 'bob', 'good day']], [HELLO, ...CROWD]],
    ['question', 'asks a question', [[0, 'alice', 'もう朝？ 🙂']], [[0, 'alice', '朝だ']]],
    [
      'asks-on',
      "asks about the bot's words",
      [HELLO, [10, 'bob', 'is that the same on Mondays?']],
      [HELLO, [10, 'bob', 'are you coming for lunch?']],
    ],
    [
      'asked',
      'the bot had asked',
      [
        [0, 'alice', '@kiki ask me'],
        [20, 'alice', 'the red one'],
      ],
      [
        [0, 'alice', '@kiki ask me'],
        [20, 'alice', 'the red one'],
        [20, 'alice', 'or the blue one'],
      ],
    ],
    ['closing', 'only takes note', [HELLO, [10, 'alice', 'うん、了解です！']], [HELLO, [10, 'alice', 'うん、でも雨だよ']]],
    [
      'breaks-silence',
      'asks after a silence',
      [
        [0, 'bob', 'good night'],
        [7_200, 'alice', 'does anybody know a dentist?'],
      ],
      [
        [0, 'bob', 'good night'],
        [60, 'alice', 'does anybody know a dentist?'],
      ],
    ],
    [
      'answered',
      'another person has answered',
      [HELLO, [30, 'alice', 'and where is the backup?'], [2, 'bob', 'it is on the second server, under /srv']],
      [HELLO, [30, 'alice', 'and where is the backup?'], [2, 'bob', 'the new chairs have arrived, lovely ones']],
    ],
    [
      'asks-all',
      'asks everybody',
      [
        [0, 'bob', 'good night'],
        [60, 'alice', 'Hi all. Is there a way to see who holds a lock? I have tried pg_locks.'],
      ],
      [HELLO, [60, 'bob', 'Hi all. Is there a way to see who holds a lock? I have tried pg_locks.']],
    ],
    ['keyword', 'has a keyword', [[0, 'alice', 'I like Rust']], [[0, 'alice', 'trust me']]],
    ['topic', 'is about something the bot knows', [[0, 'alice', '紅葉がきれい']], [[0, 'alice', '空がきれい']]],
    ['overlooked', "nobody took up the bot's last words", [HELLO, ...CROWD], [HELLO, [10, 'alice', 'うん、了解です'], ...CROWD]],
  ]

  test.each(ROWS)('%s: %s', async (_rule, why, holds, holdsNot) => {
    const options = { keywords: ['rust'], knownTopics: ['紅葉'] }
    expect(await after(holds, options)).toContain(why)
    expect(await after(holdsNot, options)).not.toContain(why)
  })

  test('each rule is in this table or has its own test', () => {
    const others = ['reply', 'likely', 'talkative', 'enough']
    expect([...ROWS.map(([rule]) => rule), ...others].sort()).toEqual(ATTENTIVE.map(({ name }) => name).sort())
  })
})

describe('the people that a message addresses', () => {
  test.each([
    ['bob: is it done?', true],
    ['hey Bob, is it done?', true],
    ['bobさん、できた？', true],
    ['@everyone is it done?', true],
    ['@helpdesk is the lift broken?', true],
    ['<@&123> is the lift broken?', true],
    ['@総務 エレベーター故障してますか？', true],
    ['/grok is it done?', true],
    ['!play some song', true],
    ['$natural hello there', true],
    ['pls meme', true],
    ['pls help, is it done?', false],
    ['$HOME is wrong, is it not?', false],
    ['/usr/bin is empty', false],
    ['bob said that it is done', false],
    ['bobさんが言ってた', false],
    ['is it done?', false],
  ])('%s', async (text, forOthers) => {
    const why = await after([HELLO, [10, 'bob', 'I am here'], [10, 'alice', text]])
    if (forOthers) expect(why).toContain('speaks to somebody else')
    else expect(why).not.toContain('speaks to somebody else')
  })

  test('a reply to another person is for that person; a reply to the bot is answered', async () => {
    await using bot = await kiki()
    await play(bot, [HELLO, [10, 'bob', 'I am here']])
    await bot.say('alice', 'and now it rains', { replyTo: { id: 'm2' } })
    await bot.pass('10s')
    expect(reasons(await bot.trace())).toContain('speaks to somebody else')
    const [first] = bot.posted
    if (first?.kind !== 'text') throw new Error('The bot said nothing.')
    await bot.say('carol', 'and now it rains', { replyTo: { id: first.id } })
    expect(reasons(await bot.trace())).toContain('replies to the bot')
  })

  test('a message to the bot and another person is answered once', async () => {
    await using bot = await kiki()
    await play(bot, [[0, 'alice', '@bob @kiki is it done?']])
    expect(bot.sent).toEqual(['full'])
  })
})

describe('the bot', () => {
  test('continues with its conversation partner without a pause', async () => {
    await using bot = await kiki()
    await play(bot, [HELLO, [20, 'alice', 'and what about tomorrow?']])
    expect(bot.sent).toEqual(['full', 'full'])
  })

  test('does not answer thanks, but reacts to them if they address it', async () => {
    await using bot = await kiki()
    await play(bot, [HELLO, [20, 'alice', 'ok, thanks!'], [20, 'alice', '@kiki ありがとう']])
    expect(bot.posted.map(({ kind }) => kind)).toEqual(['text', 'reaction'])
  })

  test.each(['...', '…', 'gtg', 'brb', 'never mind', 'お先に失礼します', 'やっぱりいいや'])(
    'does not answer %s of its conversation partner',
    async text => {
      await using bot = await kiki()
      await play(bot, [HELLO, [20, 'alice', text]])
      expect(bot.posted).toHaveLength(1)
    },
  )

  test.each(["no, that's wrong", 'いや、そうじゃないです', 'undo it', '全部キャンセルして'])(
    'answers %s of its conversation partner',
    async text => {
      await using bot = await kiki()
      await play(bot, [HELLO, [20, 'alice', text]])
      expect(bot.sent).toHaveLength(2)
    },
  )

  test('does not interrupt two people who talk with each other', async () => {
    await using bot = await kiki()
    const lines = Array.from({ length: 40 }, (_, at): Line => [20, at % 2 ? 'bob' : 'alice', `line ${at} of ours, is it not?`])
    await play(bot, lines)
    expect(bot.posted).toEqual([])
  })

  test('does not take a flood of messages for the end of a silence', async () => {
    await using bot = await kiki()
    for (let line = 0; line < 60; line++) await bot.say(['bob', 'carol', 'dave'][line % 3] ?? '', 'did you see that?')
    await bot.pass('10s')
    expect(await bot.trace()).toMatchObject({ outcome: 'silent' })
    expect(reasons(await bot.trace())).not.toContain('asks after a silence')
  })

  test('is silent in a conversation in which it has said enough, and gives the reason', async () => {
    await using bot = await kiki()
    const asked = ['bob', 'carol', 'bob', 'carol'].map((author): Line => [20, author, '@kiki tell us more'])
    await play(bot, [...asked, [20, 'dave', 'does anybody know more?']])
    expect(bot.sent).toHaveLength(4)
    expect(reasons(await bot.trace())).toContain('the bot has said enough in this conversation')
  })

  test('limits its unasked messages within five minutes', async () => {
    await using bot = await kiki({ unasked: 2, threshold: 5, points: { talkative: 0, closing: 0 } })
    const people = ['alice', 'bob', 'carol', 'dave']
    await play(
      bot,
      people.map(author => [65, author, 'does anybody know a dentist?']),
    )
    expect(bot.sent).toHaveLength(2)
    expect(reasons(await bot.trace())).toContain('the bot has spoken unasked often enough')
  })

  test('assumes that its words were for the only person who spoke to it', async () => {
    const aside = definePlugin({
      name: 'aside',
      setup: () => ({
        respond: () => ({ kind: 'text', text: 'hello' }),
        address: ({ text }) => (text === 'psst' ? 'name' : undefined),
      }),
    })
    await using bot = await testBot({ plugins: [judgeRules(), aside] })
    await play(bot, [
      [0, 'alice', 'lovely day'],
      [10, 'bob', 'psst'],
      [10, 'bob', 'and then it rained'],
    ])
    expect(reasons(await bot.trace())?.some(why => /talk(s|ing) with this person|seems to talk/.test(why))).toBe(true)
  })
})

describe('with a judge', () => {
  const judge = definePlugin({
    name: 'judge',
    provides: [service('judge')],
    setup(ctx) {
      ctx.provide(service('judge'), { low: 20, high: 80 })
      return { decide: () => ({ kind: 'silent', why: 'the judge says no' }) }
    },
  })

  test('rules decide clear cases, the judge decides the others', async () => {
    await using bot = await testBot({ plugins: [judgeRules(), judge, answer] })
    await play(bot, [[0, 'bob', 'good day to you'], HELLO, [400, 'carol', 'so that was it'], [20, 'alice', '@bob is it?']])
    expect((await bot.traces()).map(({ decision }) => decision?.plugin)).toEqual(['judge-rules', 'judge', 'judge-rules'])
  })
})

describe('what is no nod gets words', () => {
  const offering = (offer: string) =>
    definePlugin({
      name: 'offering',
      setup: () => ({
        respond: ({ message }, { kind }) =>
          kind === 'react'
            ? { kind: 'reaction', emoji: '👀' }
            : { kind: 'text', text: message.text.includes('broken') || message.text.includes('壊れ') ? offer : 'On it.' },
      }),
    })()

  test.each([
    ['Should I open a ticket? I have the log.', '@kiki it is broken', '@kiki yes'],
    ['I could open a ticket.', '@kiki it is broken', '@kiki ok'],
    ['チケットを作りましょうか。', '@kiki 壊れています', '@kiki はい'],
    ['チケットを作りましょうか。ログはあります。', '@kiki 壊れています', 'キキ、お願い'],
    ['It is broken indeed.', '@kiki it is broken', '@kiki cancel everything'],
    ['It is broken indeed.', '@kiki it is broken', '@kiki no'],
    ['確かに壊れています。', '@kiki 壊れています', '@kiki それは誤解です'],
  ])('“%s” … %s … %s', async (offer, before, answer) => {
    await using bot = await testBot({
      persona: { name: 'kiki', names: ['キキ'] },
      plugins: [addressing(), judgeRules(), offering(offer)],
    })
    await bot.say('alice', before)
    await bot.pass('20s')
    await bot.say('alice', answer)
    expect(bot.sent).toEqual([offer, 'On it.'])
  })

  test.each([
    ['The train leaves at ten.', '@kiki thanks!'],
    ['The train leaves at ten.', '@kiki ok'],
    ['The train leaves at ten.', 'gotcha kiki'],
  ])('“%s” … %s: a nod is enough', async (said, answer) => {
    await using bot = await testBot({
      persona: { name: 'kiki', names: ['キキ'] },
      plugins: [addressing(), judgeRules(), offering(said)],
    })
    await bot.say('alice', '@kiki it is broken')
    await bot.pass('20s')
    await bot.say('alice', answer)
    expect(bot.posted.map(({ kind }) => kind)).toEqual(['text', 'reaction'])
  })
})
