import { testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

const { rounds, seed } = testRounds({ few: 100, all: 5_000 })

test('in random rounds no answer and no prompt tells what one of its readers may not read', async () => {
  const { leaks, ...counts } = await audienceRounds({ rounds, seed })
  expect(leaks).toEqual([])
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(rounds / 10)
})
