/** Everything that reads texts of people takes a time that grows with the length of the text, not with a power of it. */
import { testRounds } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { growthOf } from './growth.ts'
import { READERS } from './readers.ts'
import { shapes } from './shapes.ts'

/** Some shapes, evenly from all of them. */
const all = shapes(1)
const { rounds } = testRounds({ few: 20, all: all.length })
const step = Math.ceil(all.length / rounds)
const some = all.filter((_, at) => at % step === 0)

describe('the cost of a long text grows with its length', () => {
  for (const [name, read] of Object.entries(READERS)) {
    test(name, () => {
      expect(some.flatMap(shape => growthOf(read, shape) ?? [])).toEqual([])
    })
  }

  test('the measure finds a pattern that takes quadratic time', () => {
    const spaces = { name: 'spaces', of: (length: number) => `${' '.repeat(length)}x` }
    expect(growthOf(text => /\s+$/.test(text), spaces)).toMatch(/^spaces: /)
    expect(growthOf(text => /(?<!\s)\s+$/.test(text), spaces)).toBeUndefined()
  })
})
