/** The quality of the results. */
import { round } from '../../base/measure.ts'

export const DEPTHS = [5, 10, 25, 50] as const

export interface Outcome {
  readonly kind: string
  /** The ids of the results, best first. */
  readonly found: readonly string[]
  readonly gold: readonly string[]
  /** Ids of superseded facts, which must not come before the gold. */
  readonly outdated: readonly string[]
  /** Ids that must not be in the results. */
  readonly secret: readonly string[]
  /** True: all of `gold` is required; otherwise any of it. */
  readonly all: boolean
}

export function summary(outcomes: readonly Outcome[]) {
  const asked = outcomes.filter(({ gold }) => gold.length > 0)
  const unanswerable = outcomes.filter(({ gold }) => gold.length === 0)
  const mean = (of: readonly Outcome[], value: (one: Outcome) => number) =>
    of.length === 0 ? undefined : round((100 * of.reduce((sum, one) => sum + value(one), 0)) / of.length, 1)
  const kinds = [...new Set(asked.map(({ kind }) => kind))].sort()
  return {
    questions: asked.length,
    recallAt: Object.fromEntries(DEPTHS.map(depth => [depth, mean(asked, one => recallAt(one, depth))])),
    hitAt: { 1: mean(asked, one => hitAt(one, 1)), 5: mean(asked, one => hitAt(one, 5)) },
    mrr: mean(asked, reciprocalRank),
    hitAt5ByKind: Object.fromEntries(
      kinds.map(kind => [
        kind,
        mean(
          asked.filter(one => one.kind === kind),
          one => hitAt(one, 5),
        ),
      ]),
    ),
    recallAt10ByKind: Object.fromEntries(
      kinds.map(kind => [
        kind,
        mean(
          asked.filter(one => one.kind === kind),
          one => recallAt(one, 10),
        ),
      ]),
    ),
    staleFirst: outcomes.filter(({ found, outdated, gold }) => {
      const stale = found.findIndex(id => outdated.includes(id))
      const fresh = found.findIndex(id => gold.includes(id))
      return stale >= 0 && (fresh < 0 || stale < fresh)
    }).length,
    leaks: outcomes.filter(({ found, secret }) => found.some(id => secret.includes(id))).length,
    saysNothing: {
      whenNothingIsKnown: mean(unanswerable, ({ found }) => Number(found.length === 0)),
      whenSomethingIs: mean(asked, ({ found }) => Number(found.length === 0)),
    },
  }
}

function recallAt({ found, gold, all }: Outcome, depth: number): number {
  const first = found.slice(0, depth)
  const hits = gold.filter(id => first.includes(id)).length
  return all ? hits / gold.length : Math.min(1, hits)
}

function hitAt({ found, gold }: Outcome, depth: number): number {
  return Number(found.slice(0, depth).some(id => gold.includes(id)))
}

function reciprocalRank({ found, gold }: Outcome): number {
  const at = found.findIndex(id => gold.includes(id))
  return at < 0 ? 0 : 1 / (at + 1)
}
