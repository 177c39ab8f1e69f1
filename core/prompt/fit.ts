import type { Section } from '../api/index.ts'

/**
 * Chooses the sections for a prompt of `budget` tokens. The lightest are dropped first; of equal weights, the later one. A
 * section that is larger than the whole budget is dropped alone.
 */
export function fit<T extends { section: Section; tokens: number }>(offered: readonly T[], budget: number): Set<T> {
  const kept = new Set<T>()
  let left = budget
  for (const one of [...offered].sort((a, b) => (b.section.weight ?? 1) - (a.section.weight ?? 1))) {
    if (one.tokens > budget) continue
    left -= one.tokens
    if (left < 0) break
    kept.add(one)
  }
  return kept
}
