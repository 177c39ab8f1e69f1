/** Three jobs without a pointer: Tab, Enter and the text alone. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from './testing/attack.ts'
import { browserPath, openBrowser, visit } from './testing/browser.ts'
import { openPage } from './testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

/** More stops than any page has before what one looks for. */
const STOPS = 60

describe.skipIf(browserPath === undefined)('with the keyboard alone', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** The name of the focused element; empty after the last one, when the whole page has the focus. */
  const focused = (page: Page) =>
    page.evaluate(
      `(one => one === document.body ? '' : one.ariaLabel ?? (one.innerText || one.labels?.[0]?.innerText || ''))(document.activeElement)`,
    )

  /** Presses Tab until an element with this name has the focus, and checks that the focus can be seen. */
  async function go(page: Page, name: RegExp) {
    const passed: unknown[] = []
    for (let stop = 0; stop < STOPS; stop++) {
      await page.keyboard.press('Tab')
      const here = String(await focused(page))
      if (name.test(here)) {
        // A field may have the outline of its frame.
        const outlines = (await page.evaluate(
          '[document.activeElement, document.activeElement.parentElement].map(one => getComputedStyle(one).outlineStyle)',
        )) as string[]
        expect([here, outlines.filter(style => style !== 'none').length]).not.toEqual([here, 0])
        return
      }
      passed.push(here)
    }
    throw new Error(`Tab does not reach ${name}; it passes ${passed.join(' | ')}`)
  }

  test(
    'one says something, reads why the bot answered, and comes back',
    async () => {
      await using bot = await openPage({ model: 'At ten.' })
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      await go(page, /^Message$/)
      await page.keyboard.type('@kiki when does the train leave?')
      await page.keyboard.press('Enter')
      await page.locator('.own', { hasText: 'At ten.' }).waitFor()
      await go(page, /Answers.*mentions the bot/s)
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Why' }).getByText('addressed by a mention').waitFor()
      await page.keyboard.press('Escape')
      expect(await focused(page)).toMatch(/mentions the bot/)
    },
    WAIT,
  )

  test(
    'one logs in, makes the bot quiet in a channel, and ends that',
    async () => {
      await using bot = await openPage({ password: PASSWORD, plugins: [quiet(), addressing(), judgeRules(), reply()] })
      await bot.say('alice', 'is anyone here?')
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await page.getByLabel('Password', { exact: true }).waitFor()
      await go(page, /^Password/)
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await go(page, /^Channels$/)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: /#dev/ }).waitFor()
      await go(page, /#dev/)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Quiet for 1 hour' }).waitFor()
      await go(page, /^Quiet for 1 hour$/)
      await page.keyboard.press('Enter')
      await page.getByText('I was asked to be quiet here').waitFor()
      await go(page, /^End quiet mode$/)
      await page.keyboard.press('Enter')
      await page.getByText('I was asked to be quiet here').waitFor({ state: 'detached' })
      expect(await focused(page)).toBe('End quiet mode')
    },
    WAIT,
  )

  test(
    'one sets an option of a channel, and takes it back',
    async () => {
      await using bot = await openPage({ plugins: [quiet(), addressing(), judgeRules(), reply()] })
      await bot.say('alice', 'is anyone here?')
      await expect.poll(async () => ((await (await bot.api('channels')).json()) as { channels: [] }).channels.length).toBe(1)
      await using seen = await visit(browser, `${bot.url}/#/channels/test%2Fteam%2Fdev/settings`)
      const { page } = seen
      await page.getByText('judge-rules').first().waitFor()
      await go(page, /^judge-rules/)
      await page.keyboard.press('Enter')
      await go(page, /^Change threshold$/)
      await page.keyboard.press('Enter')
      await page.locator('input:focus').waitFor()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('75')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Reset threshold' }).waitFor()
      await go(page, /^Reset threshold$/)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Reset threshold' }).waitFor({ state: 'detached' })
    },
    WAIT,
  )
})
