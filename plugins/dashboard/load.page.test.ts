/** Loading the page: often, and while files or the API cannot be read. */
import { seededRandom, testRounds } from 'kikimimi/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from './pages.ts'
import { files } from './testing/attack.ts'
import { browserPath, openBrowser, visit } from './testing/browser.ts'
import { openPage } from './testing/open-page.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 280_000

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const isDrawn = (page: Page) => page.getByRole('heading', { name: 'No messages yet' }).waitFor()
  const retry = (page: Page) => page.getByRole('button', { name: 'Try again' })

  /** The next request of this path fails. */
  async function failOnce(page: Page, path: string) {
    const met = { times: 0 }
    await page.route(
      url => url.pathname === path,
      route => (met.times++ === 0 ? route.abort('connectionreset') : route.fallback()),
    )
    return met
  }

  test(
    'the limit of requests is one of the API: more files than that are read in a minute',
    async () => {
      await using bot = await openPage()
      const paths = files()
      for (let read = 0; read < 1_300; read += paths.length) {
        const answers = await Promise.all(paths.map(path => fetch(`${bot.url}${path}`)))
        expect(answers.filter(({ status }) => status !== 200).map(({ url, status }) => [url, status])).toEqual([])
        await Promise.all(answers.map(answer => answer.arrayBuffer()))
      }
      const asked = await Promise.all(Array.from({ length: 1_300 }, () => bot.api('session').then(({ status }) => status)))
      expect(asked.filter(status => status === 429).length).toBeGreaterThan(0)
      await using seen = await visit(browser, bot.url)
      await retry(seen.page).waitFor()
    },
    WAIT,
  )

  test(
    'each file that fails once is told, with a button that loads the page again',
    async () => {
      await using bot = await openPage()
      await using known = await visit(browser, bot.url)
      await isDrawn(known.page)
      const loaded = (await known.page.evaluate(
        'performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)',
      )) as string[]
      const needed = [...new Set(loaded)].filter(path => !path.startsWith('/api/') && !path.endsWith('.svg'))
      expect(needed.length).toBeGreaterThan(3)
      const { rounds, seed } = testRounds({ few: 8, all: needed.length })
      const random = seededRandom(seed)
      // The first ones load the others.
      const tried = [...needed.slice(0, 3), ...needed.slice(3).toSorted(() => random() - 0.5)].slice(0, rounds)
      await using seen = await visit(browser, 'about:blank')
      const { page } = seen
      for (const path of tried) {
        const met = await failOnce(page, path)
        await page.goto(`${bot.url}/?${needed.indexOf(path)}#/playground/general`)
        // Without the file that only shows this error the page works.
        if (path !== '/shell/before.js') await retry(page).click()
        await isDrawn(page)
        expect([path, met.times > 0, page.url().endsWith('#/playground/general')]).toEqual([path, true, true])
        await page.unrouteAll()
      }
      await seen.picture('loaded-again')
    },
    WAIT,
  )

  test(
    'the code of another page that fails once is told',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await isDrawn(page)
      for (const { name } of pages.filter(one => one.name !== 'playground')) {
        await failOnce(page, `/${name}/page.js`)
        await page.evaluate(`location.hash = '#/${name}'`)
        await retry(page).click()
        await page.locator('main h1').first().waitFor()
        await page.unrouteAll()
        expect(new URL(page.url()).hash).toBe(`#/${name}`)
      }
    },
    WAIT,
  )

  test.each(['session', 'bot', 'playground', 'playground/messages'])(
    'without an answer of %s the page tells it, and the button asks again',
    async route => {
      await using bot = await openPage()
      for (const status of [0, 500]) {
        // Each time the first visit: a later one is drawn without some of these answers.
        await using seen = await visit(browser, 'about:blank')
        const { page } = seen
        let works = false
        await page.route(`**/api/${route}*`, answer =>
          works ? answer.fallback() : status === 0 ? answer.abort() : answer.fulfill({ status, json: { message: 'broken' } }),
        )
        await page.goto(`${bot.url}/?${status}`)
        await retry(page).waitFor()
        if (status === 500) await seen.picture(`without-${route.replace('/', '-')}`)
        works = true
        await retry(page).click()
        await isDrawn(page)
        expect(await retry(page).count()).toBe(0)
      }
    },
    WAIT,
  )

  test(
    'the second visit is drawn by its room alone, as the first one was',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, `${bot.url}/#/playground/kitchen`)
      const { page } = seen
      await isDrawn(page)
      const held: (() => void)[] = []
      for (const path of ['session', 'bot', 'playground'])
        await page.route(
          url => url.pathname === `/api/${path}`,
          route => new Promise<void>(resolve => held.push(resolve)).then(() => route.fallback()),
        )
      await page.goto(`${bot.url}/?again`)
      await isDrawn(page)
      await page.getByRole('heading', { name: '#kitchen' }).waitFor({ state: 'attached' })
      await page.getByText('kiki reads each message').waitFor()
      await expect.poll(() => held.length).toBe(3)
      for (const answer of held) answer()
      expect(seen.problems).toEqual([])
    },
    WAIT,
  )

  test(
    'a language that cannot be loaded is told, and the page keeps its own',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      await isDrawn(page)
      await failOnce(page, '/languages/ja.js')
      const language = page.getByRole('combobox', { name: 'Language' })
      await language.selectOption('ja')
      await page.getByRole('status').getByText('Connection lost').waitFor()
      expect(await language.inputValue()).toBe('en')
      await language.selectOption('ja')
      await page.getByRole('link', { name: 'プレイグラウンド' }).waitFor()
    },
    WAIT,
  )
})
