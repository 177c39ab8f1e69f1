import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createPlaces, inBackground, inForeground } from './background.ts'

/** Calls that end when they are told to, with the order in which they began. */
function calls(size: number, limit?: Parameters<typeof createPlaces>[0]['limit']) {
  const places = createPlaces({ size, ...(limit && { limit }) })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const call = (name: string) =>
    places.limit(() => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      return promise
    })()
  const end = async (name: string) => {
    ends.get(name)?.()
    await setImmediate()
    await setImmediate()
  }
  return { begun, call, end }
}

describe('one place', () => {
  test('goes to work that people wait for, then to background work in the order of arrival', async () => {
    const { begun, call, end } = calls(1)
    const all = [
      call('first'),
      ...['talk 1', 'talk 2'].map(name => inBackground(() => call(name))),
      call('call 1'),
      call('call 2'),
    ]
    await setImmediate()
    for (const name of ['first', 'call 1', 'call 2', 'talk 1', 'talk 2']) await end(name)
    await Promise.all(all)
    expect(begun).toEqual(['first', 'call 1', 'call 2', 'talk 1', 'talk 2'])
  })

  test('is kept for the next call of the same work', async () => {
    const { begun, call, end } = calls(1)
    const talk = inBackground(() => call('talk'))
    const waiting = [call('call 1').then(() => call('call 2')), inBackground(() => call('more talk'))]
    await setImmediate()
    await end('talk')
    await end('call 1')
    expect(begun).toEqual(['talk', 'call 1', 'call 2'])
    await end('call 2')
    await end('more talk')
    await Promise.all([talk, ...waiting])
    expect(begun.at(-1)).toBe('more talk')
  })

  test('what background work starts for people is no background work', async () => {
    const { begun, call, end } = calls(1)
    const all = [call('first'), ...inBackground(() => [call('talk'), inForeground(() => call('call'))])]
    await setImmediate()
    for (const name of ['first', 'call', 'talk']) await end(name)
    await Promise.all(all)
    expect(begun).toEqual(['first', 'call', 'talk'])
  })
})

test('background work leaves a quarter of the places free', async () => {
  const { begun, call, end } = calls(4)
  const all = [...[1, 2, 3, 4].map(number => inBackground(() => call(`talk ${number}`))), call('call')]
  await setImmediate()
  expect(begun).toEqual(['talk 1', 'talk 2', 'talk 3', 'call'])
  await end('talk 1')
  expect(begun.at(-1)).toBe('talk 4')
  for (const name of ['talk 2', 'talk 3', 'talk 4', 'call']) await end(name)
  await Promise.all(all)
})

test('a call that fails gives its place back', async () => {
  const places = createPlaces({ size: 1 })
  await expect(places.limit(() => Promise.reject(new Error('refused')))()).rejects.toThrow('refused')
  expect(await places.limit(async () => 'next')()).toBe('next')
})

test('a call that waits longer than its limit fails, and takes no place', async () => {
  const { begun, call, end } = calls(1, { ms: 5, late: () => new Error('no place was free') })
  const first = call('first')
  await expect(call('second')).rejects.toThrow('no place was free')
  await end('first')
  await first
  expect(begun).toEqual(['first'])
})
