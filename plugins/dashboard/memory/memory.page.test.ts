import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topicVectors } from '../../facts/test-memory.ts'
import { browserPath, openBrowser } from '../testing/browser.ts'
import { keyFact as key, openMemory, room } from '../testing/memory-page.ts'
import type { TestPageOptions } from '../testing/open-page.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const open = (how?: BrowserContextOptions, options?: TestPageOptions) => openMemory(browser, how, options)

  test(
    'one looks for a fact by keyword, by vector and by both, and sees why it comes to mind',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      await key(page).waitFor()
      await picture('memory')
      await page.getByRole('searchbox').fill('where is the key under the pot?')
      await page.keyboard.press('Enter')
      await page.getByText('half past ten now').waitFor({ state: 'detached' })
      await key(page).click()
      const parts = page.locator('.score li')
      expect(await parts.allInnerTexts()).toEqual([
        expect.stringMatching(/words in common\s+\+1\.00/),
        expect.stringMatching(/words of the text and of the lines around it\s+\+1\.00/),
        expect.stringMatching(/confidence\s+×0\.95/),
        expect.stringMatching(/Score\s+1\.90/),
      ])
      await page.getByText('Everywhere in the workspace: it was said in a public channel.').waitFor()
      await page.getByText('I put the spare key under the blue pot').waitFor()
      await picture('memory-score')

      await page.getByRole('button', { name: 'Vector' }).click()
      await page.getByText('No model for vectors is configured').waitFor()
      await page.getByRole('button', { name: 'Keyword' }).click()
      await page.getByText('No model for vectors is configured').waitFor({ state: 'detached' })
      await page.getByRole('searchbox').fill('elephants')
      await page.keyboard.press('Enter')
      await page.getByText('No matching facts.').waitFor()
      // The browser reports the refusal of the search by vector.
      expect(problems).toEqual([expect.stringContaining('501')])
    },
    WAIT,
  )

  test(
    'one is told when vectors cannot be asked',
    async () => {
      const embeddings = topicVectors([/key/])
      embeddings.fault = Object.assign(new Error('no'), { status: 400 })
      await using m = await open({}, { config: { models: { embeddings } } })
      await m.page.getByRole('searchbox').fill('the key')
      await m.page.getByRole('button', { name: 'Vector' }).click()
      await m.page.getByRole('button', { name: 'Search', exact: true }).click()
      await m.page.getByRole('alert').getByText('Vector search is unavailable').waitFor()
      await m.page.getByRole('button', { name: 'Both' }).click()
      await key(m.page).waitFor()
    },
    WAIT,
  )

  test(
    'one puts a fact right by keyboard, is told what cannot be, pins it, and forgets it',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      await key(page).press('Enter')
      const edit = page.getByRole('button', { name: 'Edit' })
      await edit.press('Enter')
      const field = page.getByRole('textbox', { name: 'Text' })
      await page.locator('textarea:focus').waitFor()
      await page.keyboard.type(' no longer')
      await page.keyboard.press('Escape')
      await page.locator('button:focus', { hasText: 'Edit' }).waitFor()
      expect(await page.getByText('outdated').count()).toBe(0)

      await edit.press('Enter')
      await field.fill('the train to Ueno leaves at half past ten, now!')
      await field.press('Enter')
      await page.getByRole('alert').getByText('Another fact says the same.').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await picture('memory-edit')
      await field.fill('The spare key is in the drawer')
      await page.getByLabel('Kind').selectOption('preference')
      await page.getByLabel('may be mentioned unasked').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/edited/).waitFor()
      await page.getByRole('button', { name: /^The spare key is in the drawer.*preference/ }).waitFor()

      await page.getByRole('button', { name: 'Pin', exact: true }).click()
      await page.getByRole('button', { name: 'Unpin' }).waitFor()
      expect(await m.store().list({ conversation: room('general') })).toContainEqual(
        expect.objectContaining({ content: 'The spare key is in the drawer', kind: 'preference', pinned: true, shareable: true }),
      )
      await page.getByRole('button', { name: 'Forget “The spare key is in the drawer”' }).click()
      await page.getByRole('button', { name: 'Really forget', exact: true }).click()
      await page.getByText('in the drawer').first().waitFor({ state: 'detached' })
      expect(await m.store().list({ conversation: room('general') })).toHaveLength(1)
      // The browser also reports the refusal, which is intended.
      expect(problems.filter(problem => !problem.includes('409'))).toEqual([])
    },
    WAIT,
  )

  test(
    'one sees what a fact replaced, and all that is known about somebody; and forgets them by typing their name',
    async () => {
      await using m = await open()
      const { page, problems, picture } = m
      await m.keep('Bob keeps the wine behind the stairs', { people: ['bob'], conversation: room('cellar', 'private') })
      await page.getByRole('button', { name: 'People' }).click()
      await page.getByRole('link', { name: 'Facts about bob' }).click()
      await page.getByRole('heading', { name: 'Facts about bob' }).waitFor()
      await page.getByRole('button', { name: /^Bob keeps the wine.*in #cellar · private/ }).waitFor()
      await page.getByRole('button', { name: /leaves at ten.*outdated/ }).waitFor()
      await page.getByRole('button', { name: /half past ten now/ }).click()
      const history = page.locator('ol.sources li')
      await history.first().waitFor()
      expect(await history.allInnerTexts()).toEqual([
        expect.stringMatching(/leaves at ten\s+until/),
        expect.stringMatching(/half past ten now\s+current/),
      ])
      await picture('memory-person')
      await page.getByRole('link', { name: 'All people' }).click()

      await page.getByRole('button', { name: 'Forget bob' }).click()
      const name = page.getByRole('textbox', { name: /Type the name/ })
      await name.fill('alice')
      await page.keyboard.press('Enter')
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      await picture('forget')
      await name.fill('bob')
      await page.keyboard.press('Enter')
      await page.getByText('The data of bob is being deleted').waitFor()
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'more than a page holds is shown when one asks for it',
    async () => {
      await using m = await open()
      for (let n = 0; n < 60; n++) await m.keep(`cup ${n} is green`)
      await m.page.reload()
      const rows = m.page.locator('.fact')
      await expect.poll(() => rows.count()).toBe(50)
      const more = m.page.getByRole('button', { name: 'Show more' })
      // Rows that are drawn when they come into the window move the button away from a click.
      const top = (scroll: boolean) =>
        more.evaluate((button, scrolls) => {
          if (scrolls) button.scrollIntoView()
          return button.getBoundingClientRect().top
        }, scroll)
      const before = await top(true)
      await m.page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      expect(await top(false)).toBe(before)
      await more.click()
      await expect.poll(() => rows.count()).toBe(62)
      expect(await more.count()).toBe(0)
    },
    WAIT,
  )

  test(
    'what arrives later moves no button away from a click',
    async () => {
      await using m = await open()
      const { page } = m
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      for (const late of ['**/api/facts/*', '**/api/facts/*/uses']) {
        await page.route(late, async route => {
          await released
          await route.continue()
        })
      }
      await page.getByRole('button', { name: /^The train to Ueno leaves at half past ten now/ }).click()
      const edit = page.getByRole('button', { name: 'Edit' })
      const before = await edit.boundingBox()
      expect(before).not.toBeNull()
      release()
      await page.getByRole('heading', { name: 'History', exact: true }).waitFor()
      await page.getByRole('heading', { name: 'Used in' }).waitFor()
      expect(await edit.boundingBox()).toEqual(before)
    },
    WAIT,
  )

  test(
    'what is told and what is edited is text, whatever it says',
    async () => {
      const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
      await using m = await open()
      const { page, problems } = m
      await m.keep(evil, { keywords: [evil], people: [evil], sources: [{ message: evil, author: evil, quote: `${evil} said` }] })
      await page.reload()
      await page.getByRole('button', { name: /^<img src=x/ }).click()
      await page.getByText('Sources').waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('textbox', { name: 'Text' }).fill(`"><svg onload=alert(1)>${evil}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: /^"><svg onload/ }).waitFor()
      await page.goto(`${m.bot.url}/#/memory/${encodeURIComponent(`playground:${evil}`)}`)
      await page.getByRole('heading', { name: /Facts about <img/ }).waitFor()
      expect(await page.title()).not.toBe('owned')
      expect(await page.locator('main img, main script, main svg').count()).toBe(0)
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { locale: 'ja-JP', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ] as const)(
    'axe finds nothing serious, and nothing stands out at the side: %s',
    async (what, how) => {
      // Otherwise the policy would block the script of the test.
      await using m = await open({ ...how, bypassCSP: true })
      const { page, picture } = m
      const check = async (where: string) => {
        await picture(`memory-${what}-${where}`)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        expect(await page.evaluate('(main => main.scrollWidth - main.clientWidth)(document.querySelector("main"))')).toBe(0)
        await page.addScriptTag({ path: AXE })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        const serious = (found as { id: string; impact: string; nodes: { html: string }[] }[]).filter(
          ({ impact }) => impact !== 'minor',
        )
        expect(serious.map(({ id, nodes }) => [where, id, nodes.map(({ html }) => html)])).toEqual([])
      }
      await page.getByRole('searchbox').fill('the key under the pot, and the train')
      await page.keyboard.press('Enter')
      await page.locator('.fact .meter').first().waitFor()
      await check('found')
      await key(page).click()
      await page.locator('.score').waitFor()
      await check('open')
      await page.locator('.fact-actions button').first().click()
      await page.locator('.fact-editor').waitFor()
      await check('edit')
      await page.goto(`${m.bot.url}/#/memory/people`)
      await page.locator('.somebody').first().waitFor()
      await check('people')
      await page.goto(`${m.bot.url}/#/memory/playground%3Abob`)
      await page.locator('.fact').first().waitFor()
      await check('person')
    },
    WAIT,
  )
})
