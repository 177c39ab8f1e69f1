import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

// More rounds: DIGEST_ROUNDS=20000 npm test -- plugins/digest/audience --testTimeout=0
const { DIGEST_ROUNDS: rounds = '1000', DIGEST_SEED: seed = '1' } = process.env

test('in random rounds no answer tells what one of its readers may not read', async () => {
  const { leaks, ...counts } = await audienceRounds({ rounds: Number(rounds), seed: Number(seed) })
  expect(leaks).toEqual([])
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(Number(rounds) / 10)
})

test('the rounds find a platform that takes everybody for a member', async () => {
  const { leaks } = await audienceRounds({ rounds: 300, seed: Number(seed), trusting: true })
  expect(leaks.length).toBeGreaterThan(0)
})
