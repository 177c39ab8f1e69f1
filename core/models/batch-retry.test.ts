import { expect, test } from 'vitest'
import { KikimimiError } from '../base/errors.ts'
import { createFailureTracker, modelFailure, retryAt } from './batch-retry.ts'

test('it is tried again after one minute, two, four, at most sixty', () => {
  const now = new Date('2026-01-05T10:00:00Z')
  const minutes = [0, 1, 2, 3, 5, 6, 7, 5_000].map(failures => (retryAt(failures, now).getTime() - now.getTime()) / 60_000)
  expect(minutes).toEqual([1, 2, 4, 8, 32, 60, 60, 60])
})

test('an unavailable model or a spent budget does not count against the batch, a refusal does', () => {
  const blame = createFailureTracker()
  for (const code of ['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'MODEL_BREAKER_OPEN', 'MODEL_BUDGET_SPENT'] as const)
    expect(blame.refused(code)).toBe(false)
  for (const code of ['MODEL_REFUSED', 'MODEL_EMPTY', 'MODEL_UNREADABLE'] as const) expect(blame.refused(code)).toBe(true)
})

test('four refusals in a row do not count against a batch, until a call succeeds', () => {
  const blame = createFailureTracker()
  expect(Array.from({ length: 6 }, () => blame.refused('MODEL_REFUSED'))).toEqual([true, true, true, true, false, false])
  blame.worked()
  expect(blame.refused('MODEL_REFUSED')).toBe(true)
})

test('an error that is no failure of a model is thrown', () => {
  expect(modelFailure(new KikimimiError('MODEL_TIMEOUT', 'too late'))).toBe('MODEL_TIMEOUT')
  const other = new KikimimiError('IN_TRANSACTION', 'not here')
  expect(() => modelFailure(other)).toThrow(other)
  expect(() => modelFailure('oops')).toThrow('oops')
})
