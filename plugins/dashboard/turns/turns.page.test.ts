import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { HOUR, keepTurns, manyTurns } from '../testing/many-turns.ts'
import { openPage, storeOf, type TestPage } from '../testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

const lines = (page: Page) => page.locator('.turn-line')
/** Wider than the screen by so many pixels. */
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  let bot: TestPage
  const turns = manyTurns(160, Date.now() - 40 * HOUR)
  beforeAll(async () => {
    browser = await openBrowser()
    bot = await openPage({ model: 'At ten.' })
    await keepTurns(storeOf(bot), turns)
  }, WAIT)
  afterAll(async () => {
    await browser?.close()
    await bot?.[Symbol.asyncDispose]()
  })

  test(
    'the list is filtered and searched, each view has an address, and a turn shows when its parts ran',
    async () => {
      await using seen = await visit(browser, `${bot.url}/#/turns`, { bypassCSP: true })
      const { page, problems, picture } = seen
      await expect.poll(() => lines(page).count()).toBe(50)
      await picture('turns')
      await page.getByRole('button', { name: 'Show earlier' }).click()
      await expect.poll(() => lines(page).count()).toBe(100)

      await page.getByLabel('Outcome').selectOption('failed')
      await expect.poll(() => page.url()).toContain('#/turns?outcome=failed')
      const failed = turns.filter(({ trace }) => trace.outcome === 'failed').length
      await expect.poll(() => lines(page).count()).toBe(failed)
      await page.getByPlaceholder('Channel').fill('dev')
      await expect.poll(() => page.locator('#found-channel option').count()).toBe(1)
      await page.getByPlaceholder('Channel').fill('#dev')
      const both = turns.filter(({ trace, channel }) => trace.outcome === 'failed' && channel === 'dev').length
      await expect.poll(() => lines(page).count()).toBe(both)
      await page.reload()
      await expect.poll(() => lines(page).count()).toBe(both)
      await page.getByRole('button', { name: 'Remove the filter Channel: #dev' }).waitFor()
      await picture('turns-filtered')

      await page.keyboard.press('/')
      await page.keyboard.type('deploy')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain('text=deploy')
      await page.keyboard.press('Escape')
      await expect.poll(() => lines(page).count()).toBe(50)

      await page.getByLabel('Outcome').selectOption('replied')
      await expect.poll(() => lines(page).count()).toBe(turns.filter(({ trace }) => trace.outcome === 'replied').length)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      expect(
        await lines(page)
          .nth(1)
          .evaluate(link => link === link.ownerDocument.activeElement),
      ).toBe(true)
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
      await page.locator('.waterfall .part.model').waitFor()
      expect(await page.locator('.waterfall .part').allInnerTexts()).toEqual([
        expect.stringContaining('Score'),
        expect.stringContaining('Decide'),
        expect.stringContaining('Context'),
        expect.stringContaining('Respond'),
        expect.stringMatching(/large|small/),
      ])
      await picture('turn-one')
      const first = page.url()
      await page.keyboard.press('j')
      await expect.poll(() => page.url()).not.toBe(first)
      await page.getByRole('link', { name: 'Newer' }).waitFor()
      await page.keyboard.press('k')
      await expect.poll(() => page.url()).toBe(first)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await picture('turns-keys')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
      await page.keyboard.press('Escape')
      await expect.poll(() => page.url()).toMatch(/#\/turns\?outcome=replied$/)
      await lines(page).first().waitFor()
      expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'in Japanese, in the dark and on a phone it fits, and the export is a file',
    async () => {
      for (const [name, how] of [
        ['desktop-dark', { colorScheme: 'dark' }],
        ['phone', PHONE],
      ] as const) {
        await using seen = await visit(browser, `${bot.url}/#/turns?outcome=replied`, { locale: 'ja-JP', ...how })
        const { page, problems, picture } = seen
        await lines(page).first().waitFor()
        expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('ターン')
        expect(await overflow(page)).toBe(0)
        await picture(`turns-ja-${name}`)
        const loading = page.waitForEvent('download')
        await page.getByRole('link', { name: '書き出す' }).click()
        const file = await (await loading).createReadStream()
        const text = (await file.toArray()).join('')
        expect(text.trimEnd().split('\n')).toHaveLength(turns.filter(({ trace }) => trace.outcome === 'replied').length)
        await lines(page).first().click()
        await page.locator('.waterfall').waitFor()
        expect(await overflow(page)).toBe(0)
        await picture(`turn-one-ja-${name}`)
        expect(problems).toEqual([])
      }
    },
    WAIT,
  )

  test(
    'a minute of yesterday is found by its time, and a channel by Enter',
    async () => {
      await using other = await openPage()
      // The browser is in India, where the clock is 5:30 h ahead of that of the server.
      const yesterday = new Date(Date.now() + 5.5 * HOUR - 24 * HOUR).toISOString().slice(0, 10)
      const local = `${yesterday}T14:10`
      const minute = new Date(`${local}+05:30`)
      await keepTurns(storeOf(other), manyTurns(90, minute.getTime() - 45 * 60_000 + 10_000, 60_000))
      await using seen = await visit(browser, `${other.url}/#/turns`, { timezoneId: 'Asia/Kolkata' })
      const { page } = seen
      const until = page.getByLabel('Up to')
      await until.fill(local)
      await expect.poll(() => lines(page).first().innerText()).toContain('2:10')
      await page.getByPlaceholder('Channel').fill('DEV')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove the filter Channel: #dev' }).waitFor()
      await page.reload()
      expect(await until.inputValue()).toBe(local)
      await expect.poll(async () => (await lines(page).allInnerTexts()).every(text => text.includes('#dev'))).toBe(true)
      await until.fill('')
      await expect.poll(() => page.url()).not.toContain('until')
    },
    WAIT,
  )

  test(
    'hostile names, 200 tools and a turn that is gone',
    async () => {
      await using other = await openPage()
      const odd = manyTurns(3, Date.now() - HOUR)
      const tools = Array.from({ length: 200 }, (_, n) => ({ what: 'tool', name: `tool-${n}`, afterMs: 30 + n, ms: 5 }) as const)
      await keepTurns(
        storeOf(other),
        odd.map((turn, n) => ({
          ...turn,
          author: ['x'.repeat(500), '\u202e\u202e\u202e', '<img src=x onerror=alert(1)>'][n] ?? '',
          trace:
            n === 2
              ? { ...turn.trace, tools: tools.map(({ name }) => name), timeline: [...(turn.trace.timeline ?? []), ...tools] }
              : turn.trace,
        })),
      )
      await using seen = await visit(browser, `${other.url}/#/turns`, PHONE)
      const { page, problems, picture } = seen
      await expect.poll(() => lines(page).count()).toBe(3)
      expect(await overflow(page)).toBe(0)
      await picture('turns-odd')
      await lines(page).first().click()
      await page.getByRole('button', { name: 'Show all 205 parts' }).click()
      expect([await page.locator('.waterfall .part').count(), await overflow(page)]).toEqual([205, 0])
      await page.evaluate(`location.hash = '#/turns/none'`)
      await page.getByText('This turn does not exist').waitFor()
      await page.evaluate(`location.hash = '#/turns?before=1&colour=red'`)
      await page.getByRole('alert').waitFor()
      expect(problems.filter(text => !text.includes('400'))).toEqual([])
    },
    WAIT,
  )

  test(
    'new turns are offered, and do not move the list',
    async () => {
      await using other = await openPage()
      await keepTurns(storeOf(other), manyTurns(5, Date.now() - HOUR, 1_000))
      await using seen = await visit(browser, `${other.url}/#/turns`)
      const { page } = seen
      await expect.poll(() => lines(page).count()).toBe(5)
      await other.say('alice', 'is anyone here?')
      const button = page.getByRole('button', { name: 'Show new turns (1)' })
      await button.waitFor()
      expect(await lines(page).count()).toBe(5)
      await button.click()
      await expect.poll(() => lines(page).first().innerText()).toContain('is anyone here?')
    },
    WAIT,
  )
})
