/** Random rounds of people who tell secrets, on two platforms. `npm run bench:privacy` runs more of them. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Fault, live, ROUNDS } from './privacy/rounds.ts'

const { PRIVACY_ROUNDS = '20', PRIVACY_SEED = '1', PRIVACY_REPORT } = process.env

test('a secret reaches only those who could read it, and nothing is left of it when it is gone', async () => {
  const faults: Fault[] = []
  const totals = { towns: 0, rounds: 0, prompts: 0, posts: 0, secrets: 0, gone: {} as Record<string, number> }
  for (let seed = Number(PRIVACY_SEED); totals.rounds < Number(PRIVACY_ROUNDS); seed++) {
    const { faults: found, gone, ...lived } = await live(seed, Math.min(ROUNDS, Number(PRIVACY_ROUNDS) - totals.rounds))
    faults.push(...found)
    totals.towns++
    for (const key of ['rounds', 'prompts', 'posts', 'secrets'] as const) totals[key] += lived[key]
    for (const [how, count] of Object.entries(gone)) totals.gone[how] = (totals.gone[how] ?? 0) + count
    if (PRIVACY_REPORT) writeFileSync(PRIVACY_REPORT, JSON.stringify({ ...totals, faults }, null, 2))
  }
  expect(faults).toEqual([])
  expect(totals.prompts).toBeGreaterThan(totals.rounds)
}, 900_000)
