import { DiscordAPIError } from 'discord.js'
import { VirtualClock } from 'kikimimi/testing'
import { beforeEach, expect, test } from 'vitest'
import { type Closed, createClosed } from './closed-channels.ts'
import { isClosed } from './errors.ts'

let clock: VirtualClock
let closed: Closed

beforeEach(() => {
  clock = new VirtualClock()
  closed = createClosed(clock, isClosed)
})

/** A refused call. */
async function refuse(channel: string, code = 50001): Promise<void> {
  const cause = new DiscordAPIError({ code, message: 'no' }, code, 403, 'POST', '/', { body: undefined, files: undefined })
  const run = () => Promise.reject(new Error('refused', { cause }))
  await expect(closed.watch(channel, run)).rejects.toThrow('refused')
}
const pass = (ms: number) => clock.advance(clock.now() + ms, { settle: async () => {} })

test('a refused channel is tried again after ten minutes', async () => {
  await refuse('general')
  await pass(10 * 60_000 - 1)
  expect(closed.has('general')).toBe(true)
  expect(() => closed.check('general')).toThrow('refused')
  await pass(1)
  expect(closed.has('general')).toBe(false)
  expect(() => closed.check('general')).not.toThrow()
})

test('or after a successful call or a change of permissions', async () => {
  await refuse('general')
  await refuse('dev')
  await closed.watch('general', async () => {})
  expect(['general', 'dev'].map(closed.has)).toEqual([false, true])
  closed.forget()
  expect(closed.has('dev')).toBe(false)
})

test('other errors do not close a channel', async () => {
  await refuse('general', 50035)
  expect(closed.has('general')).toBe(false)
})

test('at most a thousand are kept; the oldest are dropped', async () => {
  for (let channel = 0; channel < 1_000; channel++) await refuse(`${channel}`)
  await refuse('0')
  await refuse('one more')
  expect(['0', '1', '2', 'one more'].map(closed.has)).toEqual([true, false, true, true])
})
