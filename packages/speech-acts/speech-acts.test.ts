import { describe, expect, test } from 'vitest'
import { ACTS, probabilityOf, speechActOf } from './index.ts'

const NAMES = { names: ['kiki', 'キキ', 'きき', '陸'], people: ['bob', '田中'] }

describe('an act of a short message', () => {
  test.each([
    ['nod', '承知いたしました'],
    ['nod', 'got it, will do'],
    ['thanks', 'thx kiki!!'],
    ['thanks', 'あざっす！助かりました'],
    ['goodbye', 'gotta run, see you tomorrow'],
    ['goodbye', 'お先に失礼します'],
    ['retraction', 'nvm figured it out'],
    ['retraction', 'やっぱりいいです'],
    ['quiet', 'stop replying to everything'],
    ['quiet', 'キキ、しばらく黙ってて'],
    ['talk', 'you can talk again kiki'],
    ['talk', 'もう喋っていいよ'],
    ['heat', 'how dare you, liar'],
    ['heat', 'ふざけんなよ'],
    ['none', 'he told me to shut up yesterday'],
    ['none', '先生に静かにしろって怒られた'],
    ['none', 'how do i mute a channel?'],
  ] as const)('%s: %s', (act, text) => {
    const said = speechActOf(text, NAMES)
    expect(said.act).toBe(act)
    expect(said.probability).toBeGreaterThan(0.3)
    expect(said.probability).toBeLessThanOrEqual(1)
  })
})

describe('the line before decides', () => {
  test.each([
    ['answered', '3000円', { text: '会費いくらだっけ？', by: 'other' }],
    ['none', '3000円', { text: 'ご予算はいくらですか？', by: 'bot' }],
    ['answered', 'thursday 3pm', { text: 'when is the meeting?', by: 'other' }],
    ['retraction', '大丈夫です', { text: '詳しく説明しましょうか？', by: 'bot' }],
    ['none', 'はい', { text: '予約しておきますか？', by: 'bot' }],
    ['nod', 'うん', { text: '資料は共有フォルダにあります。', by: 'bot' }],
  ] as const)('%s: %s', (act, text, before) => expect(speechActOf(text, { ...NAMES, before }).act).toBe(act))
})

describe('the use of a name', () => {
  test.each([
    ['called', 'hey kiki, what time is it?'],
    ['called', 'キキ、これ教えて'],
    ['about', 'i asked kiki yesterday'],
    ['about', 'キキって便利だよね'],
    ['another', 'bob, can you restart kiki?'],
    ['another', '田中さん、キキに聞いてみて'],
    ['none', '大陸の話、聞いた？'],
    ['none', 'it rains'],
  ] as const)('%s: %s', (use, text) => expect(speechActOf(text, NAMES).name.is).toBe(use))
})

test('the words that decided are words of the message', () => {
  expect(speechActOf('thanks a lot', NAMES).words.join(' ')).toContain('thanks')
  expect(
    speechActOf('ありがとうございます', NAMES).words.every(word => 'ありがとうございます'.includes(word.replace(/[\^$]/g, ''))),
  ).toBe(true)
})

test.each([
  '',
  ' ',
  '```code```',
  '🤖',
  'w'.repeat(5_000),
  '静かに'.repeat(2_000),
  'kiki '.repeat(1_000),
  '\u0000',
  '>'.repeat(3_000),
])('no input is slow or breaks it: %#', { timeout: 20_000 }, text => {
  const { act, probability } = speechActOf(text, { ...NAMES, before: { text, by: 'other' } })
  expect(typeof act).toBe('string')
  expect(probability).toBeGreaterThan(0)
})

test('a message is classified once, and again after another line', () => {
  const first = speechActOf('うん', NAMES)
  expect(speechActOf('うん', NAMES)).toBe(first)
  expect(speechActOf('うん', { ...NAMES, before: { text: '会費はいくら？', by: 'other' } })).not.toBe(first)
})

test('the probabilities of all acts add up to one', () => {
  const act = speechActOf('ah, thanks!', NAMES)
  expect(probabilityOf(act, ACTS)).toBeCloseTo(1, 5)
  expect(probabilityOf(act, [act.act])).toBe(act.probability)
})
