import { VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { createLookup } from './lookup.ts'

function start(load: (id: string) => Promise<string>, size = 2) {
  const clock = new VirtualClock()
  const asked: string[] = []
  const lookup = createLookup<string>({
    load: id => {
      asked.push(id)
      return load(id)
    },
    clock,
    size,
    ttlMs: 1_000,
    patienceMs: 100,
  })
  return { clock, asked, lookup, pass: (ms: number) => clock.advance(clock.now() + ms, { settle: async () => {} }) }
}

test('asks once for a cached value, even for many callers at once', async () => {
  const { lookup, asked, pass } = start(async id => id.toLowerCase())
  expect(await Promise.all([lookup.get('A', '?'), lookup.get('A', '?')])).toEqual(['a', 'a'])
  await pass(1_000)
  await lookup.get('A', '?')
  expect(asked).toEqual(['A', 'A'])
})

test('drops the oldest values above its limit', async () => {
  const { lookup, asked } = start(async id => id)
  for (const id of ['A', 'B', 'C', 'A']) await lookup.get(id, '?')
  expect(asked).toEqual(['A', 'B', 'C', 'A'])
})

test('returns the fallback after an error, and asks again after a minute', async () => {
  const { lookup, asked, pass } = start(() => Promise.reject(new Error('no')))
  expect(await lookup.get('A', '?')).toBe('?')
  expect(await lookup.get('A', '?')).toBe('?')
  await pass(60_000)
  await lookup.get('A', '?')
  expect(asked).toEqual(['A', 'A'])
})

test('does not wait longer than its limit, and has the value the next time', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { lookup, pass } = start(() => promise)
  const first = lookup.get('A', '?')
  await pass(100)
  expect(await first).toBe('?')
  resolve('a')
  expect(await lookup.get('A', '?')).toBe('a')
})
