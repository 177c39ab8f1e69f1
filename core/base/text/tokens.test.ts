import { describe, expect, test } from 'vitest'
import { estimateTokens } from './tokens.ts'

describe('estimateTokens', () => {
  test('an empty text has no tokens', () => {
    expect(estimateTokens('')).toBe(0)
  })

  test('four characters of Latin script are a token', () => {
    expect(estimateTokens('Where is the station?')).toBe(6)
    expect(estimateTokens('café')).toBe(1)
  })

  test('each character of Japanese, Chinese and Korean is a token', () => {
    expect(estimateTokens('昨日ラーメンを食べた。')).toBe(11)
    expect(estimateTokens('안녕하세요')).toBe(5)
    expect(estimateTokens('𠮷野家')).toBe(3)
  })

  test('mixed text adds up, rounded up', () => {
    expect(estimateTokens('Node 24 で動く')).toBe(2 + 3)
  })

  test('an emoji and other scripts count two characters a token', () => {
    expect(estimateTokens('👍')).toBe(1)
    expect(estimateTokens('привет')).toBe(3)
  })

  test('a megabyte is estimated quickly', () => {
    expect(estimateTokens('あ'.repeat(1_000_000))).toBe(1_000_000)
  })
})
