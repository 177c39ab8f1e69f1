/** What the examples of several people change in given weights, so that no person alone changes anything. */
import type { Labelled } from './example.ts'
import { difference, lossAt, lossOf, noDifference, type Prepared } from './fit.ts'

/** The strength is chosen with the last part of the examples. */
const CHOSEN_WITH = 1 / 3
/** The mean loss of a person above which the person counts less, as a multiple of the median. */
const PLAUSIBLE = 2
/** More people share groups. */
const GROUPS = 8

export interface Change {
  /**
   * The change that remains without any one person: of the changes learned without each group of people, the smallest of each weight,
   * and none if they do not agree on the direction. So one person alone moves no weight further than the others do.
   */
  readonly agreed: readonly number[]
  /** The change learned from all people together. */
  readonly all: Float64Array
  /** The strength of the shrinkage. */
  readonly strength: number
  /** The weight of each example: see {@link capped} and {@link plausible}. */
  readonly weights: Float64Array
  /** The change learned without the group of a person, to measure it with the examples of that person. */
  without(person: string): Float64Array
}

/**
 * Nothing: the last part of the examples is predicted best by the given weights.
 *
 * @param strengths penalties of a change, of which one is chosen; a higher one stays nearer to the given weights
 */
export function learnChange(prepared: Prepared, strengths: readonly number[]): Change | undefined {
  const weights = plausible(prepared, capped(prepared.examples))
  const strength = chooseStrength(prepared, weights, strengths)
  if (strength === undefined) return undefined
  const groups = groupsOf(prepared.examples, weights)
  const all = difference(prepared, weights, strength)
  const changes = Array.from({ length: Math.max(...groups.values()) + 1 }, (_, group) =>
    difference(
      prepared,
      weights.map((weight, index) => (groups.get(prepared.examples[index]?.person ?? '') === group ? 0 : weight)),
      ...([strength, all] as const),
    ),
  )
  return {
    ...{ all, strength, weights, agreed: smallest(changes, prepared.width) },
    without: person => changes[groups.get(person) ?? 0] ?? all,
  }
}

/** The weight of each example. Those of one person together weigh no more than the median of all people. */
export function capped(examples: readonly Labelled[]): Float64Array {
  const totals = new Map<string, number>()
  for (const { person, weight } of examples) totals.set(person, (totals.get(person) ?? 0) + weight)
  const sorted = [...totals.values()].sort((a, b) => a - b)
  const most = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return Float64Array.from(examples, ({ person, weight }) => weight * Math.min(1, most / (totals.get(person) ?? 1)))
}

/**
 * The weights, lower for a person whose answers fit the given weights of the model much worse than those of other people: in inverse
 * proportion to the mean loss, where that is more than {@link PLAUSIBLE} times the median of all people.
 */
function plausible(prepared: Prepared, weights: Float64Array): Float64Array {
  const none = noDifference(prepared)
  const totals = new Map<string, { loss: number; weight: number }>()
  for (const [index, { person }] of prepared.examples.entries()) {
    const total = totals.get(person) ?? { loss: 0, weight: 0 }
    const weight = weights[index] ?? 0
    totals.set(person, { loss: total.loss + weight * lossAt(prepared, index, none), weight: total.weight + weight })
  }
  const means = new Map([...totals].map(([person, { loss, weight }]) => [person, loss / (weight || 1)]))
  const sorted = [...means.values()].sort((a, b) => a - b)
  const most = PLAUSIBLE * (sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)
  const share = (person: string) => Math.min(1, most / (means.get(person) || most || 1))
  return Float64Array.from(prepared.examples, ({ person }, index) => (weights[index] ?? 0) * share(person))
}

/** The strength that predicts the last part best from the part before. Nothing: the shared weights do. */
function chooseStrength(prepared: Prepared, weights: Float64Array, strengths: readonly number[]): number | undefined {
  const times = prepared.examples.map(({ at }) => at.getTime()).sort((a, b) => a - b)
  const cut = times[Math.floor(times.length * (1 - CHOSEN_WITH))] ?? 0
  const [before, after] = [
    weights.map((weight, index) => (isBefore(prepared, index, cut) ? weight : 0)),
    weights.map((weight, index) => (isBefore(prepared, index, cut) ? 0 : weight)),
  ]
  let best: number | undefined
  let change = noDifference(prepared)
  let least = lossOf(prepared, after, change)
  for (const strength of strengths) {
    change = difference(prepared, before, strength, change)
    const loss = lossOf(prepared, after, change)
    if (loss < least) [best, least] = [strength, loss]
  }
  return best
}

function isBefore({ examples }: Prepared, index: number, cut: number): boolean {
  return (examples[index]?.at.getTime() ?? 0) < cut
}

/** Of each feature the smallest of the changes, and none if they do not agree on the direction. */
function smallest(changes: readonly Float64Array[], width: number): readonly number[] {
  return Array.from({ length: width }, (_, at) => {
    const each = changes.map(change => change[at] ?? 0)
    const [low, high] = [Math.min(...each), Math.max(...each)]
    return low > 0 ? low : high < 0 ? high : 0
  })
}

/** The group of each person. The people with the most examples are in different groups. */
function groupsOf(examples: readonly Labelled[], weights: Float64Array): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const [index, { person }] of examples.entries()) totals.set(person, (totals.get(person) ?? 0) + (weights[index] ?? 0))
  const people = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return new Map(people.map(([person], index) => [person, index % GROUPS]))
}
