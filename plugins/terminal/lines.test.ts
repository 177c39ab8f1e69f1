import type { Trace } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { decisionLine, mentionsIn, parseJson, parseText, person, printable, reactionOn, speech } from './lines.ts'

describe('a line of text', () => {
  test.each([
    ['alice: hello', 'alice', 'hello'],
    ['  alice:  hello  ', 'alice', 'hello'],
    ['花子：こんにちは', '花子', 'こんにちは'],
    ['bob-2: a: b', 'bob-2', 'a: b'],
    ['hello', 'you', 'hello'],
    ['https://example.com', 'you', 'https://example.com'],
    ['see you at 10:30', 'you', 'see you at 10:30'],
    ['I think: yes', 'you', 'I think: yes'],
    ['alice:', 'you', 'alice:'],
    [': hello', 'you', ': hello'],
    ['{"author":"alice"}', 'you', '{"author":"alice"}'],
  ])('%j is said by %s', (line, author, text) => {
    expect(parseText(line, 'you')).toEqual({ author, text })
  })
})

describe('a line of JSON', () => {
  test('has author, text and more', () => {
    const line =
      '{"author":"alice","text":"hi","channel":"dev","thread":"t1","mentions":["bob"],"replyTo":"m1","id":"m2","at":"2026-01-31T12:00:00Z","bot":true,"more":1}'
    expect(parseJson(line)).toEqual({
      ...{ author: 'alice', text: 'hi', channel: 'dev', thread: 't1', mentions: ['bob'], replyTo: 'm1', id: 'm2', bot: true },
      at: new Date('2026-01-31T12:00:00Z'),
    })
  })

  test.each([
    ['{"author":"alice"', 'it is not valid JSON'],
    ['hello', 'it is not valid JSON'],
    ['[]', 'expected object'],
    ['{"author":" ","text":"hi"}', 'author: '],
    ['{"author":"alice"}', 'text: '],
    ['{"author":"alice","text":"hi","at":"soon"}', 'at: expected a time such as'],
    ['{"author":1,"text":2}', '; text: '],
  ])('%j is refused: %s', (line, why) => {
    expect(() => parseJson(line)).toThrow(why)
  })
})

describe('mentions', () => {
  const me = person('kiki')
  const mentions = (text: string) => mentionsIn(text, me, ['kiki', 'キキ', '聞き耳']).map(({ id }) => id)

  test.each<[string, string[]]>([
    ['@kiki hello', ['kiki']],
    ['hello @KIKI!', ['kiki']],
    ['＠ｋｉｋｉ、いる？', ['kiki']],
    ['ねえ@kikiさん', ['kiki']],
    ['@キキさん、いる？', ['kiki']],
    ['@聞き耳さん', ['kiki']],
    ['@alice and @Bob, @bob', ['alice', 'bob']],
    ['@kiki @alice', ['kiki', 'alice']],
    ['@kikimimi', ['kikimimi']],
    ['@キキララ', ['キキララ']],
    ['write to me@kiki', []],
    ['@everyone @here', []],
    ['kiki', []],
    ['@ kiki', []],
  ])('%j', (text, ids) => {
    expect(mentions(text)).toEqual(ids)
  })
})

test('names identify people, in any spelling', () => {
  expect(person('Ａlice').id).toBe(person('alice').id)
})

test('control characters of a terminal are removed', () => {
  expect(printable('\u001b[31mred\u001b]0;title\u0007 \u009b2J a\rb\n\tc \u202e!')).toBe('�[31mred�]0;title� �2J a�b\n\tc �!')
})

test('a message of the bot is one block under its name', () => {
  expect(speech('kiki', 'one\ntwo')).toBe('kiki: one\n  two')
  expect(reactionOn('👍', 'alice')).toBe("(👍 on alice's message)")
  expect(reactionOn('👍')).toBe('(👍)')
})

describe('the line about a decision', () => {
  const trace: Trace = {
    ...{ turn: '1', conversation: 'terminal//terminal', at: new Date(0), messages: ['m'], trigger: 'm' },
    ...{ sections: [], models: [], sent: [], problems: [], ms: {} },
    outcome: 'silent',
    score: { points: 20, parts: [] },
    decision: { kind: 'silent', why: 'asks a question 20 · below 60' },
  }

  test.each<[string, Partial<Trace>]>([
    ['silent · 20: asks a question 20 · below 60', {}],
    [
      'full · 100: mentioned',
      { outcome: 'replied', score: { points: 100, parts: [] }, decision: { kind: 'full', why: 'mentioned' } },
    ],
    [
      'silent · 20: asks a question 20 · below 60 · cancelled: a newer message arrived',
      { outcome: 'cancelled', why: 'a newer message arrived' },
    ],
    [
      'silent · 20: asks a question 20 · below 60 · reply failed to respond: no answer',
      { problems: [{ plugin: 'reply', stage: 'respond', message: 'no\nanswer' }] },
    ],
  ])('%s', (line, more) => {
    expect(decisionLine({ ...trace, ...more })).toBe(line)
  })
})
