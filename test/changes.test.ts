/** Facts become history when people state a change, and not when they only seem to. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readPairs } from './changes/pairs.ts'
import { type Extractor, type Outcome, play } from './changes/played.ts'

const pairs = await readPairs()

/** Where the figures are written as JSON, for `npm run bench:changes`. */
const { CHANGES_REPORT } = process.env

function figures(outcomes: readonly Outcome[]) {
  const real = outcomes.filter(({ pair }) => pair.real)
  const harmless = outcomes.filter(({ pair }) => !pair.real)
  const ids = (some: readonly Outcome[]) => some.map(({ pair }) => pair.id)
  return {
    real: real.length,
    missed: ids(real.filter(({ retired }) => !retired)),
    harmless: harmless.length,
    retired: ids(harmless.filter(({ retired }) => retired)),
    notRestored: ids(outcomes.filter(({ retired, restored }) => retired && !restored)),
    overridden: ids(outcomes.filter(({ retired, verdict }) => retired && !verdict)),
    notKept: ids(outcomes.filter(({ kept }) => !kept)),
  }
}

const results: Partial<Record<Extractor, ReturnType<typeof figures>>> = {}

async function played(extractor: Extractor) {
  const found = figures(await play(pairs, extractor))
  results[extractor] = found
  if (CHANGES_REPORT) writeFileSync(CHANGES_REPORT, JSON.stringify(results, null, 2))
  return found
}

describe('pairs of statements in two languages, half of them harmless', () => {
  test('a right extractor: real changes replace the old fact, harmless ones do not', async () => {
    const { real, missed, retired, overridden, notKept, notRestored } = await played('right')
    expect({ retired, overridden, notKept, notRestored }).toEqual({ retired: [], overridden: [], notKept: [], notRestored: [] })
    expect(missed.length / real).toBeLessThanOrEqual(0.1)
  })

  test('a wrong extractor: nearly no harmless pair replaces a fact, and each replacement can be undone', async () => {
    const { harmless, retired, overridden, notKept, notRestored } = await played('wrong')
    expect({ overridden, notKept, notRestored }).toEqual({ overridden: [], notKept: [], notRestored: [] })
    expect(retired.length / harmless).toBeLessThanOrEqual(0.05)
  })

  test('the offline model replaces no fact of a harmless pair', async () => {
    const { retired, notRestored } = await played('offline')
    expect({ retired, notRestored }).toEqual({ retired: [], notRestored: [] })
  })
})
