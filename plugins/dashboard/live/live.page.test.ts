// postgres: two processes in one page
import { createRequire } from 'node:module'
import { definePlugin } from 'kikimimi'
import { testServer } from 'kikimimi/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import { sampleTrace } from '../testing/trace.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

const spam = definePlugin({
  name: 'spam-guard',
  setup: () => ({ filter: ({ text }) => (text.startsWith('buy') ? 'is advertising' : undefined) }),
})

/** Stores silent turns with past times. */
async function keep({ db }: TestPage, count: number, begin = Date.now() - 3_600_000): Promise<void> {
  await db.query(
    `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
     select 'old-' || n, 'test/team/dev', $2::timestamptz + n * interval '1 second', 'silent', 'm', jsonb_build_object(
       'turn', 'old-' || n, 'conversation', 'test/team/dev', 'messages', '["m"]'::jsonb, 'trigger', 'm', 'sections', '[]'::jsonb,
       'models', '[]'::jsonb, 'sent', '[]'::jsonb, 'outcome', 'silent', 'problems', '[]'::jsonb, 'ms', '{}'::jsonb,
       'decision', jsonb_build_object('kind', 'silent', 'why', 'turn number ' || n))
     from generate_series(1, $1::int) n`,
    [count, new Date(begin)],
  )
}

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test(
    'what was dropped is a quiet line, with whose filter and why, and nothing of what was said',
    async () => {
      await using bot = await openPage({ plugins: [spam], model: 'At ten.' })
      for (const colorScheme of ['light', 'dark'] as const) {
        await using seen = await visit(browser, `${bot.url}/#/live`, { colorScheme })
        const { page, problems, picture } = seen
        await bot.say('alice', `is anyone here in the ${colorScheme}?`)
        for (let n = 0; n < 3; n++) await bot.say('bob', 'buy a blue pot')
        await page.getByText(`${colorScheme === 'light' ? 3 : 6} messages dropped by spam-guard: is advertising`).waitFor()
        await page.getByRole('button', { name: new RegExp(`in the ${colorScheme}`) }).waitFor()
        expect(await page.locator('body').innerText()).not.toMatch(/blue pot|bob/)
        await picture(`live-drops-${colorScheme}`)
        // They come from the bot.
        await page.reload()
        await page.getByText('messages dropped by spam-guard').waitFor()
        expect(problems).toEqual([])
      }
    },
    WAIT,
  )

  test(
    'an opened turn shows every field of its trace',
    async () => {
      const { sample, shown } = sampleTrace()
      await using bot = await openPage()
      await bot.db.query(
        `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data) values ($1, $2, $3, $4, $5, $6)`,
        [sample.turn, sample.conversation, sample.at, sample.outcome, sample.trigger, JSON.stringify(sample)],
      )
      await using seen = await visit(browser, `${bot.url}/#/live`)
      const { page, picture } = seen
      await page.locator('.row').click()
      await page.getByText('IDs', { exact: true }).click()
      const told = await page.locator('.turn').innerText()
      await picture('live-trace')
      await page.setViewportSize({ width: 390, height: 844 })
      await picture('live-trace-phone')
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      const missing = Object.entries(shown).filter(([, text]) => !told.includes(text))
      expect(missing, told).toEqual([])
    },
    WAIT,
  )

  test(
    'the list holds only so much, however much happens and is asked for',
    async () => {
      await using bot = await openPage()
      await keep(bot, 1_200)
      await using seen = await visit(browser, `${bot.url}/#/live`)
      const { page } = seen
      const rows = page.locator('.turn')
      await page.getByText('turn number 1200').waitFor()
      expect(await rows.count()).toBe(50)
      const earlier = page.getByRole('button', { name: 'Show earlier' })
      for (let had = 50; had < 1_000; had = await rows.count()) {
        await earlier.click()
        await expect.poll(() => rows.count()).toBeGreaterThan(had)
      }
      expect([await rows.count(), await earlier.count()]).toEqual([1_000, 0])
      await page.reload()
      await page.getByText('turn number 1200').waitFor()
      // The page reads its list again when the stream begins. What comes from then on is added.
      await say(bot, 1, 'first')
      await page.getByRole('button', { name: /first 0 / }).waitFor()
      await say(bot, 260)
      await page.getByRole('button', { name: /hello 259 / }).waitFor()
      await expect.poll(() => rows.count()).toBe(300)
      const { nodes, listeners } = await heldBy(page)
      await say(bot, 100, 'more')
      await page.getByRole('button', { name: /more 99 / }).waitFor()
      const after = await heldBy(page)
      // A line has about twenty nodes.
      expect([after.nodes - nodes < 1_000, after.listeners - listeners < 50], JSON.stringify(after)).toEqual([true, true])
    },
    WAIT,
  )

  test(
    'while a turn is open the list stands still, and says how many are new',
    async () => {
      await using bot = await openPage()
      // Otherwise the policy would block the script of the test.
      await using seen = await visit(browser, `${bot.url}/#/live`, { bypassCSP: true })
      const { page, picture } = seen
      await bot.say('alice', 'the first of all')
      await page.getByRole('button', { name: /the first of all/ }).click()
      const rows = page.locator('.turn')
      await say(bot, 5)
      const news = page.getByRole('button', { name: 'Close and show 5 new' })
      await news.waitFor()
      expect(await rows.count()).toBe(1)
      await picture('live-news')
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
      expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
      await news.click()
      await expect.poll(() => rows.count()).toBe(6)
      expect(await page.locator('.trace').count()).toBe(0)
      expect(await page.locator(':focus').innerText()).toBe('Live')
      await page.getByRole('button', { name: 'Answered' }).click()
      await page.getByText('kiki has not answered recently.').waitFor()
      expect(await page.getByText('No activity yet').count()).toBe(0)
    },
    WAIT,
  )

  test(
    'in the background nothing is drawn; who comes back sees what has happened meanwhile',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, `${bot.url}/#/live`)
      const { page } = seen
      const rows = page.locator('.turn')
      await bot.say('alice', 'said before')
      await page.getByRole('button', { name: /said before/ }).waitFor()
      const hide = (hidden: boolean) =>
        page.evaluate(`
          Object.defineProperty(document, 'hidden', { get: () => ${hidden}, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))`)
      await hide(true)
      await page.evaluate(`
        globalThis.heard = 0
        import('/base/events.js').then(({ listenTo }) => listenTo(({ type }) => type === 'turn' && globalThis.heard++))`)
      await say(bot, 10)
      await expect.poll(() => page.evaluate('heard')).toBe(10)
      expect(await rows.count()).toBe(1)
      await hide(false)
      await expect.poll(() => rows.count()).toBe(11)
    },
    WAIT,
  )

  test(
    'pages that come and go leave nothing behind',
    async () => {
      await using bot = await openPage()
      await keep(bot, 100)
      await using seen = await visit(browser, `${bot.url}/#/live`)
      const { page } = seen
      async function round() {
        await page.getByText('turn number 100').waitFor()
        await page.locator('.row').first().click()
        await page.locator('.trace').waitFor()
        await page.evaluate(`location.hash = '#/reference'`)
        await page.getByRole('heading', { name: 'API' }).waitFor()
        await page.evaluate(`location.hash = '#/live'`)
      }
      for (let n = 0; n < 3; n++) await round()
      await page.getByText('turn number 100').waitFor()
      const before = await heldBy(page)
      for (let n = 0; n < 10; n++) await round()
      await page.getByText('turn number 100').waitFor()
      const after = await heldBy(page)
      expect(after.listeners - before.listeners).toBeLessThan(20)
      expect(after.nodes - before.nodes).toBeLessThan(500)
    },
    WAIT,
  )

  test.runIf(testServer())(
    'what another process hears and answers in a room is seen here, with its turn',
    async () => {
      await using one = await openPage({ model: 'At ten.' })
      await using other = await openPage({ model: 'At ten.', beside: one })
      await using seen = await visit(browser, one.url)
      const { page } = seen
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      const said = { room: 'general', author: 'alice', text: '@kiki when does the train leave?' }
      await other.api('playground/messages', { method: 'POST', body: said })
      await page.locator('.message', { hasText: 'when does the train leave?' }).waitFor()
      await page.locator('.own', { hasText: 'At ten.' }).waitFor()
      expect(await page.locator('.message').count()).toBe(2)
    },
    WAIT,
  )
})

/** After garbage collection: objects that the page holds, visible or not. */
async function heldBy(page: Page): Promise<{ nodes: number; listeners: number }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { nodes, jsEventListeners: listeners } = await devtools.send('Memory.getDOMCounters')
  await devtools.detach()
  return { nodes, listeners }
}

/** Each in its own channel, so that each is a turn. */
async function say(bot: TestPage, count: number, what = 'hello'): Promise<void> {
  for (let n = 0; n < count; n++) {
    const channel = `${what}-${n}`
    await bot.bot.receive(bot.other, {
      id: channel,
      conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
      author: { id: 'bob', name: 'bob' },
      text: `${what} ${n} `,
      at: new Date(),
    })
  }
}
