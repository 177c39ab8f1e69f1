import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
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
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByRole('link', { name: 'Access' }).waitFor()
      }
      const { page, picture } = first
      await page.getByRole('link', { name: 'Access' }).click()
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
      await page.getByRole('button', { name: 'End the session of owner' }).waitFor()
      await expect.poll(() => page.getByRole('cell', { name: '127.0.0.1' }).count()).toBeGreaterThanOrEqual(4)
      await page.getByRole('cell', { name: 'Log in; sets a cookie' }).first().waitFor()
      await picture('access')
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await page.getByLabel('Password', { exact: true }).waitFor()
      await second.page.getByLabel('Password', { exact: true }).waitFor()
    },
    WAIT,
  )

  test(
    'on a phone the tables break no word, and show what was refused',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using phone = await visit(browser, bot.url, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
      const { page, picture } = phone
      await enter(page, 'owner', 'not the password')
      await page.getByText('Wrong password.').waitFor()
      await enter(page, 'owner', PASSWORD)
      await page.getByRole('link', { name: 'Access' }).click()
      await page.getByRole('heading', { name: 'Change log' }).waitFor()
      await page.getByRole('heading', { name: 'Change log' }).waitFor()
      await page.getByRole('cell', { name: 'Log in; sets a cookie refused (401)' }).waitFor()
      expect(await brokenWords(page)).toEqual([])
      expect(await faults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await page.getByRole('heading', { name: 'Sessions' }).scrollIntoViewIfNeeded()
      await page.evaluate(`document.querySelector('.browser').scrollIntoView({ block: 'center', inline: 'end' })`)
      await picture('access-phone-sessions')
      await page.getByLabel('Outcome').selectOption('Done')
      await page.getByRole('cell', { name: 'refused (401)' }).waitFor({ state: 'detached' })
      await page.getByLabel('Outcome').selectOption('Refused')
      await page.getByRole('cell', { name: 'refused (401)' }).waitFor()
      await page.evaluate(`document.querySelector('[aria-label=Outcome]').scrollIntoView({ block: 'center' })`)
      await picture('access-phone-changes')
    },
    WAIT,
  )

  test(
    'an owner adds an account and sets a second factor; a viewer sees only what a viewer may',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using owner = await visit(browser, bot.url)
      const { page, picture } = owner
      await enter(page, 'owner', PASSWORD)
      await page.getByRole('link', { name: 'Access' }).click()
      await page.getByLabel('Name', { exact: true }).fill('bea')
      await page.getByLabel('New password').fill('a password of bea')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByLabel('Role: bea').waitFor()
      expect(await faults(page)).toEqual([])
      await picture('access-accounts')

      await page.getByRole('button', { name: 'Set up' }).click()
      const secret = (
        await page
          .getByText(/^Secret/)
          .locator('code')
          .innerText()
      ).replaceAll(' ', '')
      expect(await faults(page)).toEqual([])
      await picture('access-second-factor')
      const code = (at = Date.now()) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
      await page.getByLabel('Code of the second factor').fill('000000')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('That is not the code of now.').waitFor()
      await page.getByLabel('Code of the second factor').fill(code(Date.now() - 30_000))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByText('The login needs a code of your authenticator app.').waitFor()
      await page.getByRole('button', { name: 'Log out', exact: true }).click()

      await enter(page, 'owner', PASSWORD)
      await page.getByText('The password is right.').waitFor()
      await picture('access-login-code')
      await page.getByLabel('Code of the second factor').fill(code())
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('link', { name: 'Memory' }).waitFor()

      await using viewer = await visit(browser, bot.url, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
      await enter(viewer.page, 'bea', 'a password of bea')
      await viewer.page.getByRole('heading', { name: 'Overview' }).waitFor()
      expect(await viewer.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()).toEqual([
        'Overview',
        'Health',
        'Access',
        'API',
      ])
      await viewer.page.getByRole('link', { name: 'Access' }).click()
      await viewer.page.getByRole('heading', { name: 'Your account' }).waitFor()
      expect(await viewer.page.getByRole('heading', { name: 'Accounts' }).count()).toBe(0)
      expect(await faults(viewer.page)).toEqual([])
      await viewer.picture('access-viewer-phone-dark')

      // A changed role ends the session.
      await page.getByRole('link', { name: 'Access' }).click()
      await page.getByLabel('Role: bea').selectOption('moderator')
      await page.getByRole('cell', { name: 'Change the role of an account; ends its sessions' }).waitFor()
      await viewer.page.getByRole('link', { name: 'Health' }).click()
      await viewer.page.getByLabel('Password', { exact: true }).waitFor()
      // Answers that refuse, and a stream that ends with its session.
      expect(
        [...owner.problems, ...viewer.problems].filter(problem => !/\b(401|422)\b|INCOMPLETE_CHUNKED/.test(problem)),
      ).toEqual([])
    },
    WAIT,
  )
})

/** Words of table cells that are broken into several lines. */
async function brokenWords(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('td')].flatMap(cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const broken = []
    while (texts.nextNode())
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
        const range = new Range()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    return broken
  })`)
}

async function enter(page: Page, account: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Account' }).fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds. The policy of the page refuses scripts from outside, but not code of the browser's tools. */
async function faults(page: Page): Promise<unknown> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))')
}
