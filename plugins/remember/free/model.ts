/** Reads orders about the memory that people give in free words, with a trained linear model. It knows English and Japanese. */
import { readFileSync } from 'node:fs'
import { type OrderText, orderText } from '@kikimimi/orders'
import { type Model, probabilities, readModel, valuesOf } from '@kikimimi/speech-acts/linear'
import { type Around, featuresOf, LONGEST, normalized } from './features.ts'

export const KINDS = ['none', 'leave-out', 'forget', 'forget-me', 'opt-out', 'opt-in'] as const
export type FreeKind = (typeof KINDS)[number]

/** The probability of each kind, from 0 to 1. */
export type FreeOrder = Readonly<Record<FreeKind, number>>

const NOTHING: FreeOrder = { none: 1, 'leave-out': 0, forget: 0, 'forget-me': 0, 'opt-out': 0, 'opt-in': 0 }

let loaded: Model<FreeKind> | undefined

/** @param names names of the bot */
export function readFree(text: string, names: readonly string[], around?: Around): FreeOrder {
  return freeOrderIn(orderText(text, names), around)
}

export function freeOrderIn(said: OrderText, around?: Around): FreeOrder {
  loaded ??= readModel(KINDS, readFileSync(new URL('./memory-weights.txt', import.meta.url), 'utf8'))
  return scoreWith(loaded, said, around)
}

export function scoreWith(model: Model<FreeKind>, said: OrderText, around?: Around): FreeOrder {
  if (said.text === '' || said.text.length > LONGEST || /\p{sc=Hangul}/u.test(said.text)) return NOTHING
  const shares = probabilities(model, valuesOf(featuresOf(normalized(said, around))))
  return Object.fromEntries(KINDS.map((kind, at) => [kind, shares[at] ?? 0])) as unknown as FreeOrder
}
