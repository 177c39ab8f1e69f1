/** Refuses a card that loses or invents something. */
import type { Fact } from '@kikimimi/facts'
import { CARD, type CardLine, COVERED, LINE, lengthOf } from './card.ts'
import { hasWord, saidIn } from './words.ts'

/** Share of the words of a fact that its line has to have. */
const TOLD = 1 / 3

/**
 * Why a card is refused. `empty`: a line has no text or no fact. `long`: longer than a card may be. `unknown`: a line names a
 * fact that the card is not made of. `invented`: a line has a word that none of its facts has. `untold`: a line names a
 * fact and does not tell it. `pinned`: a pinned fact is missing. `lost`: more than a quarter of the facts is missing.
 */
export type Refusal = 'empty' | 'long' | 'unknown' | 'invented' | 'untold' | 'pinned' | 'lost'

export interface Given {
  /** The facts that the card is made of. */
  readonly facts: readonly Fact[]
  /** The facts of the card before, as far as they still hold. */
  readonly before: readonly Fact[]
  /** Names of the person. */
  readonly names: readonly string[]
}

/** @returns undefined for a card that may take the place of the one before */
export function refusalOf(lines: readonly CardLine[], { facts, before, names }: Given): Refusal | undefined {
  if (lines.length === 0 || lines.some(line => line.text.trim() === '' || line.facts.length === 0)) return 'empty'
  if (lengthOf(lines) > CARD || lines.some(line => lengthOf([line]) > LINE)) return 'long'
  const known = new Map(facts.map(fact => [fact.id, fact]))
  const named = saidIn(names.join(' '))
  for (const line of lines) {
    const of = line.facts.flatMap(id => known.get(id) ?? [])
    if (of.length < line.facts.length) return 'unknown'
    const told = saidIn(line.text)
    const sources = of.map(({ content }) => saidIn(content))
    if ([...told.words].some(word => ![named, ...sources].some(one => hasWord(one, word)))) return 'invented'
    for (const { words } of sources) {
      const own = [...words].filter(word => !hasWord(named, word))
      if (own.filter(word => hasWord(told, word)).length < own.length * TOLD) return 'untold'
    }
  }
  const covered = new Set(lines.flatMap(line => line.facts))
  const missing = (some: readonly Fact[]) => some.filter(({ id }) => !covered.has(id))
  if (missing([...facts, ...before]).some(({ pinned }) => pinned)) return 'pinned'
  if ([facts, before].some(some => missing(some).length > some.length * (1 - COVERED))) return 'lost'
  return undefined
}
