import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser } from '../testing/browser.ts'
import { keyFact, openMemory } from '../testing/memory-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('when something goes wrong or comes late', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const open = () => openMemory(browser)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent')

  /** Responses of this method are delayed until the returned function is called. */
  async function holdBack(page: Page, path: string, method: string) {
    const go = Promise.withResolvers<void>()
    await page.route(path, async route => {
      const answer = route.request().method() === method ? await route.fetch() : undefined
      if (answer) await go.promise
      await (answer ? route.fulfill({ response: answer }) : route.fallback())
    })
    return go.resolve
  }

  test(
    'a fact that was pinned or edited still tells why it came to mind',
    async () => {
      await using m = await open()
      const { page } = m
      await page.getByRole('searchbox').fill('where is the key under the pot?')
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('1 fact', { exact: true }).waitFor()
      const meter = page.getByRole('img', { name: /^Score \d/ })
      await meter.waitFor()
      await keyFact(page).click()
      await button(page, 'Pin').click()
      await button(page, 'Unpin').waitFor()
      await page.getByText('Score details').waitFor()
      const parts = await page.locator('.score li').count()
      expect(parts).toBeGreaterThan(1)
      await button(page, 'Edit').click()
      await page.getByRole('textbox', { name: 'Text' }).fill('The spare key is in the blue pot')
      await page.keyboard.press('Enter')
      await page.getByText(/edited/).waitFor()
      await expect.poll(() => focused(page)).toBe('Edit')
      expect(await page.locator('.score li').count()).toBe(parts)
      expect(await page.getByText(/covers \d+ %/).count()).toBe(1)
      expect(await meter.count()).toBe(1)
    },
    WAIT,
  )

  test(
    'what is shown meanwhile stays when a change is answered late',
    async () => {
      await using m = await open()
      const { page } = m
      for (let n = 0; n < 60; n++) await m.keep(`cup ${n} is green`)
      await page.reload()
      const rows = page.locator('.fact')
      await expect.poll(() => rows.count()).toBe(50)
      await page.getByRole('status').getByText('The first 50 facts').waitFor()
      const answerNow = await holdBack(page, '**/api/facts/*', 'PATCH')
      await rows.first().getByRole('button').click()
      await button(page, 'Pin').click()
      await button(page, 'Show more').press('Enter')
      await expect.poll(() => rows.count()).toBe(62)
      // The button is gone. The first new row has the focus.
      await expect
        .poll(() => page.evaluate('document.activeElement.closest("li") === document.querySelectorAll(".fact")[50]'))
        .toBe(true)
      answerNow()
      await button(page, 'Unpin').waitFor()
      expect(await rows.count()).toBe(62)
      await page.getByRole('status').getByText('62 facts').waitFor()
    },
    WAIT,
  )

  test(
    'a double click forgets nothing; what is forgotten hands the focus to its neighbour',
    async () => {
      await using m = await open()
      const { page, picture } = m
      await keyFact(page).click()
      const forget = button(page, 'Forget “The spare key is under the blue pot”')
      await forget.dblclick()
      await forget.waitFor()
      await forget.press('Enter')
      await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
      await picture('memory-sure')
      await page.keyboard.press('Escape')
      await page.locator('button:focus', { hasText: 'Forget' }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await keyFact(page).waitFor({ state: 'detached' })
      await expect.poll(() => focused(page)).toContain('half past ten now')
    },
    WAIT,
  )

  test(
    'two people forgotten at once both go, and a name that is not theirs is told so',
    async () => {
      await using m = await open()
      const { page, picture } = m
      await button(page, 'People').click()
      const answerNow = await holdBack(page, '**/api/people/forget', 'POST')
      for (const name of ['alice', 'bob']) {
        await button(page, `Forget ${name}`).click()
        await page.locator('input:focus').waitFor()
        await page.keyboard.type('somebody')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').getByText(`The name does not match. Type “${name}”.`).waitFor()
        await picture('memory-wrong-name')
        await page.locator('input:focus').fill(name)
        await page.getByRole('alert').waitFor({ state: 'detached' })
        await page.keyboard.press('Enter')
        await page.locator('.confirm input').waitFor({ state: 'detached' })
        await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe(`Forget ${name}`)
      }
      answerNow()
      await page.getByText('Nobody has sent a message yet.').waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    },
    WAIT,
  )

  test(
    'what failed is tried again, with the same words too',
    async () => {
      await using m = await open()
      const { page, picture } = m
      const failing = (path: string) => page.route(path, route => route.abort(), { times: 1 })
      const again = button(page, 'Try again')

      await page.getByRole('searchbox').fill('where is the key under the pot?')
      await failing('**/api/facts?*')
      await button(page, 'Search').click()
      await page.getByRole('alert').waitFor()
      await button(page, 'Search').click()
      await page.getByRole('status').getByText('1 fact', { exact: true }).waitFor()

      await failing('**/api/places')
      await page.reload()
      await again.click()
      await keyFact(page).waitFor()

      await failing('**/api/people')
      await button(page, 'People').click()
      await again.waitFor()
      await picture('memory-failed')
      await again.click()
      const known = page.getByRole('link', { name: 'Facts about bob' })
      await known.waitFor()

      await failing('**/api/people/facts?*')
      await known.press('Enter')
      await again.click()
      await page.getByRole('heading', { name: 'Facts about bob' }).waitFor()
      await page.getByRole('link', { name: 'All people' }).press('Enter')
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('People')
      await known.press('Enter')
      await expect.poll(() => focused(page)).toBe('Facts about bob')
    },
    WAIT,
  )
})
