import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a browser on a machine that exists only for tests. On other machines, the tests that need a browser report it.
 */
export default function prepareBrowser(): void {
  if (!process.env.CI || process.getuid?.() !== 0 || existsSync('/usr/bin/chromium') || !existsSync('/usr/bin/apt-get')) return
  process.stderr.write('installing chromium, for the tests of the dashboard\n')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium', 'fonts-noto-cjk')
}
