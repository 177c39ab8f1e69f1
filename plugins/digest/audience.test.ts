import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

test('in 1,000 random rounds no answer tells what one of its readers may not read', async () => {
  const { leaks, asked, told, elsewhere } = await audienceRounds({ rounds: 1_000, seed: 1 })
  expect(leaks).toEqual([])
  expect(Math.min(asked, told, elsewhere)).toBeGreaterThan(100)
})
