import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { systemClock } from 'kikimimi'
import { createLogger } from '../core/base/log.ts'
import { loadTemplate } from '../core/storage/database/pglite-start.ts'

/** Makes the empty database that tests start from, once, before each worker would make its own; and brings a browser along. */
export default async function prepareTests(): Promise<void> {
  bringBrowser()
  await loadTemplate(
    createLogger({ level: 'warn', format: 'lines', write: line => process.stderr.write(line), clock: systemClock }),
  )
}

/** On a machine that is there for the tests alone. Elsewhere, and where it cannot be had, the tests that need it say so. */
function bringBrowser(): void {
  if (!process.env.CI || process.getuid?.() !== 0 || existsSync('/usr/bin/chromium') || !existsSync('/usr/bin/apt-get')) return
  process.stderr.write('installing chromium, for the tests of the dashboard\n')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium', 'fonts-noto-cjk')
}
