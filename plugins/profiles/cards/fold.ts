/** Chooses the facts of a card, and makes a card without a model. */
import type { Fact } from '@kikimimi/facts'
import { CARD, type CardLine, COVERED, INPUTS, LINE, lengthOf } from './card.ts'

/**
 * The facts for a new card, in the order in which they get a place. First those that it has to keep of the card before, so
 * that no run replaces more than a part of a card, then the most important.
 *
 * @param before ids of the facts in the card before
 */
export function chooseFacts(facts: readonly Fact[], before: ReadonlySet<number>): readonly Fact[] {
  const ranked = facts.toSorted(byImportance)
  const earlier = ranked.filter(({ id }) => before.has(id))
  const pinned = earlier.filter(fact => fact.pinned)
  const kept = earlier.slice(0, Math.ceil(earlier.length * COVERED))
  return [...new Set([...pinned, ...kept, ...ranked])].slice(0, INPUTS)
}

/** One line for each fact, in its own words, as many as a card can hold. */
export function foldByRules(facts: readonly Fact[]): CardLine[] {
  const lines: CardLine[] = []
  for (const { id, content } of facts) {
    const line = { text: cut(content), facts: [id] }
    if (lengthOf([...lines, line]) <= CARD) lines.push(line)
  }
  return lines
}

function cut(content: string): string {
  const plain = [...content.replace(/\s+/g, ' ').trim()]
  return plain.length > LINE ? `${plain.slice(0, LINE - 1).join('')}…` : plain.join('')
}

/** Pinned facts first, then those that last, then the newest. */
function byImportance(one: Fact, other: Fact): number {
  return (
    Number(other.pinned) - Number(one.pinned) ||
    Number(lasts(other)) - Number(lasts(one)) ||
    other.at.getTime() - one.at.getTime() ||
    other.id - one.id
  )
}

function lasts({ kind }: Fact): boolean {
  return kind === 'durable' || kind === 'preference'
}
