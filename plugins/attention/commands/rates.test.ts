import { expect, it } from 'vitest'
import { difference, wilson } from './rates.ts'

it('a share has the interval of Wilson', () => {
  const { share, low, high } = wilson(81, 263)
  expect([share, low, high].map(value => value.toFixed(4))).toEqual(['0.3080', '0.2553', '0.3662'])
  expect(wilson(0, 0)).toEqual({ share: 0, low: 0, high: 1 })
  expect(wilson(5, 5).high).toBe(1)
})

// Newcombe 1998, table II, example (a): 56 of 70 and 48 of 80.
it('a difference has the interval of Newcombe', () => {
  const { low, high } = difference(wilson(56, 70), wilson(48, 80))
  expect([low, high].map(value => value.toFixed(4))).toEqual(['0.0524', '0.3339'])
})
