import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Starts the browser that all test files share. The returned function ends it. */
export default async function prepareBrowser(): Promise<(() => Promise<void>) | undefined> {
  install()
  // Not before the installation, because the module looks for the browser.
  const { browserPath, serveBrowser } = await import('../plugins/dashboard/testing/browser.ts')
  if (browserPath === undefined) return undefined
  const { address, close } = await serveBrowser()
  process.env.TEST_BROWSER = address
  return close
}

const BROWSER = '/usr/bin/chromium-headless-shell'

/** Installs a browser on a machine that exists only for tests. On other machines, the tests that need a browser report it. */
function install(): void {
  if (!process.env.CI || process.getuid?.() !== 0 || existsSync(BROWSER) || !existsSync('/usr/bin/apt-get')) return
  process.stderr.write('installing a browser, for the tests of the dashboard\n')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 })
  apt('update')
  apt('install', '--yes', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-cjk')
}
