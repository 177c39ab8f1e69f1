import { expect, test } from 'vitest'
import { differenceOf, shareOf } from './figures.ts'

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const pairs = (both: number, won: number, lost: number, neither: number) =>
  differenceOf([
    ...times(both, [true, true] as const),
    ...times(won, [false, true] as const),
    ...times(lost, [true, false] as const),
    ...times(neither, [false, false] as const),
  ])

test('a share has the interval of Wilson', () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I: 81 of 263.
  expect(shareOf([...times(81, true), ...times(182, false)])).toMatchObject({
    ...{ n: 263, passed: 81 },
    low: expect.closeTo(0.2553, 4),
    high: expect.closeTo(0.3662, 4),
  })
  expect(shareOf(times(10, true))).toMatchObject({ value: 1, low: expect.closeTo(0.7225, 4), high: expect.closeTo(1, 10) })
  expect(shareOf([])).toEqual({ n: 0, passed: 0, value: 0, low: 0, high: 1 })
})

test('a sample of few cases is narrower, and one of all cases is a point', () => {
  const results = [...times(6, true), ...times(4, false)]
  const [of12, of10000] = [shareOf(results, 12), shareOf(results, 10_000)]
  const all = shareOf(results)
  expect(shareOf(results, 10)).toEqual({ n: 10, passed: 6, value: 0.6, low: 0.6, high: 0.6 })
  expect(of12.high - of12.low).toBeLessThan(0.6 * (of10000.high - of10000.low))
  expect([of10000.low, of10000.high]).toEqual([expect.closeTo(all.low, 3), expect.closeTo(all.high, 3)])
})

test('a difference has the interval of Newcombe for pairs', () => {
  // Newcombe (1998), "Improved confidence intervals for the difference … based on paired data", method 10: 36, 12, 2, 0.
  expect(pairs(36, 12, 2, 0)).toEqual({
    ...{ n: 50, won: 12, lost: 2, value: 0.2 },
    low: expect.closeTo(0.0569, 4),
    high: expect.closeTo(0.3404, 4),
  })
})

test('the interval of two equal configurations is narrower with more cases, and never a point', () => {
  const [few, many] = [pairs(8, 0, 0, 2), pairs(80, 0, 0, 20)]
  for (const { value, low, high } of [few, many]) {
    expect(value).toBe(0)
    expect(low).toBeLessThan(0)
    expect(high).toBeGreaterThan(0)
  }
  expect(many.high - many.low).toBeLessThan(few.high - few.low)
  expect(differenceOf([])).toEqual({ n: 0, won: 0, lost: 0, value: 0, low: -1, high: 1 })
})

test('the order of the configurations turns the sign, and nothing else', () => {
  const [one, other] = [pairs(20, 9, 3, 8), pairs(20, 3, 9, 8)]
  expect([other.value, other.low, other.high]).toEqual([-one.value, expect.closeTo(-one.high, 10), expect.closeTo(-one.low, 10)])
})
