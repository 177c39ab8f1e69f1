import { expect, it } from 'vitest'
import { basePoints, type Model, oddsOf, POINTS_PER_UNIT, SHARED } from '../model.ts'
import { SIGNS, type Signs } from '../signs.ts'
import type { Example } from './example.ts'
import { LARGEST_CHANGE, learn } from './learn.ts'

const DAY = 24 * 60 * 60_000

/** Numbers in 0…1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const AVERAGE = Object.fromEntries(SIGNS.map(sign => [sign, SHARED.signs[sign].mean])) as Signs

/** What a person in the seat sees: this person answers as the shared weights say, and questions more often. */
function seat(person: string, { count = 1_500, seed = person.length, always = false } = {}): Example[] {
  const random = numbers(seed)
  return Array.from({ length: count }, (_, index) => {
    const question = random() < 0.3 ? 1 : 0
    const signs = { ...AVERAGE, question, sinceBot: 12 * random(), exchanges: random(), messagesSinceBot: 5 * random() }
    const odds = oddsOf(signs, SHARED) + 2 * (question - 0.3)
    const label = always || random() < 1 / (1 + Math.exp(-odds))
    return { signs, label, weight: 1, person, at: new Date(DAY + (index * 28 * DAY) / count) }
  })
}

const PEOPLE = ['ann', 'bert', 'carol', 'denise', 'edward']
const clean = PEOPLE.flatMap((person, index) => seat(person, { seed: index + 1 }))

/** The points of messages that decide: questions shortly after the words of the reader. */
function pointsIn(model: Model): readonly number[] {
  return [0, 1].flatMap(question =>
    [2, 6].map(sinceBot => {
      const signs = { ...AVERAGE, question, sinceBot, messagesSinceBot: 1, exchanges: 0.8 }
      return basePoints({ ...model, bias: oddsOf(signs, model) })
    }),
  )
}

function largestMove(one: Model, other: Model): number {
  const before = pointsIn(one)
  return Math.max(...pointsIn(other).map((points, at) => Math.abs(points - (before[at] ?? 0))))
}

it('what most people of a channel do changes its weights', () => {
  const learned = learn(clean, SHARED)
  expect(learned).toMatchObject({ people: 5 })
  expect(learned?.model.signs.question.weight).toBeGreaterThan(SHARED.signs.question.weight + 0.5)
})

it('the same examples give the same bytes', () => {
  expect(JSON.stringify(learn(clean, SHARED))).toBe(JSON.stringify(learn(clean, SHARED)))
})

it('too little data, and the behaviour of one or two people, change nothing', () => {
  expect(learn(clean.slice(0, 50), SHARED)).toBeUndefined()
  expect(learn(seat('ann', { count: 8_000 }), SHARED)).toBeUndefined()
  expect(learn([...seat('ann', { count: 8_000 }), ...seat('bert', { count: 8_000 })], SHARED)).toBeUndefined()
})

it.each([1_500, 20_000])('a person who answers everything, %i times, moves no threshold by more than 4 points', count => {
  const before = learn(clean, SHARED)?.model ?? SHARED
  const poisoned = learn([...clean, ...seat('mallory', { count, always: true })], SHARED)?.model ?? SHARED
  expect(largestMove(before, poisoned)).toBeLessThanOrEqual(4)
})

it('a person who welcomes every answer of the bot moves no threshold by more than 4 points', () => {
  const votes = seat('mallory', { count: 2_000, always: true }).map(one => ({ ...one, weight: 5 }))
  const before = learn(clean, SHARED)?.model ?? SHARED
  expect(largestMove(before, learn([...clean, ...votes], SHARED)?.model ?? SHARED)).toBeLessThanOrEqual(4)
})

it('wrong labels of one in twenty are left out', () => {
  const wrong = clean.map((one, index) => (index % 20 === 0 ? { ...one, label: !one.label } : one))
  const before = learn(clean, SHARED)?.model ?? SHARED
  expect(largestMove(before, learn(wrong, SHARED)?.model ?? SHARED)).toBeLessThanOrEqual(8)
})

it('all people together move a message with average signs by 13 points at most', () => {
  const all = PEOPLE.flatMap((person, index) => seat(person, { seed: index + 1, always: true }))
  const bias = learn(all, SHARED)?.model.bias ?? SHARED.bias
  expect(POINTS_PER_UNIT * Math.abs(bias - SHARED.bias)).toBeLessThanOrEqual(POINTS_PER_UNIT * LARGEST_CHANGE + 1e-9)
})
