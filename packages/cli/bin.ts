#!/usr/bin/env node
/**
 * The command `kikimimi` in the folder of a bot. Every Node that runs npm can parse this file, so that an older Node gives a
 * clear message instead of a syntax error.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED = 24

// Half of the memory, and two thirds of its peak: the young generation stays small, garbage is collected before it is larger than
// what is in use (Node waits for 256 MB), and the functions of the embedded Postgres are not optimised, which takes 600 MB for one of
// them.
const FLAGS = [
  '--max-semi-space-size=4',
  '--initial-old-space-size=64',
  '--heap-growing-percent=50',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
]

const args = process.argv.slice(2)

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `kikimimi needs Node ${NEEDED} or newer; this is ${process.version}. Install it from nodejs.org, or only for this folder: npm install node@${NEEDED}\n`,
  )
  process.exitCode = 1
} else {
  // A container has its whole environment already, and the mounted file can be unreadable there.
  if (!process.env.KIKIMIMI_PACKAGES && existsSync('.env')) process.loadEnvFile()
  // Replaces this process where the system supports it, so that no second process stays in memory.
  if (args[0] === 'start' && process.platform !== 'win32' && !FLAGS.every(flag => process.execArgv.includes(flag))) {
    const self = fileURLToPath(import.meta.url)
    process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...FLAGS, self, ...args])
  }
  // Half of the time that a start takes to read the code.
  process.getBuiltinModule('node:module').enableCompileCache()
  await import('./cli.ts')
}
