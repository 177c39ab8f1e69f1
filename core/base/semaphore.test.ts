import { describe, expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

describe('semaphore', () => {
  test('runs at most its size at once, in the order of arrival', async () => {
    const semaphore = createSemaphore(2)
    const started: number[] = []
    const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>())
    const runs = gates.map((gate, at) =>
      semaphore.run(async () => {
        started.push(at)
        await gate.promise
        return at
      }),
    )
    await settled()
    expect(started).toEqual([0, 1])
    gates[1]?.resolve()
    await runs[1]
    await settled()
    expect(started).toEqual([0, 1, 2])
    for (const gate of gates) gate.resolve()
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3])
    expect(started).toEqual([0, 1, 2, 3])
  })

  test('a failure frees a place for the next', async () => {
    const semaphore = createSemaphore(1)
    const failing = semaphore.run(() => Promise.reject(new Error('no')))
    const next = semaphore.run(async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
  })

  test('an abort while waiting leaves the queue', async () => {
    const semaphore = createSemaphore(1)
    const gate = Promise.withResolvers<void>()
    const first = semaphore.run(() => gate.promise)
    const leaving = new AbortController()
    let ran = false
    const left = semaphore.run(async () => {
      ran = true
    }, leaving.signal)
    const last = semaphore.run(async () => 'last')
    leaving.abort(new Error('no longer wanted'))
    await expect(left).rejects.toThrow('no longer wanted')
    gate.resolve()
    await first
    expect(await last).toBe('last')
    expect(ran).toBe(false)
  })

  test('an aborted call does not start', async () => {
    const semaphore = createSemaphore(1)
    await expect(semaphore.run(async () => 'ran', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(await semaphore.run(async () => 'free')).toBe('free')
  })

  test('an abort after the start keeps the place until the run ends', async () => {
    const semaphore = createSemaphore(1)
    const gate = Promise.withResolvers<void>()
    const controller = new AbortController()
    const first = semaphore.run(() => gate.promise, controller.signal)
    let started = false
    const second = semaphore.run(async () => {
      started = true
    })
    controller.abort()
    await settled()
    expect(started).toBe(false)
    gate.resolve()
    await Promise.all([first, second])
  })
})

/** Lets all waiting promises continue. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}
