import { testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { audienceRounds } from './test-audience.ts'

const { rounds, seed } = testRounds({ few: 200, all: 20_000 })

test('in random rounds no answer tells what one of its readers may not read', async () => {
  const { leaks, ...counts } = await audienceRounds({ rounds, seed })
  expect(leaks).toEqual([])
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(rounds / 10)
})

test('the rounds find a platform that takes everybody for a member', async () => {
  const { leaks } = await audienceRounds({ rounds: 100, seed, trusting: true })
  expect(leaks.length).toBeGreaterThan(0)
})
