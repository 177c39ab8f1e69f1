/** Learns the weights of a channel from examples. The same examples give the same weights. */
import { type Model, ordered } from '../model.ts'
import { SIGNS } from '../signs.ts'
import type { Example } from './example.ts'
import { difference, lossAt, lossOf, noDifference, type Prepared, prepare } from './fit.ts'

/** Weights of a channel are learned only from at least this many people, and this many of their answers. */
export const LEAST_PEOPLE = 3
const LEAST_ANSWERS = 30
/** Strengths of the shrinkage, in examples. */
const STRENGTHS = [300, 1_000, 3_000, 10_000]
/** The strength is chosen with the last part of the examples. */
const CHOSEN_WITH = 1 / 3
/** The mean loss of a person above which the person counts less, as a multiple of the median. */
const PLAUSIBLE = 2
/** More people share groups. */
const GROUPS = 8
/** The weights change the log odds of a message with average signs by no more than this: 13 points. */
export const LARGEST_CHANGE = 1

export interface Learned {
  readonly model: Model
  readonly people: number
  readonly examples: number
  readonly answers: number
  /** The strength of the shrinkage. */
  readonly strength: number
}

/** Nothing: the examples are too few, or they show nothing that the shared weights do not have. */
export function learn(examples: readonly Example[], shared: Model): Learned | undefined {
  const answers = examples.filter(({ label }) => label)
  const people = new Set(answers.map(({ person }) => person)).size
  if (people < LEAST_PEOPLE || answers.length < LEAST_ANSWERS) return undefined
  const prepared = prepare(examples, shared)
  const weights = plausible(prepared, capped(examples))
  const strength = chooseStrength(prepared, weights)
  if (strength === undefined) return undefined
  const change = agreed(prepared, weights, strength)
  const model = changed(shared, change, prepared)
  return { model, people, examples: examples.length, answers: answers.length, strength }
}

/** The weight of each example. Those of one person together weigh no more than the median of all people. */
function capped(examples: readonly Example[]): Float64Array {
  const totals = new Map<string, number>()
  for (const { person, weight } of examples) totals.set(person, (totals.get(person) ?? 0) + weight)
  const sorted = [...totals.values()].sort((a, b) => a - b)
  const most = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return Float64Array.from(examples, ({ person, weight }) => weight * Math.min(1, most / (totals.get(person) ?? 1)))
}

/**
 * The weights, lower for a person whose answers fit the shared weights much worse than those of other people: in inverse proportion to
 * the mean loss, where that is more than {@link PLAUSIBLE} times the median of all people.
 */
function plausible(prepared: Prepared, weights: Float64Array): Float64Array {
  const totals = new Map<string, { loss: number; weight: number }>()
  for (const [index, { person }] of prepared.examples.entries()) {
    const total = totals.get(person) ?? { loss: 0, weight: 0 }
    const weight = weights[index] ?? 0
    totals.set(person, { loss: total.loss + weight * lossAt(prepared, index, noDifference()), weight: total.weight + weight })
  }
  const means = new Map([...totals].map(([person, { loss, weight }]) => [person, loss / (weight || 1)]))
  const sorted = [...means.values()].sort((a, b) => a - b)
  const most = PLAUSIBLE * (sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)
  const share = (person: string) => Math.min(1, most / (means.get(person) || most || 1))
  return Float64Array.from(prepared.examples, ({ person }, index) => (weights[index] ?? 0) * share(person))
}

/** The strength that predicts the last part best from the part before. Nothing: the shared weights do. */
function chooseStrength(prepared: Prepared, weights: Float64Array): number | undefined {
  const times = prepared.examples.map(({ at }) => at.getTime()).sort((a, b) => a - b)
  const cut = times[Math.floor(times.length * (1 - CHOSEN_WITH))] ?? 0
  const [before, after] = [
    weights.map((weight, index) => (isBefore(prepared, index, cut) ? weight : 0)),
    weights.map((weight, index) => (isBefore(prepared, index, cut) ? 0 : weight)),
  ]
  let best: number | undefined
  let change = noDifference()
  let least = lossOf(prepared, after, change)
  for (const strength of STRENGTHS) {
    change = difference(prepared, before, strength, change)
    const loss = lossOf(prepared, after, change)
    if (loss < least) [best, least] = [strength, loss]
  }
  return best
}

function isBefore({ examples }: Prepared, index: number, cut: number): boolean {
  return (examples[index]?.at.getTime() ?? 0) < cut
}

/**
 * The change that remains without any one person: of the changes learned without each group of people, the smallest of each weight,
 * and none if they do not agree on the direction. So one person alone moves no weight further than the others do.
 */
function agreed(prepared: Prepared, weights: Float64Array, strength: number): readonly number[] {
  const groups = groupsOf(prepared.examples, weights)
  const all = difference(prepared, weights, strength)
  const changes = Array.from({ length: Math.max(...groups.values()) + 1 }, (_, group) =>
    difference(
      prepared,
      weights.map((weight, index) => (groups.get(prepared.examples[index]?.person ?? '') === group ? 0 : weight)),
      ...([strength, all] as const),
    ),
  )
  return Array.from(all, (_, at) => {
    const each = changes.map(change => change[at] ?? 0)
    const [low, high] = [Math.min(...each), Math.max(...each)]
    return low > 0 ? low : high < 0 ? high : 0
  })
}

/** The group of each person. The people with the most examples are in different groups. */
function groupsOf(examples: readonly Example[], weights: Float64Array): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const [index, { person }] of examples.entries()) totals.set(person, (totals.get(person) ?? 0) + (weights[index] ?? 0))
  const people = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return new Map(people.map(([person], index) => [person, index % GROUPS]))
}

function changed({ bias, signs }: Model, change: readonly number[], { scales }: Prepared): Model {
  const by = change[SIGNS.length] ?? 0
  return ordered({
    bias: rounded(bias + Math.max(-LARGEST_CHANGE, Math.min(LARGEST_CHANGE, by))),
    signs: Object.fromEntries(
      SIGNS.map((sign, at) => {
        const { mean, weight } = signs[sign]
        return [sign, { mean, weight: rounded(weight + (change[at] ?? 0) / (scales[at] ?? 1)) }]
      }),
    ) as Model['signs'],
  })
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
