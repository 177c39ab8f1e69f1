import { describe, expect, it } from 'vitest'
import { combine, logOdds, SPEAKS_FROM, START, signedVerdict } from './combine.ts'

const yes = signedVerdict({ respond: true, confidence: 0.8 })
const no = signedVerdict({ respond: false, confidence: 0.8 })

describe('a verdict', () => {
  it('moves the probability of the points', () => {
    expect(combine(START, 0.2, yes)).toBeCloseTo(0.6488, 4)
    expect(combine(START, 0.2, no)).toBeCloseTo(0.0327, 4)
    expect(combine(START, 0.2, 0)).toBeCloseTo(0.2)
  })

  it('of a judge that is worth nothing leaves it as it is', () => {
    expect(combine({ ...START, c: 0 }, 0.2, yes)).toBeCloseTo(0.2)
  })

  it('decides in the middle of the band, and not against clear points', () => {
    expect(combine(START, 0.1, yes)).toBeGreaterThan(SPEAKS_FROM)
    expect(combine(START, 0.1, no)).toBeLessThan(SPEAKS_FROM)
    expect(combine(START, 0.02, yes)).toBeLessThan(SPEAKS_FROM)
    expect(combine(START, 0.8, no)).toBeGreaterThan(SPEAKS_FROM)
  })

  it('counts for points of 0 and 100 too', () => {
    expect(logOdds(0)).toBeCloseTo(-6.9068, 4)
    expect(combine(START, 1, -1)).toBeLessThan(1)
  })
})
