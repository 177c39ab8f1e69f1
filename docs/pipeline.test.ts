import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEADLINES } from '../core/kernel/pipeline/pipeline.ts'

test('pipeline.md names every stage with its deadline', () => {
  const text = readFileSync(new URL('./pipeline.md', import.meta.url), 'utf8')
  const rows = Array.from(text.matchAll(/^\| (\w+) \|.*\| (\d+) s \|$/gm), ([, stage = '', seconds]) => [
    stage,
    Number(seconds) * 1_000,
  ])
  expect(Object.fromEntries(rows)).toEqual(DEADLINES)
})
