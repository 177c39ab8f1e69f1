/** What a browser keeps of a visit, when accounts decide what it may show. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'

const PASSWORD = 'a long password'
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 180_000

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  async function logIn(page: Page, account: string, password: string) {
    await page.getByLabel('Account', { exact: true }).fill(account)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('link', { name: 'Overview' }).waitFor()
  }

  const kept = (page: Page) => page.evaluate('localStorage.getItem("lastVisit")') as Promise<string>

  test(
    'a visit keeps no message and no name of a person, and a logout nothing at all',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await logIn(page, 'owner', PASSWORD)
      await bot.say('alice', 'the spare key is under the pot')
      await page.goto(`${bot.url}/#/playground/kitchen`)
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      await expect.poll(() => kept(page)).toContain('kitchen')
      expect(await kept(page)).not.toMatch(/alice|spare/)
      await page.getByRole('button', { name: 'Log out', exact: true }).click()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      expect(await kept(page)).toBe('{}')
    },
    WAIT,
  )

  test(
    'a session that has ended meanwhile leads to the login, and an account of another role sees its own pages',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await logIn(page, 'owner', PASSWORD)
      await page.getByRole('link', { name: 'Operations' }).waitFor()
      const session = { 'content-type': 'application/json' }
      const add = `fetch('/api/access/accounts', { method: 'POST', headers: ${JSON.stringify(session)},
        body: JSON.stringify({ name: 'vera', role: 'viewer', password: 'another long one' }) }).then(({ status }) => status)`
      expect(await page.evaluate(add)).toBe(200)
      await page.context().clearCookies()
      await page.goto(`${bot.url}/?again`)
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      await logIn(page, 'vera', 'another long one')
      await page.getByRole('link', { name: 'Health' }).waitFor()
      expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    },
    WAIT,
  )
})
