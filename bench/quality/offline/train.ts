/** Learns the weights by which the reader of the offline model chooses among the lines of a talk. */
import { candidates } from '../../../packages/speech-acts/rules/reader/read.ts'
import { ruledAnswer } from '../../../packages/speech-acts/rules/reader/rules.ts'
import type { Signs } from '../../../packages/speech-acts/rules/reader/signs.ts'
import type { Answer } from '../../../packages/speech-acts/rules/reader/wanted.ts'
import { withoutCall } from '../../../packages/speech-acts/rules/said.ts'
import { searched } from '../../../plugins/offline/recall.ts'
import { mark, type Question, type Scene } from './scenes.ts'

/** A question with the signs of each line, and last those of no answer. At least one of the choices is right. */
export interface Example {
  readonly weight: number
  readonly choices: readonly { readonly signs: Signs; readonly right: boolean }[]
}

/** The patterns of the reader were written with the scenes before this one, so their signs promise too much there. */
const UNSEEN = 403
/** Of a question of a later scene, and of one that the rules have no answer to. */
const WEIGHT = 2
/** Strength of the pull of all weights to 0, steps of the descent, and the size of a step. */
const [PULL, STEPS, STEP] = [4, 300, 0.05]

export function examplesOf(scenes: readonly Scene[]): readonly Example[] {
  return scenes.flatMap(({ number, lines, questions }) =>
    questions.flatMap((question, at) => {
      const found = searched({ text: withoutCall(question.text, 'kiki'), asker: question.name }, [
        ...lines,
        ...questions.slice(0, at),
      ])
      if (!found || !('wanted' in found)) return []
      const { none, lines: choices } = candidates(found.wanted, found.memories, found.talk)
      const marked = choices.map(({ answer, signs }) => ({ signs, right: isRight(question, answer) }))
      const last = { signs: none, right: !marked.some(({ right }) => right) }
      const isRuled = ruledAnswer(found.wanted, found.memories, found.talk) !== undefined
      const weight = (number < UNSEEN ? 1 : WEIGHT) * (isRuled ? 1 : WEIGHT)
      return [{ weight, choices: [...marked, last] }]
    }),
  )
}

function isRight(question: Question, { source, question: asked }: Answer): boolean {
  const told = [source.name, source.text, asked?.name, asked?.text].join('\n')
  return question.right.length > 0 && mark(question, told) === 'right'
}

/** The weights that make the right choices most probable. */
export function learned(examples: readonly Example[]): Readonly<Record<string, number>> {
  const names = [...new Set(examples.flatMap(({ choices }) => choices.flatMap(({ signs }) => Object.keys(signs))))].sort()
  const index = new Map(names.map((name, at) => [name, at]))
  const rows = examples.map(({ weight, choices }) => ({
    weight,
    choices: choices.map(({ signs, right }) => ({
      right,
      signs: Object.entries(signs).flatMap(([name, sign]) => (sign === 0 ? [] : [[index.get(name) ?? 0, sign] as const])),
    })),
  }))
  const weights = new Float64Array(names.length)
  const [speed, power] = [new Float64Array(names.length), new Float64Array(names.length)]
  for (let step = 1; step <= STEPS; step++) {
    const slope = weights.map(weight => PULL * weight)
    for (const { weight, choices } of rows) {
      const odds = choices.map(({ signs }) => Math.exp(signs.reduce((sum, [at, sign]) => sum + (weights[at] ?? 0) * sign, 0)))
      const all = odds.reduce((sum, one) => sum + one, 0)
      const right = odds.reduce((sum, one, at) => sum + (choices[at]?.right ? one : 0), 0)
      for (const [at, choice] of choices.entries()) {
        const odd = odds[at] ?? 0
        const error = weight * (odd / all - (choice.right ? odd / right : 0))
        for (const [sign, value] of choice.signs) slope[sign] = (slope[sign] ?? 0) + error * value
      }
    }
    // The method Adam.
    for (const [at, value] of slope.entries()) {
      speed[at] = 0.9 * (speed[at] ?? 0) + 0.1 * value
      power[at] = 0.999 * (power[at] ?? 0) + 0.001 * value * value
      const [mean, spread] = [(speed[at] ?? 0) / (1 - 0.9 ** step), (power[at] ?? 0) / (1 - 0.999 ** step)]
      weights[at] = (weights[at] ?? 0) - (STEP * mean) / (Math.sqrt(spread) + 1e-8)
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, Math.round((weights[at] ?? 0) * 100) / 100]))
}
