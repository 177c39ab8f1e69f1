/** `npm run bench:personas` plays more messages, and gets the counts in a file. */
import { writeFileSync } from 'node:fs'
import { testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { crossings } from './crossings.ts'

const { PERSONAS_REPORT: report } = process.env
const { rounds: messages, seed } = testRounds({ few: 60, all: 2_000 })

test('no secret crosses from one persona to another, and without the rule secrets do', async () => {
  const apart = await crossings(seed, messages)
  const withoutRule = await crossings(seed, Math.min(messages, 100), false)
  if (report) writeFileSync(report, JSON.stringify({ apart, withoutRule }, undefined, 2))
  expect(apart.crossed).toEqual({ prompts: 0, answers: 0, facts: 0, summaries: 0 })
  for (const count of [apart.recalled, apart.answers, apart.facts, apart.summaries]) expect(count).toBeGreaterThan(2)
  for (const count of [withoutRule.crossed.prompts, withoutRule.crossed.answers]) expect(count).toBeGreaterThan(2)
})
