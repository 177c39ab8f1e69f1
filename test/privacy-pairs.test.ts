/** What people see does not depend on what they may not know. `npm run bench:privacy -- --pairs` plays more. */
import { writeFileSync } from 'node:fs'
import { definePlugin } from 'kikimimi'
import { testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { type Compared, compare, compareForgotten } from './privacy/pairs.ts'

const { PRIVACY_REPORT } = process.env
const { rounds: all, seed: first } = testRounds({ few: 6, all: 1_000 })
/** One place of a town is enough for a test of each change. */
const most = PRIVACY_REPORT ? {} : { most: 1 }
/** Rounds of a town: some twenty places have secrets then. */
const ROUNDS = 40

test('people who know none of the secrets of a place see the same when they are others', async () => {
  const total = { towns: 0, pairs: 0, texts: 0, changed: 0, differences: [] as Compared['differences'] }
  for (let seed = first, rounds = 0; rounds < all; seed++, rounds += ROUNDS) {
    const { pairs, texts, changed, differences } = await compare({ seed, rounds: Math.min(ROUNDS, all - rounds), ...most })
    total.towns++
    total.pairs += pairs
    total.texts += texts
    total.changed += changed
    total.differences = [...total.differences, ...differences]
    if (PRIVACY_REPORT) writeFileSync(PRIVACY_REPORT, JSON.stringify(total, null, 2))
  }
  expect(total.differences).toEqual([])
  expect(total.pairs).toBeGreaterThan(0)
})

test('the data without a forgotten person are the same when the secrets of the person were others', async () => {
  expect(await compareForgotten(first, Math.min(ROUNDS, all), 'ann')).toEqual([])
})

test('a plugin whose words depend on all messages is found', async () => {
  let sum = 0
  const leak = definePlugin({
    name: 'leak',
    setup: () => ({
      filter({ text }) {
        for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 997
        return undefined
      },
      context: () => ({ place: 'other', title: 'Mood', text: `The mood is ${sum}.` }),
    }),
  })
  const { differences } = await compare({ seed: first, rounds: 6, most: 1, plugins: [leak()] })
  expect(differences).not.toEqual([])
})
