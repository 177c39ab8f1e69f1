/** The results of weights on messages that they were not learned from, message by message in the seats of people. */
import { type Model, oddsOf, probabilityOf, SPEAKS_FROM } from '../model.ts'
import type { SeatExample } from './seats.ts'

/** The usual bounds of a judge. */
const LOW = probabilityOf(20)
const HIGH = probabilityOf(80)

export interface Reading {
  /** Of utterances: the bot alone speaks to those with a message at the threshold, and to calls. */
  readonly f1: number
  /** Of utterances without an answer of the person, the share to which the bot says nothing. */
  readonly interruptionAccuracy: number
  /** Messages per 100 for which a judge is asked. */
  readonly judgements: number
  /** Of the answered messages, the share for which a judge is asked or the bot speaks. */
  readonly coverage: number
}

export function read(examples: readonly SeatExample[], model: Model): Reading {
  const utterances = new Map<string, { gold: boolean; spoken: boolean }>()
  let [judged, answered, covered] = [0, 0, 0]
  for (const { signs, label, isAnswered, isCall, utterance } of examples) {
    const p = 1 / (1 + Math.exp(-oddsOf(signs, model)))
    const one = utterances.get(utterance) ?? { gold: label, spoken: false }
    utterances.set(utterance, one)
    if (isCall || p >= SPEAKS_FROM) one.spoken = true
    if (!isCall && p > LOW && p < HIGH) judged++
    if (!isAnswered) continue
    answered++
    if (isCall || p > LOW) covered++
  }
  const all = [...utterances.values()]
  const count = (gold: boolean, spoken: boolean) => all.filter(one => one.gold === gold && one.spoken === spoken).length
  const hits = count(true, true)
  return {
    f1: share(2 * hits, 2 * hits + count(true, false) + count(false, true)),
    interruptionAccuracy: share(count(false, false), count(false, false) + count(false, true)),
    judgements: Math.round(1_000 * share(judged, examples.length)) / 10,
    coverage: share(covered, answered),
  }
}

/** The smallest gain in F1 of the new weights, with all people and without each of them. */
export function leastGain(examples: readonly SeatExample[], before: Model, after: Model): number {
  const people = [...new Set(examples.map(({ person }) => person))]
  const gains = [undefined, ...people].map(left => {
    const rest = examples.filter(({ person }) => person !== left)
    return read(rest, after).f1 - read(rest, before).f1
  })
  return Math.min(...gains)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 10_000
}
