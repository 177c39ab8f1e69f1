/** Random rounds of people who tell secrets, on two platforms. `npm run bench:privacy` runs more of them. */
import { writeFileSync } from 'node:fs'
import { testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import type { Fault } from './privacy/checks.ts'
import { live, ROUNDS } from './privacy/rounds.ts'
import { shrink } from './privacy/shrink.ts'

const { PRIVACY_REPORT, PRIVACY_SHRINK } = process.env
const { rounds: all, seed: first } = testRounds({ few: 40, all: 3_000 })

test('a secret reaches only those who could read it, and nothing is left of it when it is gone', async () => {
  const faults: Fault[] = []
  const totals = { towns: 0, rounds: 0, prompts: 0, posts: 0, secrets: 0, shown: 0 }
  const gone: Record<string, number> = {}
  const acts: Record<string, number> = {}
  for (let seed = first; totals.rounds < all; seed++) {
    const rounds = Math.min(ROUNDS, all - totals.rounds)
    const lived = await live(seed, rounds)
    const [fault, ...more] = lived.faults
    if (fault) faults.push(PRIVACY_SHRINK ? { ...fault, needs: await shrink(fault, rounds) } : fault, ...more)
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
