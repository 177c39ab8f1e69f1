import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { holdBudget, LIMIT } from './test-budget.ts'
import { endChildren } from './test-children.ts'

test('a database test above its limit fails, unless the machine is slow', () => {
  const more = LIMIT + 2.26
  expect(() => holdBudget(more, () => 1)).toThrow('This database test takes 22.3 s of processor time, and may take 20 s.')
  expect(() => holdBudget(more, () => 0.5)).toThrow('takes 22.3 s')
  expect(() => holdBudget(more, () => 2)).not.toThrow()
  expect(() => holdBudget(LIMIT)).not.toThrow()
  expect(() => holdBudget(10_000)).toThrow(/takes \d+\.\d s/)
})

test.runIf(process.platform === 'linux')('a process that a test file has forgotten is named and ended', async () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  expect(await endChildren()).toEqual(['sleep 1000'])
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await endChildren()).toEqual([])
})
