import { createRequire } from 'node:module'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { scriptedModel } from 'kikimimi/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnView } from '../history/views.ts'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

/** Wider than the screen by so many pixels. */
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

async function faults(page: Page): Promise<unknown> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
}

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  let bot: TestPage
  let turn = ''
  beforeAll(async () => {
    browser = await openBrowser()
    const chat = scriptedModel(({ system }) => (system.includes('a pirate') ? 'It leaves at ten, arr.' : 'It leaves at ten.'))
    bot = await openPage({ plugins: [addressing(), judgeRules(), reply()], config: { models: { chat } } })
    await bot.say('alice', 'kiki, when does the train leave?')
  }, WAIT)
  afterAll(async () => {
    await browser?.close()
    await bot?.[Symbol.asyncDispose]()
  })

  test(
    'a turn is rated and taken again with another character, side by side, and the set is run',
    async () => {
      await using seen = await visit(browser, `${bot.url}/#/evaluation`, { bypassCSP: true })
      const { page, problems, picture } = seen
      const first = async () =>
        ((await (await bot.api('turns')).json()) as { readonly turns: readonly TurnView[] }).turns[0]?.trace
      await expect.poll(async () => (await first())?.outcome, { timeout: WAIT }).toBe('replied')
      turn = (await first())?.turn ?? ''
      await page.getByText('No rated turns yet').waitFor()
      expect(await faults(page)).toEqual([])
      await page.goto(`${bot.url}/#/turns/${turn}`)
      await page.getByRole('button', { name: 'Good' }).click()
      await page.getByLabel('One of these words is in the answer', { exact: true }).fill('ten')
      await page.getByLabel('None of these words is in the answer', { exact: true }).fill('arr')
      await page.getByLabel('Comment').fill('right and short')
      await page.getByRole('button', { name: 'Save rating' }).click()
      await page.getByText('The rating is saved.').waitFor()
      await page.getByText('Again with …').click()
      await page.getByLabel('Character').fill('You are a pirate.')
      await page.getByRole('button', { name: 'Take again' }).click()
      const words = page.locator('.side-by-side .text')
      await expect.poll(() => words.allInnerTexts(), { timeout: WAIT }).toEqual(['It leaves at ten.', 'It leaves at ten, arr.'])
      expect(await page.locator('.side-by-side ins').allInnerTexts()).toEqual([', arr'])
      await picture('evaluation-turn')
      expect(await faults(page)).toEqual([])

      await page.goto(`${bot.url}/#/evaluation`)
      await page.getByText('right and short').waitFor()
      await page.getByLabel('Character').fill('You are a pirate.')
      await page.getByRole('button', { name: 'Take these again' }).click()
      await page.getByText('expected: does not contain arr').waitFor()
      await page.getByText('1 of 1, 100% (21% to 100%)').waitFor()
      await page.getByText('Difference: -100 percentage points').waitFor()
      await picture('evaluation')
      const send = (thumb: object) =>
        bot.api(`ratings/${turn}`, { method: 'PUT', body: { speaks: true, contains: [], forbids: [], comment: '', ...thumb } })
      expect(await page.getByRole('button', { name: 'Latest 10 bad' }).count()).toBe(0)
      await send({ good: false })
      await page.reload()
      await page.getByRole('button', { name: 'Latest 10 bad' }).click()
      await page.getByRole('button', { name: 'Take these again' }).click()
      await expect.poll(() => page.locator('.side-by-side > li').count()).toBe(1)
      await send({ good: true })
      expect(await faults(page)).toEqual([])
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test.each([
    ['ja-JP', '評価', { colorScheme: 'dark' } as const],
    ['ko-KR', '평가', { viewport: { width: 390, height: 844 } }],
  ])(
    'in %s it fits',
    async (locale, title, how) => {
      await bot.api(`ratings/${turn}`, { method: 'PUT', body: { good: false, speaks: false, comment: 'w'.repeat(1_000) } })
      await using seen = await visit(browser, `${bot.url}/#/evaluation`, { locale, ...how })
      const { page, problems, picture } = seen
      await page.locator('.rated').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
      expect(await overflow(page)).toBe(0)
      await picture(`evaluation-${locale}`)
      await page.goto(`${bot.url}/#/turns/${turn}`)
      await page.locator('.one-turn form').first().waitFor()
      expect(await overflow(page)).toBe(0)
      expect(problems).toEqual([])
    },
    WAIT,
  )
})
