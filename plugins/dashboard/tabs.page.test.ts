/** Many tabs of one browser, which opens six connections to one address. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from './testing/attack.ts'
import { browserPath, openBrowser, visit } from './testing/browser.ts'
import { openPage, type TestPage } from './testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000
const TABS = 8

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** The streams that are open, by the address of their tab. */
  function streamsOf(context: BrowserContext): () => Page[] {
    const open = new Map<unknown, Page>()
    context.on('request', request => {
      if (request.url().endsWith('/api/events')) open.set(request, request.frame().page())
    })
    context.on('requestfailed', request => void open.delete(request))
    context.on('requestfinished', request => void open.delete(request))
    return () => [...open.values()].filter(page => !page.isClosed())
  }

  async function openTabs(bot: TestPage, context: BrowserContext, count: number): Promise<Page[]> {
    const pages: Page[] = []
    for (let n = 0; n < count; n++) {
      const page = await context.newPage()
      await page.goto(`${bot.url}/#/live`)
      await page.getByRole('heading', { name: 'Live' }).waitFor()
      pages.push(page)
    }
    return pages
  }

  const hear = (pages: readonly Page[], text: RegExp) =>
    Promise.all(pages.map(page => page.getByRole('button', { name: text }).waitFor()))

  test(
    'all share one stream, and another tab takes it over',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, 'about:blank')
      const context = seen.page.context()
      const streams = streamsOf(context)
      const pages = await openTabs(bot, context, TABS)
      await bot.say('bob', 'said to all')
      await hear(pages, /said to all/)
      expect(streams()).toEqual([pages[0]])

      await pages[0]?.close()
      const rest = pages.slice(1)
      await expect.poll(() => streams()).toEqual([rest[0]])
      await bot.say('bob', 'said to the rest')
      await hear(rest, /said to the rest/)
      // A page that was hidden from the others still shows what happened meanwhile.
      await rest[0]?.reload()
      await bot.say('bob', 'said after a reload')
      await hear(rest, /said after a reload/)
      expect(streams().length).toBe(1)
    },
    WAIT,
  )

  test(
    'all notice that the bot is gone, and that it is back',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, 'about:blank')
      const context = seen.page.context()
      const pages = await openTabs(bot, context, 3)
      await bot.say('bob', 'said before')
      await hear(pages, /said before/)
      await context.setOffline(true)
      await bot.reload([])
      await Promise.all(pages.map(page => page.getByText('Connection lost').waitFor()))
      await context.setOffline(false)
      await Promise.all(pages.map(page => page.getByText('Connection lost').waitFor({ state: 'hidden' })))
      await bot.say('bob', 'said when it was back')
      await hear(pages, /said when it was back/)
    },
    WAIT,
  )

  test(
    'a session that ends in one tab ends in all',
    async () => {
      await using bot = await openPage({ password: PASSWORD })
      await using seen = await visit(browser, bot.url)
      await seen.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('heading', { name: 'Overview' }).waitFor()
      const pages = await openTabs(bot, seen.page.context(), 2)
      await seen.page.getByRole('button', { name: 'Log out', exact: true }).click()
      for (const page of [seen.page, ...pages]) await page.getByLabel('Password', { exact: true }).waitFor()
      await seen.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await seen.page.keyboard.press('Enter')
      await seen.page.getByRole('heading', { name: 'Overview' }).waitFor()
      await seen.page.evaluate("location.hash = '#/live'")
      await bot.say('bob', 'said after the login')
      await hear([seen.page], /said after the login/)
    },
    WAIT,
  )

  test(
    'without locks, as on a page without https, each tab has its own stream',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, 'about:blank')
      const context = seen.page.context()
      await context.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
      const streams = streamsOf(context)
      const pages = await openTabs(bot, context, 2)
      await bot.say('bob', 'said to both')
      await hear(pages, /said to both/)
      expect(streams().length).toBe(2)
    },
    WAIT,
  )
})
