import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser } from '../testing/browser.ts'
import { openMemory, room } from '../testing/memory-page.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('the inbox in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const open = async (how?: BrowserContextOptions) => {
    const m = await openMemory(browser, how, { model: 'Under the pot.' })
    const show = (view: string) => m.page.goto(`${m.bot.url}/#/memory${view}`)
    return { ...m, show }
  }
  const texts = (page: Page) => page.locator('.inbox > .fact > .fact-row > span:first-child').allInnerTexts()

  test(
    'many facts are confirmed, changed and forgotten at once, by keyboard too',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      for (let n = 0; n < 55; n++) await m.keep(`cup ${n} is green`)
      await m.show('')
      const rows = page.locator('.inbox > .fact')
      await page.getByRole('button', { name: /^cup 54 is green/ }).waitFor()
      expect(await rows.count()).toBe(50)
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(() => rows.count()).toBe(57)

      await page.getByRole('searchbox').fill('cups 5')
      await page.keyboard.press('Enter')
      await expect.poll(() => texts(page)).toEqual(['cup 5 is green'])
      await page.getByRole('checkbox', { name: 'Select “cup 5 is green”' }).press('Space')
      await page.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
      await page.getByText('Facts changed: 1').waitFor()
      await page.getByRole('button', { name: /^cup 5 is green.*pinned/ }).waitFor()
      // The filter is in the address.
      await page.reload()
      await page.getByRole('button', { name: /^cup 5 is green.*pinned/ }).waitFor()
      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('Facts confirmed: 1').waitFor()
      await page.getByText('No matching facts.').waitFor()

      await m.show('')
      await page.getByRole('button', { name: /^cup 54 is green/ }).waitFor()
      await page.getByRole('checkbox', { name: 'Select all shown' }).check()
      await picture('inbox-selected')
      await page.getByRole('button', { name: 'Forget selected facts: 50' }).click()
      await page.getByRole('button', { name: 'Really forget', exact: true }).click()
      await page.getByText('Facts forgotten: 50').waitFor()
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect
        .poll(() => texts(page))
        .toEqual([
          ...['cup 3 is green', 'cup 2 is green', 'cup 1 is green', 'cup 0 is green'],
          ...['The train to Ueno leaves at half past ten now', 'The spare key is under the blue pot'],
        ])
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'a contradiction is resolved, and a replacement undone',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      await m.show('?queue=replaced')
      await page.getByText('Replaced by:').waitFor()
      await picture('inbox-replaced')
      await page.getByRole('button', { name: 'Use again: The train to Ueno leaves at ten' }).click()
      await page.getByText('The replaced facts are in use again.').waitFor()
      await page.getByText('No fact was replaced in the last 30 days.').waitFor()

      await page.getByRole('button', { name: 'Contradictions' }).click()
      await page.getByText('Facts with another value: 1').waitFor()
      await picture('inbox-contradiction')
      await page.getByRole('checkbox', { name: 'Select “The train to Ueno leaves at ten”' }).check()
      await page.getByRole('button', { name: 'Forget selected facts: 1' }).click()
      await page.getByRole('button', { name: 'Really forget', exact: true }).click()
      await page.getByText('Facts with another value').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Contradictions' }).click()
      await page.reload()
      await page.getByText('No facts contradict each other.').waitFor()
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'a fact leads to the turns that used it, and a person to the card, the facts and the turns',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      // What was just said is on the screen of the bot anyway, so a fact of it is not recalled.
      const { id } = await m.keep('The bicycle is in the shed')
      const asked = { room: 'general', author: 'bob', text: '@kiki where is the bicycle?' }
      await m.bot.api('playground/messages', { method: 'POST', body: asked })
      await expect.poll(async () => ((await (await m.bot.api(`facts/${id}/uses`)).json()) as { turns: [] }).turns.length).toBe(1)
      await m.show('?text=bicycle')
      await page.getByRole('button', { name: /^The bicycle/ }).click()
      await page.getByRole('heading', { name: 'Used in' }).waitFor()
      await picture('inbox-used')
      await page.locator('.fact-detail .sources a').first().click()
      await page.getByText('where is the bicycle?').first().waitFor()
      await page.locator('.trace').first().waitFor()

      await m.show('/people')
      await page.getByRole('searchbox').fill('BO')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Facts about alice' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Facts about bob' }).click()
      await page.getByRole('heading', { name: 'Facts about bob' }).waitFor()
      await page.getByRole('link', { name: 'Turns with this person' }).click()
      await page.locator('.turn-line').first().waitFor()
      expect(page.url()).toContain('person=playground%2Fbob')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark', locale: 'ko-KR' }],
    [
      'phone',
      { locale: 'ja-JP', timezoneId: 'Pacific/Auckland', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    ],
  ] as const)(
    'axe finds nothing serious, and long and invisible names stay within the window: %s',
    async (what, how) => {
      // Otherwise the policy would block the script of the test.
      await using m = await open({ ...how, bypassCSP: true })
      const { page, picture } = m
      const train = (value: string) => ({ subject: 'bus', relation: 'date', value })
      await m.keep('バスは十時に出ます', { ...train('10:00'), conversation: room('聞き耳を立てる'.repeat(71), 'private') })
      await m.keep('w'.repeat(500), {
        conversation: room('\u200f\u200e\u061c', 'private'),
        validTo: new Date(Date.now() + 86_400_000),
      })
      await m.keep('The bus leaves at ten', { ...train('10:00') })
      await m.keep('The bus leaves at eleven', { ...train('11:00') })
      const check = async (where: string) => {
        await picture(`inbox-${what}-${where}`)
        expect([where, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([where, 0])
        expect([
          where,
          await page.evaluate('(main => main.scrollWidth - main.clientWidth)(document.querySelector("main"))'),
        ]).toEqual([where, 0])
        await page.addScriptTag({ path: AXE })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        expect(
          (found as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => [
            where,
            id,
            nodes.map(({ html }) => html),
          ]),
        ).toEqual([])
      }
      await m.show('')
      await page.locator('.inbox > .fact').nth(4).waitFor()
      await page.locator('.bulk input').check()
      await page.locator('.bulk select').waitFor()
      await check('new')
      await m.show('?queue=disagreeing')
      await page.locator('.against .fact').first().waitFor()
      await check('disagreeing')
      await m.show('?queue=expiring')
      // The day, not only the time of day.
      await page
        .getByText(/ends [A-Z][a-z]+ \d+,|\d+月\d+日 .*に終了|\d+월 \d+일 .*종료/)
        .first()
        .waitFor()
      await check('expiring')
      await m.show('?queue=replaced')
      await page.locator('.inbox p.against').first().waitFor()
      await page.locator('.inbox > .fact > .fact-row').first().click()
      await page.locator('.fact-detail').waitFor()
      await check('replaced')
      await m.show('/people')
      await page.locator('.somebody').first().waitFor()
      await check('people')
    },
    WAIT,
  )
})
