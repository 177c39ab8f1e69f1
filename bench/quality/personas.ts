/**
 * Two personas in a Discord guild and a Slack workspace, and random messages with secrets to both, more of them than
 * `test/personas/crossings.test.ts` plays in the test suite: secrets that cross from one persona to the other, and the same without the rule.
 * `npm run bench:personas -- [--messages 2000] [--seed 1]`
 */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
})
using folder = mkdtempDisposableSync(join(tmpdir(), 'kikimimi-personas-'))
const report = join(folder.path, 'report.json')
const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/personas/crossings.test.ts', '--testTimeout=0']
const env = { ...process.env, CI: '1', TEST_ROUNDS: values.messages, TEST_SEED: values.seed, PERSONAS_REPORT: report }
const { status } = spawnSync(process.execPath, vitest, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
process.stdout.write(`${readFileSync(report, 'utf8')}\n`)
process.exitCode = status ?? 1
