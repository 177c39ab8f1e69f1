import { expect, test, vi } from 'vitest'
import { testRounds } from './rounds.ts'

const limits = { few: 2, all: 30 }

test('npm test plays few rounds with seed 1', () => {
  vi.stubEnv('TEST_ROUNDS', undefined)
  vi.stubEnv('TEST_SEED', undefined)
  expect(testRounds(limits)).toEqual({ rounds: 2, seed: 1 })
})

test('npm run test:long plays all, and the environment sets other numbers', () => {
  vi.stubEnv('TEST_ROUNDS', 'all')
  vi.stubEnv('TEST_SEED', '7')
  expect(testRounds(limits)).toEqual({ rounds: 30, seed: 7 })
  vi.stubEnv('TEST_ROUNDS', '500')
  expect(testRounds(limits)).toEqual({ rounds: 500, seed: 7 })
})

test.each(['', 'many', '-1', '1.5'])('"%s" rounds are refused', value => {
  vi.stubEnv('TEST_ROUNDS', value)
  expect(() => testRounds(limits)).toThrow(`TEST_ROUNDS: expected a whole number, got "${value}".`)
})
