/**
 * Random rounds of people who tell secrets on two platforms, more of them than `test/privacy.test.ts` plays in the test suite.
 * `npm run bench:privacy -- [--rounds 3000] [--seed 1] [--shrink] [--pairs | --canaries 1000]`
 */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    /** With the rounds that the first fault of each town needs. */
    shrink: { type: 'boolean', default: false },
    /** Plays each town again for each place with other secrets there: what others see is the same. */
    pairs: { type: 'boolean', default: false },
    /** Tells so many words to a bot with every shipped plugin and each of three models, and counts what is left when all are gone. */
    canaries: { type: 'string' },
  },
})
using folder = mkdtempDisposableSync(join(tmpdir(), 'kikimimi-privacy-'))
const report = join(folder.path, 'report.json')
const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  `test/privacy${values.canaries ? '-canaries' : values.pairs ? '-pairs' : ''}.test.ts`,
  '--testTimeout=0',
]
const env = {
  ...{ ...process.env, CI: '1', TEST_ROUNDS: values.rounds, TEST_SEED: values.seed, PRIVACY_REPORT: report },
  ...(values.canaries && { CANARIES: values.canaries }),
  ...(values.shrink && { PRIVACY_SHRINK: '1' }),
}
const { status } = spawnSync(process.execPath, vitest, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
process.stdout.write(`${readFileSync(report, 'utf8')}\n`)
process.exitCode = status ?? 1
