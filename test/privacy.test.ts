/** Random rounds of people who tell secrets, on two platforms. `npm run bench:privacy` runs more of them. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Fault } from './privacy/checks.ts'
import { live, ROUNDS } from './privacy/rounds.ts'
import { shrink } from './privacy/shrink.ts'

const { PRIVACY_ROUNDS = '100', PRIVACY_SEED = '1', PRIVACY_REPORT, PRIVACY_SHRINK } = process.env

test('a secret reaches only those who could read it, and nothing is left of it when it is gone', async () => {
  const faults: Fault[] = []
  const totals = { towns: 0, rounds: 0, prompts: 0, posts: 0, secrets: 0, shown: 0 }
  const gone: Record<string, number> = {}
  const acts: Record<string, number> = {}
  for (let seed = Number(PRIVACY_SEED); totals.rounds < Number(PRIVACY_ROUNDS); seed++) {
    const rounds = Math.min(ROUNDS, Number(PRIVACY_ROUNDS) - totals.rounds)
    const lived = await live(seed, rounds)
    const [first, ...more] = lived.faults
    if (first) faults.push(PRIVACY_SHRINK ? { ...first, needs: await shrink(first, rounds) } : first, ...more)
    totals.towns++
    totals.rounds += rounds
    for (const key of ['prompts', 'posts', 'secrets', 'shown'] as const) totals[key] += lived[key]
    for (const [how, count] of Object.entries(lived.gone)) gone[how] = (gone[how] ?? 0) + count
    for (const [act, count] of Object.entries(lived.acts)) acts[act] = (acts[act] ?? 0) + count
    if (PRIVACY_REPORT) writeFileSync(PRIVACY_REPORT, JSON.stringify({ ...totals, gone, acts, faults }, null, 2))
  }
  expect(faults).toEqual([])
  expect(totals.prompts).toBeGreaterThan(totals.rounds / 4)
  expect(totals.shown).toBeGreaterThan(0)
})
