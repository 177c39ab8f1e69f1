import { setImmediate } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { VirtualClock } from '../../base/clock.ts'
import { keepTyping } from './keep-typing.ts'

let clock: VirtualClock
let shown: number
let calling: AbortController

beforeEach(() => {
  clock = new VirtualClock()
  shown = 0
  calling = new AbortController()
})

const show = async () => void shown++
const pass = (seconds: number) => clock.advance(clock.now() + seconds * 1_000, { settle: () => setImmediate() })

test('typing is renewed before the platform hides it, until it ends', async () => {
  const end = keepTyping(clock, 8_000, show, calling.signal)
  await pass(25)
  expect(shown).toBe(4)
  end()
  await pass(60)
  expect(shown).toBe(4)
})

test('typing ends when the turn is cancelled', async () => {
  keepTyping(clock, 8_000, show, calling.signal)
  await pass(9)
  calling.abort()
  await pass(60)
  expect(shown).toBe(2)
})

test('after an error, typing is not tried again', async () => {
  const refuse = async () => {
    shown++
    throw new Error('Missing Access')
  }
  keepTyping(clock, 8_000, refuse, calling.signal)
  await pass(60)
  expect(shown).toBe(1)
})
