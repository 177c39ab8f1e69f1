import { createRequire } from 'node:module'
import { scriptedModel } from 'kikimimi/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'

const HOUR = 60 * 60_000
const budget = { day: { money: 2 }, prices: { scripted: { input: 1, output: 4 } } }

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('a person finds what costs most, by channel and then by plugin', async () => {
    await using bot = await openPage({ config: { budget, models: { chat: scriptedModel('At ten.') } } })
    const now = Date.now()
    for (let hours = 1; hours < 7 * 24; hours += 3) {
      for (const [place, plugin, role, share] of USED) {
        const cost = (share * (2 + Math.sin(hours / 12))) / 100
        await bot.db.query(
          `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
           values (kikimimi.hour_of($1), $2, $3, $4, 'gemini-3-flash', 3, 0, $5, $6, 900, $7)`,
          [new Date(now - hours * HOUR), place, role, plugin, Math.round(cost * 800_000), Math.round(cost * 50_000), cost],
        )
      }
    }
    await using seen = await visit(browser, `${bot.url}/#/costs`)
    const { page, problems, picture } = seen
    await page.getByRole('row', { name: /random/ }).waitFor()
    expect(await page.locator('.cost-bars svg').getAttribute('aria-label')).toContain('Bars by day.')
    expect(await page.locator('.cost-bars g').count()).toBeGreaterThanOrEqual(7)
    await picture('costs')
    await page.getByRole('link', { name: 'test/team/dev', exact: true }).click()
    await page.getByRole('row', { name: /eavesdrop/ }).waitFor()
    expect(await page.getByRole('row', { name: /reflection/ }).count()).toBe(0)
    await page.getByRole('button', { name: '24 hours' }).click()
    await page.locator('.cost-bars svg[aria-label^="Bars by hour"]').waitFor()
    // The address is that of the view.
    await page.reload()
    await page.locator('.cost-bars svg[aria-label^="Bars by hour"]').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('row', { name: /reflection/ }).waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
    await page.getByText('バックグラウンドの処理も含みます').waitFor()
    await picture('costs-phone-ja')
    expect(problems).toEqual([])

    for (const how of [{}, { colorScheme: 'dark' as const, locale: 'ja-JP', viewport: { width: 390, height: 844 } }]) {
      // axe is a script from outside.
      await using checked = await visit(browser, `${bot.url}/#/costs`, { ...how, bypassCSP: true })
      await checked.page.locator('.cost-bars').waitFor()
      await checked.picture(how.colorScheme ? 'costs-dark-phone' : 'costs-axe')
      await checked.page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      expect(await checked.page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
    }
  }, 240_000)
})

const USED = [
  ['test/team/dev', 'reply', 'chat', 5],
  ['test/team/dev', 'eavesdrop', 'judge', 3],
  ['test/team/dev', 'memory-summary', 'summary', 1],
  ['test/team/random', 'reply', 'chat', 2],
  ['direct', 'reply', 'chat', 1],
  ['', 'reflection', 'reflection', 1.5],
] as const
