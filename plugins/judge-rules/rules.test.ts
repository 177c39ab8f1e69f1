import type { Message, TotalScore, Turn } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { type Bounds, decide } from './decide.ts'
import { RULES, type Sight } from './rules.ts'
import { saysOneOf } from './words.ts'

const MINUTE = 60_000

describe('which rules apply', () => {
  test.each<[string, Message[], Partial<Sight>, string[]]>([
    ['to idle talk none', [said('hello')], {}, []],
    ['to a question', [said('is it?')], {}, ['question']],
    ['to a question in the middle of a burst', [said('well'), said('is it?'), said('hmm')], {}, ['question']],
    ['to a question for somebody else none', [said('@bob is it?', { mentions: [{ id: 'bob', name: 'bob' }] })], {}, []],
    ['to a keyword, however often', [said('rust rust'), said('rust')], {}, ['keyword']],
    ['right after its reply', [said('ok')], { sinceReply: 20_000 }, ['engaged', 'cooldown']],
    ['after the cooldown', [said('ok')], { sinceReply: 2 * MINUTE }, ['engaged']],
    ['after the engagement', [said('ok')], { sinceReply: 5 * MINUTE }, []],
    ['to its name', [said('kiki?', { addressed: 'name' })], {}, ['name', 'question']],
    ['to a mention', [said('@kiki', { addressed: 'mention' })], {}, ['mention']],
    ['to a reply', [said('thanks', { addressed: 'reply' })], {}, ['reply']],
    ['to a direct message', [said('hello', { addressed: 'direct' })], {}, ['direct']],
  ])('%s', (_name, messages, sight, names) => {
    const seen = look(messages, sight)
    expect(RULES.filter(rule => rule.when(seen)).map(({ name }) => name)).toEqual(names)
  })
})

describe('what is decided', () => {
  const question = [said('is it?')]
  const statement = [said('it is')]
  const diverse = { diversity: true, threshold: 40 }

  test.each<[string, Message[], Partial<Sight>, number, Partial<Bounds>, string]>([
    ['addressed: always an answer', [said('kiki', { addressed: 'name' })], {}, 0, {}, 'full'],
    ['below the threshold: silence', question, {}, 59, {}, 'silent'],
    ['from the threshold on: an answer', statement, {}, 60, {}, 'full'],
    ['a lower bound for reactions', statement, {}, 30, { reactFrom: 30 }, 'react'],
    ['below that bound: silence', statement, {}, 29, { reactFrom: 30 }, 'silent'],
    ['diverse, a low score: a reaction', statement, {}, 59, diverse, 'react'],
    ['diverse, a middling score: a short phrase', statement, {}, 79, diverse, 'ack'],
    ['diverse, in the conversation: an answer', statement, { sinceReply: MINUTE }, 60, diverse, 'full'],
    ['diverse, a question: an answer', question, {}, 45, diverse, 'full'],
    ['diverse, a high score: an answer', statement, {}, 80, diverse, 'full'],
    ['diverse, below the threshold: silence', statement, {}, 39, diverse, 'silent'],
  ])('%s', (_name, messages, sight, points, bounds, kind) => {
    const seen = look(messages, sight)
    expect(decide(seen.turn, seen, score(points), { ...BOUNDS, ...bounds }).kind).toBe(kind)
  })

  test('the reason names the rules and the bound', () => {
    const seen = look(question, {})
    const why = (total: TotalScore) => decide(seen.turn, seen, total, BOUNDS).why
    expect(why({ points: 20, parts: [{ plugin: 'judge-rules', points: 20, why: 'asks a question' }] })).toBe(
      'asks a question 20 · below 60',
    )
    expect(why(score(0))).toBe('no rule applies · below 60')
    expect(why(score(60))).toBe('no rule applies · reaches 60')
  })

  test('an answer to who addressed it says how', () => {
    const seen = look([said('kiki', { addressed: 'name' })], {})
    expect(decide(seen.turn, seen, score(80), BOUNDS).why).toBe('calls the bot by name')
  })
})

const BOUNDS: Bounds = { threshold: 60, diversity: false, ackFrom: 60, fullFrom: 80 }

function score(points: number): TotalScore {
  return { points, parts: [] }
}

function look(messages: Message[], sight: Partial<Sight>): Sight {
  const message = messages.findLast(({ addressed }) => addressed) ?? messages.at(-1) ?? said('')
  const turn: Turn = {
    id: '1',
    conversation: {
      id: 'console//general',
      platform: 'console',
      workspace: '',
      channel: 'general',
      name: 'general',
      visibility: 'public',
    },
    messages,
    message,
    history: messages,
    ...(message.addressed && { addressed: message.addressed }),
    me: { id: 'kiki', name: 'kiki' },
    signal: new AbortController().signal,
  }
  return {
    turn,
    sinceReply: Number.POSITIVE_INFINITY,
    engagementMs: 5 * MINUTE,
    cooldownMs: 2 * MINUTE,
    hasKeyword: saysOneOf(['rust']),
    ...sight,
  }
}

function said(text: string, more: Partial<Message> = {}): Message {
  return {
    id: text,
    author: { id: 'alice', name: 'alice' },
    text,
    at: new Date(0),
    mentions: [],
    attachments: [],
    own: false,
    ...more,
  }
}
