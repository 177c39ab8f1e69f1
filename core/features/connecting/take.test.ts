import { expect, test } from 'vitest'
import { KikimimiError } from '../../base/errors.ts'
import { silentLog } from '../../testing/test-log.ts'
import { orderIn, takeEvent } from './take.ts'

const taking = (error: Error) =>
  takeEvent({ log: silentLog }, async () => {
    throw error
  })

test.each([
  ['without a database', new KikimimiError('DATABASE_UNREACHABLE', 'no database')],
  ['at a rate limit', new KikimimiError('PLATFORM_REFUSED', 'slow down', { retryAfterMs: 1_000 })],
  ['without a network', new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })],
  ['because the server hangs up', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['in time', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ['before the connection ends', new DOMException('This operation was aborted', 'AbortError')],
])('an event that cannot be taken %s must come again', async (_when, error) => {
  await expect(taking(error)).rejects.toBe(error)
})

test.each([
  ['makes no sense', new KikimimiError('MESSAGE_INVALID', 'text: expected a string')],
  ['the platform refuses', new KikimimiError('PLATFORM_REFUSED', 'no such channel')],
  ['meets a mistake of the platform', new TypeError('x is not a function')],
])('an event that %s is left out', async (_what, error) => {
  await expect(taking(error)).resolves.toBeUndefined()
})

test.each([
  ['!kiki status', 'status'],
  ['!Kiki  quiet 1h ', 'quiet 1h'],
  ['!kiki', ''],
  ['!kikimimi status', undefined],
  ['kiki status', undefined],
])('%j is the order %j', (text, order) => {
  expect(orderIn({ name: 'kiki' }, text)).toBe(order)
})
