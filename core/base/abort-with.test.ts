import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { abortWith } from './abort-with.ts'

test('a controller is aborted with the first of several signals, and keeps its reason', () => {
  const [controller, one, other] = [new AbortController(), new AbortController(), new AbortController()]
  using _ = abortWith(controller, [one.signal, other.signal])
  expect(controller.signal.aborted).toBe(false)
  other.abort('second')
  one.abort('first')
  expect(controller.signal.reason).toBe('second')
})

test('a signal that is aborted already aborts at once', () => {
  const controller = new AbortController()
  using _ = abortWith(controller, [AbortSignal.abort('before')])
  expect(controller.signal.reason).toBe('before')
})

test('afterwards the signals are free', () => {
  const [controller, one] = [new AbortController(), new AbortController()]
  abortWith(controller, [one.signal])[Symbol.dispose]()
  one.abort()
  expect(controller.signal.aborted).toBe(false)
  expect(getEventListeners(one.signal, 'abort')).toEqual([])
})
