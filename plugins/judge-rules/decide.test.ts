import type { Message, TotalScore, Turn } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { type Bounds, decide, type Seen } from './decide.ts'
import judgeRules from './index.ts'

type Given = Partial<Bounds & Seen & { readonly judge: typeof judge }>

// 90 points are 90 %.
const judge = { low: 20, high: 80, probability: (points: number) => points / 100 }

const BOUNDS = {
  threshold: 60,
  diversity: false,
  engaged: false,
  nods: false,
  judge: undefined,
}

describe('the decision', () => {
  const question = [said('is it?')]
  const statement = [said('it is')]
  const diverse = { diversity: true, threshold: 40 }

  test.each<[string, Message[], number, Given, string | undefined]>([
    ['addressed: always an answer', [said('kiki', { addressed: 'name' })], 0, {}, 'full'],
    ['addressed only to take note: a nod', [said('kiki, ok', { addressed: 'name' })], 80, { nods: true }, 'react'],
    ['below the threshold: silence', question, 59, {}, 'silent'],
    ['from the threshold on: an answer', statement, 60, {}, 'full'],
    ['a lower bound for reactions', statement, 30, { reactFrom: 30 }, 'react'],
    ['below that bound: silence', statement, 29, { reactFrom: 30 }, 'silent'],
    ['diverse, a low score: a reaction', statement, 59, diverse, 'react'],
    ['diverse, a middling score: a short phrase', statement, 79, diverse, 'ack'],
    ['diverse, in the conversation: an answer', statement, 60, { ...diverse, engaged: true }, 'full'],
    ['diverse, a question: an answer', question, 45, diverse, 'full'],
    ['diverse, a high score: an answer', statement, 80, diverse, 'full'],
    ['diverse, below the threshold: silence', statement, 39, diverse, 'silent'],
    ['up to the low bound of a judge: silence', statement, 20, { judge }, 'silent'],
    ['within the band of a judge: nothing, the judge decides', statement, 21, { judge }, undefined],
    ['and above the threshold too', statement, 79, { judge }, undefined],
    ['from the high bound on, while the answer is not sure: the judge decides', statement, 89, { judge }, undefined],
    ['from the high bound on, where it is: an answer', statement, 90, { judge }, 'full'],
    ['below the high bound, where it is: the judge decides', statement, 95, { judge: { ...judge, high: 96 } }, undefined],
    ['addressed, within the band: an answer', [said('kiki', { addressed: 'name' })], 50, { judge }, 'full'],
  ])('%s', (_name, messages, points, given, kind) => {
    expect(decide(turnOf(messages), score(points), { ...BOUNDS, ...given })?.kind).toBe(kind)
  })

  test('the reason names the rules and the threshold', () => {
    const why = (total: TotalScore, given: Given = {}) => decide(turnOf(question), total, { ...BOUNDS, ...given })?.why
    expect(why(score(20, 20))).toBe('asks a question 20 · below 60')
    expect(why(score(20, 20), { judge })).toBe('asks a question 20 · not above 20')
    expect(why(score(60, 60))).toBe('asks a question 60 · reaches 60')
    expect(why(score(0))).toBe('no rule applies · below 60')
  })

  test('a score outside the range is shown with its limited value', () => {
    const why = (total: TotalScore) => decide(turnOf(question), total, BOUNDS)?.why
    expect(why(score(100, 250))).toBe('asks a question 250 · 250 counts as 100 · reaches 60')
    expect(why(score(0, -30))).toBe('asks a question -30 · -30 counts as 0 · below 60')
  })

  test('the reason of an answer to a mention names the mention', () => {
    expect(decide(turnOf([said('kiki', { addressed: 'name' })]), score(80), BOUNDS)?.why).toBe('calls the bot by name')
  })
})

/** @param part points of the only rule that applies; absent: no rule */
function score(points: number, part?: number): TotalScore {
  return {
    points,
    parts: part === undefined ? [] : [{ plugin: 'judge-rules', points: part, why: 'asks a question' }],
  }
}

function turnOf(messages: Message[]): Turn {
  const message = messages.findLast(({ addressed }) => addressed) ?? messages.at(-1) ?? said('')
  return {
    id: '1',
    conversation: {
      id: 'terminal//general',
      platform: 'terminal',
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
    persona: { name: 'kiki', names: ['kiki'], prompt: '', timeZone: 'UTC' },
    added: [],
    sources: [],
    takeAdditions: async () => [],
    signal: new AbortController().signal,
  }
}

test('a channel can have its own threshold, words and points', async () => {
  const own = { threshold: 10, keywords: ['tea'], points: { keyword: 50 } }
  await using bot = await testBot({ plugins: [judgeRules({ keywords: ['rust'] }, { channels: { kitchen: own } })] })
  for (const channel of ['kitchen', 'general']) {
    await bot.say('alice', 'tea', { channel })
    await bot.pass('30s')
  }
  const [kitchen, general] = (await bot.traces()).map(({ score, decision }) => [score?.points, decision?.kind])
  expect(kitchen).toEqual([expect.any(Number), 'full'])
  expect(kitchen?.[0]).toBeGreaterThanOrEqual(50)
  expect(general).toEqual([0, 'silent'])
})

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
