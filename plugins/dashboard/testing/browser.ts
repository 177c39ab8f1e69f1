/** A browser for tests, if one is installed. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'

// The headless shell takes 40 % less processor time than the whole browser.
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Undefined without an installed browser. */
export const browserPath = [process.env.CHROMIUM ?? '', ...PLACES].find(path => path !== '' && existsSync(path))

if (browserPath === undefined) {
  process.stderr.write('\nSKIPPED: nothing looks at the page of the dashboard. Install chromium, or name one in CHROMIUM.\n\n')
}

/** Screenshots of the tests. */
const PICTURES = fileURLToPath(new URL('../../../.cache/screenshots/', import.meta.url))

// Chromium's sandbox does not run as root. The page is our own.
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage']

/**
 * The browser that all test files share, if one is served; otherwise, and with further arguments, a new one.
 * `close` ends a new one, and the pages in a shared one.
 */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const { TEST_BROWSER } = process.env
  if (TEST_BROWSER && more.length === 0) return chromium.connect(TEST_BROWSER)
  return chromium.launch({ executablePath: browserPath ?? '', args: [...ARGS, ...more] })
}

/** Serves a browser to the processes that get its address in TEST_BROWSER. */
export async function serveBrowser(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = await chromium.launchServer({ executablePath: browserPath ?? '', args: ARGS, host: '127.0.0.1' })
  return { address: server.wsEndpoint(), close: () => server.close() }
}

/** Opens a page in a fresh profile. `problems` has its errors and policy violations. */
export async function visit(
  browser: Browser,
  url: string,
  how: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[]; picture: (name: string) => Promise<void> } & AsyncDisposable> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...how,
  })
  // Generous, because a busy machine is slow and this test measures no speed.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(error.message))
  await page.goto(url)
  return {
    page,
    problems,
    async picture(name) {
      await mkdir(PICTURES, { recursive: true })
      await page.screenshot({ path: `${PICTURES}${name}.png` })
    },
    async [Symbol.asyncDispose]() {
      // A request that is still held by a handler of a test would reject when the page is closed, outside of any test.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    },
  }
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}

/** The entries of the menu. */
export async function choose(message: Locator, name: string): Promise<void> {
  await message.hover()
  await message.getByRole('button', { name: 'Message actions' }).click()
  await message.getByRole('button', { name }).click()
}
