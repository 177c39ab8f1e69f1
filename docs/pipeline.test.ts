import { readFileSync } from 'node:fs'
import { STAGES } from 'kikimimi/host'
import { expect, test } from 'vitest'

const COMBINES = { first: 'in order', all: 'all at once' }

test('the table of pipeline.md has the rule of every stage', () => {
  const text = readFileSync(new URL('./pipeline.md', import.meta.url), 'utf8')
  const rows = Array.from(
    text.matchAll(/^\| (\w+) \| (in order|all at once)\b.*? \| (.*) \| (\d+) s \|$/gm),
    ([, stage, combine, onError, seconds]) => ({
      stage,
      combine,
      onError,
      deadlineMs: Number(seconds) * 1_000,
    }),
  )
  expect(rows).toEqual(
    Object.entries(STAGES).map(([stage, { combine, onError, deadlineMs }]) => ({
      stage,
      combine: COMBINES[combine],
      onError,
      deadlineMs,
    })),
  )
})
