import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

// More rounds: WORDS_ROUNDS=5000 npm test -- plugins/words/audience --testTimeout=0
const { WORDS_ROUNDS: rounds = '100', WORDS_SEED: seed = '1' } = process.env

test('in random rounds no answer and no prompt tells what one of its readers may not read', async () => {
  const { leaks, ...counts } = await audienceRounds({ rounds: Number(rounds), seed: Number(seed) })
  expect(leaks).toEqual([])
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(Number(rounds) / 10)
})
