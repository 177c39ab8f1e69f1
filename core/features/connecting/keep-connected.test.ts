import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { VirtualClock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { silentLog } from '../../testing/test-log.ts'
import { keepConnected } from './keep-connected.ts'

let clock: VirtualClock
let scope: AsyncDisposableStack
let stopping: AbortController
let failed: Error[]
let attempts: number[]

beforeEach(() => {
  clock = new VirtualClock()
  scope = new AsyncDisposableStack()
  stopping = new AbortController()
  failed = []
  attempts = []
})

const pass = (seconds: number) => clock.advance(clock.now() + seconds * 1_000, { settle: () => setImmediate() })

/** Connects by what `attempt` does. The times of the attempts are in `attempts`, in seconds since the beginning. */
function connect(attempt: (connected: () => void, signal: AbortSignal) => Promise<void>) {
  const begun = clock.now()
  const ctx = { clock, log: silentLog, fail: (error: Error) => void failed.push(error), scope }
  const { start, unready } = keepConnected(ctx, (connected, signal) => {
    attempts.push((clock.now() - begun) / 1_000)
    return attempt(connected, signal)
  })
  return { tried: start(stopping.signal), unready }
}

const refuse = (error: Error) => async () => {
  throw error
}

test('pauses grow up to a minute', async () => {
  const connection = connect(refuse(new Error('connection refused')))
  await connection.tried
  expect(connection.unready()).toBe('connection refused')
  await pass(200)
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
})

test('a pause begins anew after a connection, and is as long as the other side asks', async () => {
  const lost = Promise.withResolvers<void>()
  const connection = connect(async connected => {
    if (attempts.length < 3) throw new KikimimiError('PLATFORM_REFUSED', 'slow down', { retryAfterMs: 10_000 })
    connected()
    await lost.promise
  })
  await pass(25)
  expect(attempts).toEqual([0, 10, 20])
  expect(connection.unready()).toBeUndefined()
  lost.resolve()
  await pass(1)
  expect(attempts).toHaveLength(4)
})

test('an account that is lost ends the bot, without another attempt', async () => {
  const error = new KikimimiError('PLATFORM_LOST', 'the token was revoked')
  connect(refuse(error))
  await pass(200)
  expect([failed, attempts]).toEqual([[error], [0]])
})

test('the scope of the plugin ends an attempt, and waits for it', async () => {
  const ended: string[] = []
  connect(async (connected, signal) => {
    connected()
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    await setImmediate()
    ended.push('said goodbye')
  })
  await scope.disposeAsync()
  await pass(200)
  expect([ended, attempts]).toEqual([['said goodbye'], [0]])
})
