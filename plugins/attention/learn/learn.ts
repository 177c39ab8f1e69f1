/** Learns the weights of a channel from examples. The same examples give the same weights. */
import { type Model, oddsOf, ordered } from '../model.ts'
import { SIGNS } from '../signs.ts'
import { learnChange } from './change.ts'
import type { Example } from './example.ts'
import type { Prepared } from './fit.ts'

/** Weights of a channel are learned only from at least this many people, and this many of their answers. */
export const LEAST_PEOPLE = 3
const LEAST_ANSWERS = 30
/** Strengths of the shrinkage, in examples. */
const STRENGTHS = [300, 1_000, 3_000, 10_000]
/** The weights change the log odds of a message with average signs by no more than this: 12 points. */
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
  const { prepared, scales } = prepare(examples, shared)
  const learned = learnChange(prepared, STRENGTHS)
  if (!learned) return undefined
  const model = changed(shared, learned.agreed, scales)
  return { model, people, examples: examples.length, answers: answers.length, strength: learned.strength }
}

/** The features are the signs in standard deviations. */
function prepare(examples: readonly Example[], near: Model): { readonly prepared: Prepared; readonly scales: readonly number[] } {
  const scales = SIGNS.map(sign => {
    const values = examples.map(({ signs }) => signs[sign])
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  })
  const width = SIGNS.length + 1
  const rows = new Float64Array(examples.length * width)
  for (const [index, { signs }] of examples.entries()) {
    for (const [at, sign] of SIGNS.entries()) {
      rows[index * width + at] = (signs[sign] - near.signs[sign].mean) / (scales[at] ?? 1)
    }
    rows[index * width + width - 1] = 1
  }
  const odds = Float64Array.from(examples, ({ signs }) => oddsOf(signs, near))
  return { prepared: { examples, odds, rows, width }, scales }
}

function changed({ bias, signs }: Model, change: readonly number[], scales: readonly number[]): Model {
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
