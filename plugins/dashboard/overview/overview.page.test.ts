import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { HOUR, keepTurns, manyTurns } from '../testing/many-turns.ts'
import { openPage, storeOf, type TestPage } from '../testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

const tile = (page: Page, name: string) => page.locator('.tile', { has: page.getByText(name, { exact: true }) })
const lines = (page: Page) => page.locator('.turn-line')

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  let bot: TestPage
  const turns = manyTurns(200, Date.now() - 5 * 24 * HOUR, 36 * 60_000)
  beforeAll(async () => {
    browser = await openBrowser()
    bot = await openPage()
    await keepTurns(storeOf(bot), turns)
  }, WAIT)
  afterAll(async () => {
    await browser?.close()
    await bot?.[Symbol.asyncDispose]()
  })

  test(
    'figures and pictures are of the period, and lead to the turns behind them',
    async () => {
      await using seen = await visit(browser, `${bot.url}/#/overview/7d`, { bypassCSP: true, timezoneId: 'Asia/Kolkata' })
      const { page, problems, picture } = seen
      await tile(page, 'Turns').waitFor()
      expect(await tile(page, 'Turns').locator('b').innerText()).toBe(String(turns.length))
      await page.locator('.channel-line').first().waitFor()
      await picture('overview')
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])

      const errors = Number(await tile(page, 'Errors').locator('b').innerText())
      expect(errors).toBe(turns.filter(({ trace }) => trace.problems.length > 0).length)
      await tile(page, 'Errors').click()
      await expect.poll(() => lines(page).count()).toBe(Math.min(50, errors))
      await page.goBack()

      const cell = page.locator('a.cell').first()
      const told = await cell.getAttribute('title')
      await cell.click()
      await expect.poll(async () => `${await lines(page).count()}`).toBe(told?.split(': ').at(-1))
      await page.goBack()

      const reason = page.locator('a.reason-line').last()
      const count = Number((await reason.innerText()).split('\n').at(-1))
      await reason.click()
      await expect.poll(() => lines(page).count()).toBe(Math.min(50, count))
      await page.goBack()

      const bar = page.locator('a.column').first()
      const [, inBar] = /turns (\d+)/.exec((await bar.getAttribute('title')) ?? '') ?? []
      await bar.click()
      await expect.poll(async () => `${await lines(page).count()}`).toBe(inBar)
      await page.goBack()

      await page.getByPlaceholder('Search channels').fill('rand')
      await expect.poll(() => page.locator('.channel-line').count()).toBe(1)
      expect(await page.locator('.channel-line').innerText()).toContain('#random')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'in Japanese it fits a phone and the dark',
    async () => {
      for (const [name, how] of [
        ['desktop-dark', { colorScheme: 'dark' }],
        ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
      ] as const) {
        await using seen = await visit(browser, `${bot.url}/#/overview/30d`, { locale: 'ja-JP', ...how })
        const { page, problems, picture } = seen
        await page.locator('.channel-line').first().waitFor()
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('概要')
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        await picture(`overview-ja-${name}`)
        expect(problems).toEqual([])
      }
    },
    WAIT,
  )

  test(
    'it counts a turn that ends while it is open',
    async () => {
      await using other = await openPage()
      await using seen = await visit(browser, `${other.url}/#/overview`)
      const { page } = seen
      await expect.poll(() => tile(page, 'Turns').locator('b').innerText()).toBe('0')
      await other.say('alice', 'is anyone here?')
      await expect.poll(() => tile(page, 'Turns').locator('b').innerText(), { timeout: 60_000 }).toBe('1')
    },
    WAIT,
  )
})
