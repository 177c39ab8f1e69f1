import { describe, expect, test } from 'vitest'
import { type Breaker, createBreaker } from './breaker.ts'

describe('breaker', () => {
  test('opens after three failures in a row', () => {
    const breaker = createBreaker()
    fail(breaker, 0, 2)
    expect(breaker.allows(0)).toBe(true)
    fail(breaker, 0, 1)
    expect(breaker.state(0)).toBe('open')
    expect(breaker.allows(59_999)).toBe(false)
    expect(breaker.retryAt).toBe(60_000)
  })

  test('a success in between starts the count over', () => {
    const breaker = createBreaker()
    fail(breaker, 0, 2)
    breaker.succeeded()
    fail(breaker, 0, 2)
    expect(breaker.state(0)).toBe('closed')
    expect(breaker.retryAt).toBeUndefined()
  })

  test('half-open lets exactly one trial through until it ends', () => {
    const breaker = opened()
    expect(breaker.state(60_000)).toBe('half-open')
    expect([breaker.allows(60_000), breaker.allows(60_000), breaker.allows(90_000)]).toEqual([true, false, false])
    breaker.succeeded()
    expect([breaker.allows(60_000), breaker.allows(60_000)]).toEqual([true, true])
  })

  test('a trial that was called off makes room for the next one', () => {
    const breaker = opened()
    breaker.allows(60_000)
    breaker.released()
    expect(breaker.state(60_000)).toBe('half-open')
    expect(breaker.allows(60_000)).toBe(true)
  })

  test('the open time doubles with each failed trial up to the longest, and a success resets it', () => {
    const breaker = opened()
    const waits: number[] = []
    let now = 60_000
    for (let trial = 0; trial < 4; trial++) {
      breaker.allows(now)
      breaker.failed(now)
      const { retryAt = now } = breaker
      waits.push(retryAt - now)
      now = retryAt
    }
    expect(waits).toEqual([120_000, 240_000, 300_000, 300_000])
    breaker.allows(now)
    breaker.succeeded()
    fail(breaker, now, 3)
    expect(breaker.retryAt).toBe(now + 60_000)
  })

  test('a failure that arrives while it is open changes nothing', () => {
    const breaker = opened()
    breaker.failed(30_000)
    expect(breaker.retryAt).toBe(60_000)
  })
})

function opened(): Breaker {
  const breaker = createBreaker()
  fail(breaker, 0, 3)
  return breaker
}

function fail(breaker: Breaker, now: number, times: number): void {
  for (let time = 0; time < times; time++) {
    breaker.allows(now)
    breaker.failed(now)
  }
}
