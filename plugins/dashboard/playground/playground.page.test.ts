import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, choose, openBrowser, say, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('who talks in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test(
    'keys that end a conversion of kana neither send nor close anything',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await say(page, 'a message')
      const message = page.locator('.message', { hasText: 'a message' })
      await choose(message, 'Thread')
      const thread = page.getByRole('complementary', { name: 'Thread' })
      const field = thread.getByRole('textbox', { name: 'Message' })
      await field.focus()
      const keyboard = await page.context().newCDPSession(page)
      await keyboard.send('Input.imeSetComposition', { text: 'かな', selectionStart: 2, selectionEnd: 2 })
      await page.keyboard.press('Escape')
      await field.fill('かな')
      // Safari sends the Enter key after the conversion.
      await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
      expect(await field.inputValue()).toBe('かな')
      await page.keyboard.press('Enter')
      await thread.locator('.message', { hasText: 'かな' }).waitFor()
      await page.keyboard.press('Escape')
      await thread.waitFor({ state: 'detached' })
    },
    WAIT,
  )

  test(
    'a room that is slow to come neither hides the next one nor forgets what happens meanwhile',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, `${bot.url}/#/playground/slow`)
      const { page } = seen
      const inRoom = (room: string, text: string) =>
        bot.api('playground/messages', { method: 'POST', body: { room, author: 'bob', text } })
      await inRoom('slow', 'said before')
      await page.goto(`${bot.url}/#/playground/quick`)
      await page.getByRole('heading', { name: '#quick' }).waitFor({ state: 'attached' })

      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let times = 0
      await page.route('**/api/playground/messages?room=slow', async route => {
        const time = times++
        const response = await route.fetch()
        asked[time]?.resolve()
        await gates[time]?.promise
        await route.fulfill({ response })
      })
      await page.goto(`${bot.url}/#/playground/slow`)
      await asked[0]?.promise
      await page.goto(`${bot.url}/#/playground/quick`)
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      const late = page.waitForResponse(/room=slow/)
      gates[0]?.resolve()
      await (await late).finished()
      await inRoom('quick', 'said here')
      await page.locator('.message', { hasText: 'said here' }).waitFor()
      expect(await page.locator('.message').count()).toBe(1)

      await page.goto(`${bot.url}/#/playground/slow`)
      await asked[1]?.promise
      await page.evaluate('globalThis.heard = new EventSource("/api/events"); new Promise(open => { heard.onopen = open })')
      const told = page.evaluate('new Promise(told => { heard.onmessage = told }).then(() => {})')
      await inRoom('slow', 'said meanwhile')
      await told
      gates[1]?.resolve()
      for (const text of ['said before', 'said meanwhile']) await page.locator('.message', { hasText: text }).waitFor()
    },
    WAIT,
  )

  test(
    'a bot that does not answer at first is asked again, and where one goes meanwhile is where one is',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, 'about:blank')
      const { page } = seen
      let times = 0
      await page.route('**/api/playground', async route => (times++ === 0 ? route.abort() : route.continue()))
      await page.addInitScript("addEventListener('DOMContentLoaded', () => { location.hash = '#/playground/elsewhere' })")
      await page.goto(`${bot.url}/#/playground/somewhere`)
      await page.getByRole('heading', { name: '#elsewhere' }).waitFor({ state: 'attached' })
      expect(times).toBeGreaterThan(1)
    },
    WAIT,
  )

  test(
    'neither a failure nor a look at why loses what one was about to say',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await say(page, 'a message')
      const message = page.locator('.message', { hasText: 'a message' }).first()
      await choose(message, 'Reply')
      await page.route('**/api/playground/messages', route => route.abort())
      await say(page, 'an answer')
      await page.locator('.notice.shown').waitFor()
      await page.locator('.replying', { hasText: 'a message' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('an answer')

      await choose(message, 'Thread')
      const thread = page.getByRole('complementary', { name: 'Thread' })
      await thread.getByRole('textbox', { name: 'Message' }).fill('a draft')
      await thread.locator('button.verdict').click()
      await page.getByRole('complementary', { name: 'Why' }).waitFor()
      expect(await thread.count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(await thread.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('a draft')
      expect(await thread.locator('button.verdict:focus').count()).toBe(1)
    },
    WAIT,
  )

  test(
    'who reads what was said before is left in peace',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      const log = page.getByRole('log')
      await say(page, Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n'))
      await page.locator('button.verdict').waitFor()
      const fromEnd = () => log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
      const scrollTo = (top: number) =>
        log.evaluate(
          (element, to) =>
            new Promise<void>(done => {
              element.addEventListener('scroll', () => done(), { once: true })
              element.scrollTop = to
            }),
          top,
        )
      expect(await fromEnd()).toBeLessThan(2)
      const hears = async (text: string) => {
        await bot.api('playground/messages', { method: 'POST', body: { room: 'general', author: 'bob', text } })
        await page.locator('.message', { hasText: text }).locator('button.verdict').waitFor()
      }
      await scrollTo(0)
      await hears('while somebody reads')
      expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
      await scrollTo(1_000_000)
      await hears('while nobody reads')
      expect(await fromEnd()).toBeLessThan(2)
    },
    WAIT,
  )
})
