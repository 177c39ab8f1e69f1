/**
 * The cost of two other frameworks from npm, in a temporary folder: the install, the start until the first answer, a
 * message without an answer, memory. Each runs without a network and with a model that answers at once.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesIn } from '../base/folders.ts'
import { machine, progress, round } from '../base/measure.ts'

const ROUNDS = 3
const PEERS = {
  koishi: ['koishi@4.18.11', '@koishijs/plugin-mock@2.6.6'],
  elizaos: ['@elizaos/core@1.7.2', '@elizaos/plugin-sql@1.7.2', '@elizaos/plugin-bootstrap@1.7.2'],
}

const results = Object.entries(PEERS).map(([name, packages]) => {
  const folder = mkdtempSync(join(tmpdir(), `kikimimi-${name}-`))
  try {
    return { name, packages, ...measured(name, packages, folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
process.stdout.write(`${JSON.stringify({ machine: machine(), results }, null, 2)}\n`)

function measured(name: string, packages: readonly string[], folder: string) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  progress(`${name}: npm install`)
  // Only the measured parts run.
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packages]
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const lock: { packages: object } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  copyFileSync(new URL(`peers/${name}.mjs`, import.meta.url), join(folder, 'run.mjs'))
  return {
    install: { packages: Object.keys(lock.packages).length, mb: round(bytesIn(join(folder, 'node_modules')) / 2 ** 20, 1) },
    rounds: Array.from({ length: ROUNDS }, (_, at) => {
      progress(`${name}: ${at + 1} of ${ROUNDS}`)
      const args = [join(folder, 'run.mjs'), mkdtempSync(join(folder, 'data-'))]
      const out = execFileSync(process.execPath, args, {
        cwd: folder,
        env: { PATH: process.env.PATH, LOG_LEVEL: 'error' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return JSON.parse(out.slice(out.lastIndexOf('\n{') + 1))
    }),
  }
}
