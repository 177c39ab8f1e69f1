import { readFileSync } from 'node:fs'
import { STAGES } from 'kikimimi/host'
import { expect, test } from 'vitest'

test('pipeline.md names every stage with its deadline', () => {
  const text = readFileSync(new URL('./pipeline.md', import.meta.url), 'utf8')
  const rows = Array.from(text.matchAll(/^\| (\w+) \|.*\| (\d+) s \|$/gm), ([, stage = '', seconds]) => [
    stage,
    Number(seconds) * 1_000,
  ])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(STAGES).map(([stage, rule]) => [stage, rule.deadlineMs])),
  )
})
