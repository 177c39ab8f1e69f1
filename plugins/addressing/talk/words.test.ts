import { describe, expect, test } from 'vitest'
import { saysOneOf } from './words.ts'

const isCalled = saysOneOf(['kiki', 'キキ', '聞き耳', 'Mr. Ears', ' '])

describe('contains the name', () => {
  test.each([
    'kiki',
    'Kiki, are you there?',
    'hey KIKI!',
    'what do you think, kiki?',
    'kikiさん、どう思う？',
    'ねえkiki',
    'ｋｉｋｉ、いる？',
    'kiki-chan',
    'kiki: hello',
    '@kiki hello',
    '(kiki)',
    '**kiki** please',
    'kiki。お願い',
    'is this right,\nkiki',
    'キキさん、いる？',
    'ねえキキ',
    'キキー！',
    'ｷｷ、起きて',
    'キキ、キキララって知ってる？',
    'あの聞き耳さん',
    'Thanks mr. ears!',
    'いいね~~~ キキは？',
    '`code` kiki',
    '> what they said\nkiki, is that so?',
    '```\ncode\n```\nkiki, does it work?',
  ])('%j', text => {
    expect(isCalled(text)).toBe(true)
  })
})

describe('does not contain the name', () => {
  test.each([
    '',
    'hello',
    'kikimimi is a word',
    'wikiki',
    'kiki2 is another account',
    'kiki_bot',
    'kikí',
    'キキララのグッズ',
    'ドキキ',
    'キキーモラは妖精',
    '`kiki`',
    '``kiki ` kiki``',
    '```\nkiki\n```',
    'so ```kiki``` it is',
    '```\nkiki, in a fence that nobody closed',
    '~~~\nkiki\n~~~',
    '> kiki, are you there?',
    '>kiki',
    '  > kiki',
    '>>> a long quote\nkiki said so',
    'see https://example.com/kiki',
    'write to kiki@example.com',
    'open kiki.ts',
    'it is in #kiki',
    'ki ki',
  ])('%j', text => {
    expect(isCalled(text)).toBe(false)
  })
})

test('without names no text matches', () => {
  expect(saysOneOf([])('kiki')).toBe(false)
})

test('keywords follow the same rules', () => {
  const hasKeyword = saysOneOf(['Rust', '自作キーボード', 'c++', 'кот'])
  expect(['RUSTで書いた', '自作キーボードを作った', 'I like C++.', 'мой кот спит'].map(hasKeyword)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(['trusty', 'キーボード', 'который'].map(hasKeyword)).toEqual([false, false, false])
})

test.each([
  ['Japanese without a space', 'あ'.repeat(40_000)],
  ['one word', 'a'.repeat(40_000)],
  ['the name over and over', 'kiki'.repeat(10_000)],
  ['backticks', '`'.repeat(40_001)],
  ['at signs', 'a@'.repeat(20_000)],
  ['quoted lines', '>\n'.repeat(20_000)],
])('%s, at maximum length, takes no long time', (_name, text) => {
  expect(isCalled(text)).toBe(false)
})
