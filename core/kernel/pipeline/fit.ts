import type { Section } from '../../api/index.ts'

/** Which sections go into a prompt of so many tokens: the heaviest that fit; of equals the earlier. */
export function fit<T extends { section: Section; tokens: number }>(offered: readonly T[], budget: number): Set<T> {
  const kept = new Set<T>()
  let left = budget
  for (const one of [...offered].sort((a, b) => (b.section.weight ?? 1) - (a.section.weight ?? 1))) {
    if (one.tokens > left) continue
    left -= one.tokens
    kept.add(one)
  }
  return kept
}
