/** A card: short lines about a person, each made of facts. */
import { createHash } from 'node:crypto'
import type { Fact } from '@kikimimi/facts'

/** Maximum length of a card, in characters. */
export const CARD = 600

/** Maximum length of a line, in characters. */
export const LINE = 200

/** Number of facts that a card is made of. */
export const INPUTS = 24

/** Share of the facts that a new card has to cover: of those that it is made of, and of those in the card before. */
export const COVERED = 0.75

export interface CardLine {
  readonly text: string
  /** Ids of the facts that it is made of. */
  readonly facts: readonly number[]
}

/** A hash of what a fact says, and about whom. */
export function digestOf({ content, people }: Pick<Fact, 'content' | 'people'>): string {
  return hashOf([content, [...people].sort()])
}

/** A hash that is the same as long as a person's facts are the same, in any order. */
export function inputsOf(facts: readonly Fact[]): string {
  const parts = facts.map(fact => [fact.id, digestOf(fact), fact.pinned, fact.kind] as const)
  return hashOf(parts.sort(([one], [other]) => one - other))
}

/** The number of characters, as people count them. */
export function lengthOf(lines: readonly Pick<CardLine, 'text'>[]): number {
  return lines.reduce((sum, { text }) => sum + [...text].length, 0)
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
