import { createRequire } from 'node:module'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { scriptedModel } from 'kikimimi/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { heard } from '../testing/channel.ts'
import { broken, careless } from '../testing/health.ts'
import { openPage } from '../testing/open-page.ts'

const plugins = [addressing(), judgeRules(), reply()]
const prices = { scripted: { input: 1, output: 4 } }

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('the page shows that all is well, and problems', async () => {
    await using well = await openPage({ plugins })
    await using first = await visit(browser, `${well.url}/#/health`)
    await first.page.getByText('No problems.').waitFor()
    await first.page.getByText('No limit is set').waitFor()
    expect(first.problems).toEqual([])

    await using bot = await openPage({
      plugins: [broken, ...plugins, careless],
      config: {
        budget: { hour: { tokens: 4_000 }, day: { tokens: 100_000, money: 2 }, prices },
        models: { chat: scriptedModel('At ten.') },
      },
    })
    for (const text of ['kiki, hello', 'kiki, are you there?', 'kiki, when does the train leave?']) await heard(bot, text)
    await using seen = await visit(browser, `${bot.url}/#/health`)
    const { page, problems, picture } = seen
    await page.getByText('There are problems, see below.').waitFor()
    await page.getByText('broken at “score”').waitFor()
    await page.getByText('careless.tidy').waitFor()
    expect(await page.getByRole('meter').count()).toBe(3)
    await page.getByRole('button', { name: 'Run benchmark' }).click()
    await page.getByText('Decisions by rules').waitFor()
    await page.locator('#main').evaluate(main => main.scrollTo(0, 0))
    await picture('health')
    await page.locator('#main').evaluate(main => main.scrollTo(0, main.scrollHeight))
    await picture('health-below')

    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await picture('health-phone-below')
    await page.locator('#main').evaluate(main => main.scrollTo(0, 0))
    await picture('health-phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
    await page.getByText('問題があります').waitFor()
    await picture('health-dark-ja')
    await page.locator('#main').evaluate(main => main.scrollTo(0, main.scrollHeight))
    await picture('health-dark-ja-below')
    expect(problems).toEqual([])

    for (const how of [{}, { colorScheme: 'dark' as const, locale: 'ja-JP', viewport: { width: 390, height: 844 } }]) {
      // axe is a script from outside.
      await using checked = await visit(browser, `${bot.url}/#/health`, { ...how, bypassCSP: true })
      await checked.page.locator('.measured').waitFor()
      await checked.page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      expect(await checked.page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
    }
  }, 240_000)
})
