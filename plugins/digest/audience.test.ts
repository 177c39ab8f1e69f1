import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

// More rounds: DIGEST_ROUNDS=20000 npm test -- plugins/digest/audience --testTimeout=0
const rounds = Number(process.env['DIGEST_ROUNDS'] ?? 1_000)
const seed = Number(process.env['DIGEST_SEED'] ?? 1)

test('in 1,000 random rounds no answer tells what one of its readers may not read', async () => {
  const { leaks, ...counts } = await audienceRounds({ rounds, seed })
  expect(leaks).toEqual([])
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(100)
})
