import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'

const PASSWORD = 'a long enough password'
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test(
    'a person sees who is logged in and what was changed, and logs out all browsers',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using first = await visit(browser, bot.url)
      await using second = await visit(browser, bot.url)
      for (const { page } of [first, second]) {
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByRole('link', { name: 'Access' }).waitFor()
      }
      const { page, picture } = first
      await page.getByRole('link', { name: 'Access' }).click()
      await page.getByRole('heading', { name: 'Logged in' }).waitFor()
      expect(await page.getByRole('cell', { name: '127.0.0.1' }).count()).toBeGreaterThanOrEqual(4)
      await page.getByRole('cell', { name: 'Log in; sets a cookie' }).first().waitFor()
      await picture('access')
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await page.getByLabel('Password').waitFor()
      await second.page.getByLabel('Password').waitFor()
    },
    WAIT,
  )
})
