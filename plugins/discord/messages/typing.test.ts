import { setImmediate } from 'node:timers/promises'
import { VirtualClock } from 'kikimimi/testing'
import { beforeEach, expect, test } from 'vitest'
import { keepTyping } from './typing.ts'

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

test('typing is renewed before Discord hides it, until it ends', async () => {
  const end = keepTyping(clock, show, calling.signal)
  await pass(25)
  expect(shown).toBe(4)
  end()
  await pass(60)
  expect(shown).toBe(4)
})

test('typing ends when the turn is cancelled', async () => {
  keepTyping(clock, show, calling.signal)
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
  keepTyping(clock, refuse, calling.signal)
  await pass(60)
  expect(shown).toBe(1)
})
