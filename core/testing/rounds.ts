export interface TestRounds {
  readonly rounds: number
  readonly seed: number
}

/**
 * How much a random test plays: `few` rounds in `npm test`, `all` in `npm run test:long`. TEST_ROUNDS sets another number, and
 * TEST_SEED another seed than 1. A test with 0 rounds is skipped: `test.runIf(rounds)`.
 *
 * @throws Error if TEST_ROUNDS or TEST_SEED is not a whole number.
 */
export function testRounds({ few, all }: { readonly few: number; readonly all: number }): TestRounds {
  const { TEST_ROUNDS, TEST_SEED = '1' } = process.env
  const rounds = TEST_ROUNDS === 'all' ? all : whole('TEST_ROUNDS', TEST_ROUNDS ?? `${few}`)
  return { rounds, seed: whole('TEST_SEED', TEST_SEED) }
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name}: expected a whole number, got "${text}".`)
  return Number(text)
}
