/** Facts become history when people state a change, and not when they only seem to. */
import { expect, test } from 'vitest'
import { readPairs } from './changes/pairs.ts'
import { type Outcome, play } from './changes/played.ts'

const pairs = await readPairs()
const ids = (outcomes: readonly Outcome[]) => outcomes.map(({ pair }) => pair.id)
const real = (outcomes: readonly Outcome[]) => outcomes.filter(({ pair }) => pair.real)
const harmless = (outcomes: readonly Outcome[]) => outcomes.filter(({ pair }) => !pair.real)

test('x', async () => {
  for (const e of ['right', 'wrong', 'offline'] as const) {
    const o = await play(pairs, e)
    console.log(
      e,
      'real',
      real(o).length,
      'superseded',
      ids(real(o).filter(one => one.retired)).length,
      'missed',
      ids(real(o).filter(one => !one.retired)).join(' '),
      '\nharmless',
      harmless(o).length,
      'retired',
      ids(harmless(o).filter(one => one.retired)).join(' '),
      '\noverridden',
      ids(o.filter(one => one.retired && !one.verdict)).join(' '),
      '\nnot kept',
      ids(o.filter(one => !one.kept)).join(' '),
    )
  }
  expect(1).toBe(1)
})
