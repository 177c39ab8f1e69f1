/** Every view has an address and a title, fits a phone, and shows any name. */
import { createRequire } from 'node:module'
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnView } from './history/views.ts'
import { pages } from './pages.ts'
import { browserPath, openBrowser, visit } from './testing/browser.ts'
import { openPage, type TestPage } from './testing/open-page.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 280_000

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const
const plugins = [quiet(), remember(), addressing(), judgeRules(), facts(), reply()]

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** How far the page and its main part can be moved sideways, in pixels. */
  const sideways = (page: Page) =>
    page.evaluate(
      `Math.max(...[document.documentElement, document.querySelector('#main')].map(one => one.scrollWidth - one.clientWidth))`,
    )

  /** Texts and attributes in which a name can change the order of the text around it. */
  const unruly = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('*')]
      .flatMap(one => [
        ...['title', 'aria-label', 'placeholder'].map(name => one.getAttribute(name) ?? ''),
        ...[...one.childNodes].filter(node => node.nodeType === 3).map(node => node.nodeValue),
      ])
      .filter(text => /[\\u202a-\\u202e\\u2066\\u2067]/.test(text) || text.replace(/\\u2068[^\\u2068\\u2069]*\\u2069/g, '').includes('שלום'))`)

  async function sayAs(bot: TestPage, name: string, channel: string, id: string) {
    const conversation = { platform: 'test', workspace: 'team', channel: id, name: channel, visibility: 'public' } as const
    const author = { id: `person-${id}`, name }
    await bot.bot.receive(bot.other, { id, conversation, author, at: new Date(), text: `kiki, remember that ${id} likes tea` })
  }

  test.each(['en-US', 'ja-JP', 'ko-KR'])(
    'a phone shows the links of all pages in %s',
    async locale => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url, { ...PHONE, locale })
      const { page } = seen
      const links = page.locator('nav.pages a')
      await expect.poll(() => links.count()).toBe(pages.length)
      const boxes = await Promise.all((await links.all()).map(link => link.boundingBox()))
      for (const box of boxes) {
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width)
        expect(box?.height).toBeGreaterThanOrEqual(24)
      }
      await seen.picture(`phone-menu-${locale}`)
    },
    WAIT,
  )

  test(
    'each view has an address and a title, and a reload returns to it',
    async () => {
      await using bot = await openPage({ plugins })
      await sayAs(bot, 'alice', 'dev', 'c1')
      await expect.poll(async () => ((await (await bot.api('turns')).json()) as { turns: [] }).turns.length).toBe(1)
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      const open = async (name: string, title: RegExp) => {
        await page.getByRole(name.startsWith('#') ? 'link' : 'button', { name, exact: !name.startsWith('#') }).click()
        await expect.poll(() => page.title()).toMatch(title)
      }
      await expect.poll(() => page.title()).toBe('#general · Playground · kiki')
      await page.getByRole('link', { name: 'Channels' }).click()
      await expect.poll(() => page.title()).toBe('Channels · kiki')
      await open('#dev', /^#dev · Channels · kiki$/)
      for (const [name, text] of [
        ['Settings', 'judge-rules'],
        ['Memories', 'Memories'],
        ['Now', 'Now'],
      ] as const) {
        await open(name, /^#dev · Channels · kiki$/)
        await page.reload()
        await page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
        await page.getByText(text).first().waitFor()
        await expect.poll(() => page.title()).toBe('#dev · Channels · kiki')
      }
      await page.goBack()
      await page.getByRole('button', { name: 'Memories', exact: true, pressed: true }).waitFor()
      await page.goto(`${bot.url}/#/memory/${encodeURIComponent('test:person-c1')}`)
      await expect.poll(() => page.title()).toBe('alice · Memory · kiki')
    },
    WAIT,
  )

  test(
    'names of 500 characters and names that nobody can see are shown on every page',
    async () => {
      await using bot = await openPage({ plugins })
      const long = '聞き耳を立てる'.repeat(100).slice(0, 500)
      const unbroken = 'w'.repeat(500)
      const invisible = '\u200f\u200e\u061c'
      await sayAs(bot, long, unbroken, 'c1')
      await sayAs(bot, unbroken, long, 'c2')
      await sayAs(bot, invisible, invisible, 'c3')
      await sayAs(bot, '\u3164\u2800', '\u3164', 'c4')
      // Marks without an end, and words that run from right to left.
      await sayAs(bot, '\u202e\u2069nogard', '\u202enogard\u2067', 'c5')
      await sayAs(bot, 'שלום', 'שלום', 'c6')
      await expect.poll(async () => ((await (await bot.api('turns')).json()) as { turns: [] }).turns.length).toBe(6)
      const { turns } = (await (await bot.api('turns')).json()) as { turns: TurnView[] }
      const odd = turns.find(({ place }) => place.conversation.endsWith('/c5'))?.trace.turn
      await bot.db.query(
        `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms)
         select kikimimi.hour_of(now()), 'test/team/c' || n, 'chat', 'reply', 'gauge', 1, 0, 900, 100, 5 from generate_series(1, 6) n`,
      )
      for (const how of [PHONE, {}]) {
        await using seen = await visit(browser, bot.url, how)
        const { page } = seen
        for (const [where, text] of [
          ['#/live', '(no name)'],
          ['#/channels', '#(no name)'],
          ['#/channels/test%2Fteam%2Fc3', '(no name)'],
          ['#/channels/test%2Fteam%2Fc1', '聞き耳'],
          ['#/memory/people', '(no name)'],
          ['#/memory', 'likes tea'],
          ['#/tuning', '(no name)'],
          ['#/overview', '(no name)'],
          ['#/costs', '(no name)'],
          ['#/turns', '(no name)'],
          [`#/turns/${odd}`, 'nogard'],
          [`#/memory/${encodeURIComponent('test:person-c5')}`, 'nogard'],
        ] as const) {
          await page.goto(`${bot.url}/${where}`)
          await page.locator('main').getByText(text).first().waitFor({ state: 'attached' })
          expect([where, await sideways(page)]).toEqual([where, 0])
          const unnamed = await page
            .locator('main a, main button, main option')
            .evaluateAll(
              all =>
                all.filter(
                  one => !/(?![\u3164\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(`${one.textContent}${one.getAttribute('aria-label')}`),
                ).length,
            )
          expect([where, unnamed, await unruly(page)]).toEqual([where, 0, []])
        }
        await seen.picture(how === PHONE ? 'phone-names' : 'names')
      }
    },
    WAIT,
  )

  const SIZES = {
    computer: { width: 1280, height: 900 },
    phone: PHONE.viewport,
    // What the window of the computer shows at 200 %.
    zoomed: { width: 640, height: 450 },
  } as const

  const SCHEMES = ['light', 'dark'] as const
  // What depends on a language shows on a phone: its words need the most room there.
  test.each([
    ['en-US', ['computer', 'phone', 'zoomed'], SCHEMES],
    ['ja-JP', ['phone'], ['light']],
  ] as const)(
    'axe finds nothing on any page: %s, %j, %j',
    async (locale, sizes, schemes) => {
      await using bot = await openPage({ plugins, model: 'At ten.' })
      await sayAs(bot, 'alice', 'dev', 'c1')
      await expect.poll(async () => ((await (await bot.api('turns')).json()) as { turns: [] }).turns.length).toBe(1)
      // Otherwise the policy would block the script of the test.
      await using seen = await visit(browser, bot.url, { locale, bypassCSP: true })
      const { page } = seen
      const views = [
        ...pages.map(one => one.name),
        'channels/test%2Fteam%2Fc1',
        'channels/test%2Fteam%2Fc1/settings',
        'memory/people',
        'operations/backups',
        'operations/jobs',
      ]
      for (const view of [...views, 'nowhere', 'panel/none']) {
        await page.goto(`${bot.url}/#/${view}`)
        await page.reload()
        await page.locator('main h1').first().waitFor()
        await page.waitForLoadState('networkidle').catch(() => {})
        await page.addScriptTag({ path: AXE })
        for (const size of sizes) {
          await page.setViewportSize(SIZES[size])
          for (const colorScheme of schemes) {
            await page.emulateMedia({ colorScheme })
            // Only colours depend on the scheme.
            const rules = colorScheme === 'light' ? '{}' : `{ runOnly: ['color-contrast'] }`
            const found = await page.evaluate(`axe.run(document, ${rules}).then(({ violations }) => violations)`)
            const told = (found as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => [
              id,
              nodes.map(({ html }) => html),
            ])
            const what = [view, size, colorScheme]
            expect([what, told, await sideways(page)]).toEqual([what, [], 0])
          }
        }
      }
    },
    WAIT,
  )
})
