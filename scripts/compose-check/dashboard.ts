/**
 * Opens the dashboard in a browser and logs in. Prints what the page loads, without the calls of its API; ends with 1 if that is more than
 * the bundle of the page.
 *   node scripts/run.mjs scripts/compose-check/dashboard.ts URL PASSWORD
 */
import { browserPath, openBrowser, visit } from '../../plugins/dashboard/testing/browser.ts'

const MOST_FILES = 5
const MOST_BYTES = 120_000

const [url = '', password = ''] = process.argv.slice(2)
if (browserPath === undefined) throw new Error('No browser is installed. Install chromium, or name one in CHROMIUM.')
await using browser = await openBrowser()
await using seen = await visit(browser, 'about:blank')
const { page } = seen
const devtools = await page.context().newCDPSession(page)
await devtools.send('Network.enable')
const paths = new Map<string, string>()
let bytes = 0
devtools.on('Network.responseReceived', ({ requestId, response }) => {
  const { pathname } = new URL(response.url)
  if (!pathname.startsWith('/api/')) paths.set(requestId, pathname)
})
// With headers, as it comes over the wire.
devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
  if (paths.has(requestId)) bytes += encodedDataLength
})
await page.goto(url)
await page.getByLabel('Password').fill(password)
await page.getByRole('button', { name: 'Log in' }).click()
await page.getByRole('heading', { name: 'Overview' }).waitFor()

const told = `${paths.size} requests, ${bytes} bytes: ${[...paths.values()].join(' ')}`
if (paths.size > MOST_FILES || bytes > MOST_BYTES)
  throw new Error(`The page loads more than ${MOST_FILES} files or ${MOST_BYTES} bytes. It loads ${told}`)
console.log(told)
