import { describe, expect, test } from 'vitest'
import { kindOf, sameText, tokenId, tokensOf } from './tokens.ts'

const of = (text: string, kind: string) => tokensOf(text).flatMap(token => (token.kind === kind ? token.text : []))

describe('words', () => {
  test.each([
    ['サーバーの費用', ['サーバ', '費用']],
    ['ＦＦ１４やってる人', ['ff14']],
    ['それは、どういうことですか？', []],
    ['The releases were moved to Tuesday', ['releas', 'move', 'tuesdai']],
    ['what did you say about it?', []],
    ['ikd_ on PostgreSQL 17', ['ikd_', 'postgresql', '17']],
    ['k8sのクラスタ', ['k8s', 'クラスタ']],
    ['𠮷野家', ['𠮷', '野家']],
    ['', []],
  ])('%s', (text, words) => {
    expect(of(text, 'word')).toEqual(words)
  })

  test('stored texts and questions have the same tokens', () => {
    const shared = (one: string, other: string) => of(one, 'word').filter(word => of(other, 'word').includes(word))
    expect(shared('the deployment runs on Tuesdays', 'do deployments run on a tuesday?')).toEqual(['deploy', 'run', 'tuesdai'])
    expect(shared('サーバー', 'ｻｰﾊﾞ')).toEqual(['サーバ'])
  })
})

test('pairs are made where the dictionary has no word, and not of hiragana only', () => {
  expect(of('零式の固定は', 'pair')).toEqual(['零式', '式の', 'の固', '固定', '定は'])
  expect(of('そうですか', 'pair')).toEqual([])
  expect(of('hello', 'pair')).toEqual([])
})

test('a single kanji is a token of its own kind', () => {
  expect(of('猫', 'kanji')).toEqual(['猫'])
  expect(kindOf(tokenId({ text: '猫', kind: 'kanji' }))).toBe('kanji')
  expect(kindOf(tokenId({ text: '猫', kind: 'word' }))).toBe('word')
})

test('100,000 words have few equal ids', () => {
  const ids = new Set(Array.from({ length: 100_000 }, (_, at) => tokenId({ text: `w${at}`, kind: 'word' })))
  expect(ids.size).toBeGreaterThan(99_950)
})

test('two texts are the same if they differ only in form', () => {
  expect(sameText('Ｄｏｎｅ、 done!')).toBe('donedone')
  expect(sameText('猫が いる。')).toBe(sameText('猫がいる'))
  expect(sameText('猫がいる')).not.toBe(sameText('猫がいない'))
})
