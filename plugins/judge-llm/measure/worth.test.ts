import { describe, expect, it } from 'vitest'
import { START } from '../combine.ts'
import { type JudgedVote, worthOf } from './worth.ts'

const PEOPLE = 6
const CONFIDENCE = 0.8

/** Votes about turns, 20 % of which wanted an answer, with a judge of these rates. Errors are spread evenly. */
function votesWith(truePositives: number, falsePositives: number, count = 240): JudgedVote[] {
  const seen = { yes: 0, no: 0 }
  return Array.from({ length: count }, (_, index) => {
    const wanted = index % 5 === 0
    const rate = wanted ? truePositives : falsePositives
    const kind = wanted ? 'yes' : 'no'
    const before = Math.floor(seen[kind] * rate)
    const says = Math.floor(++seen[kind] * rate) > before
    return {
      ...{ turn: String(index), person: `person ${index % PEOPLE}`, at: new Date(index * 1_000) },
      ...{ value: wanted ? 1 : -1, prior: [0.1, 0.2, 0.3][index % 3] ?? 0, verdict: says ? CONFIDENCE : -CONFIDENCE },
    }
  })
}

const worth = (truePositives: number, falsePositives: number) => {
  const votes = votesWith(truePositives, falsePositives)
  return worthOf(votes, votes)
}

describe('what a judge is worth', () => {
  it.each([
    ['a good judge', 0.9, 0.05],
    ['a fair judge', 0.75, 0.1],
    ['a weak judge', 0.7, 0.2],
  ])('%s adds more than the 0.02 nats from which on it is kept', (_name, truePositives, falsePositives) => {
    const { coefficients, gain } = worth(truePositives, falsePositives)
    expect(coefficients.c).toBeGreaterThan(0.8)
    expect(gain.mean).toBeGreaterThan(0.02)
    expect(gain.high).toBeGreaterThan(0.05)
  })

  it.each([
    ['a judge that tosses a coin', 0.5, 0.5],
    ['one that always says yes', 1, 1],
    ['one that says the opposite', 0.2, 0.8],
  ])('%s adds less', (_name, truePositives, falsePositives) => {
    const { coefficients, gain } = worth(truePositives, falsePositives)
    expect(coefficients.c).toBeLessThan(START.c)
    expect(coefficients.c).toBeGreaterThanOrEqual(0)
    expect(gain.high).toBeLessThan(0.02)
  })

  it('grows with the judge', () => {
    const [weak = 0, fair = 0, good = 0] = [worth(0.7, 0.2), worth(0.75, 0.1), worth(0.9, 0.05)].map(
      ({ coefficients }) => coefficients.c,
    )
    expect(weak).toBeLessThan(fair)
    expect(fair).toBeLessThan(good)
  })

  it('is not what one person of six says against the others', () => {
    const votes = votesWith(0.75, 0.1)
    const poisoned = votes.map(vote => (vote.person === 'person 0' ? { ...vote, value: -Math.sign(vote.verdict) } : vote))
    expect(worthOf(poisoned, poisoned).gain.mean).toBeGreaterThan(0.02)
  })
})
