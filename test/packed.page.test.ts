/** The page of the published packages: what a browser loads, and that it works. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, say, visit } from '../plugins/dashboard/testing/browser.ts'
import { type PackedBot, startPackedBot } from '../scripts/packed-bot.ts'

/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

const CONFIG = `
import addressing from '@kikimimi/addressing'
import dashboard, { Panels } from '@kikimimi/dashboard'
import judgeRules from '@kikimimi/judge-rules'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import { defineBot, definePlugin } from 'kikimimi'

const trains = definePlugin({
  name: 'trains',
  needs: [Panels],
  setup: ctx => ctx.scope.defer(
    ctx.use(Panels).add({ id: 'trains', title: 'Trains', read: () => [{ title: 'To Ueno', rows: [{ leaves: '10:04' }] }] }),
  ),
})

export default defineBot({
  persona: { name: 'kiki' },
  database: 'memory',
  pacing: { minWait: '200ms', jitter: 0 },
  plugins: [dashboard(), replay(), addressing(), judgeRules(), reply(), trains()],
})
`

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  let bot: PackedBot
  beforeAll(async () => {
    browser = await openBrowser()
    bot = await startPackedBot(CONFIG)
  })
  afterAll(() => Promise.all([browser?.close(), bot?.[Symbol.asyncDispose]()]))

  /** What the page loads, besides answers of the API, and the bytes on the wire. */
  async function traffic(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const seen = new Map<string, { path: string; bytes: number; cached: boolean }>()
    devtools.on('Network.responseReceived', ({ requestId, response }) =>
      seen.set(requestId, { path: new URL(response.url).pathname, bytes: 0, cached: response.fromDiskCache ?? false }),
    )
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = seen.get(requestId)
      if (one) one.bytes = encodedDataLength
    })
    return {
      files: () => [...seen.values()].filter(({ path }) => !path.startsWith('/api/')),
      bytes: () => [...seen.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      forget: () => seen.clear(),
    }
  }

  const isDrawn = (page: Page) => page.getByRole('heading', { name: 'No messages yet' }).waitFor()

  test(
    'the first load is five files in less than 120 kB, and the second one of them',
    async () => {
      await using seen = await visit(browser, 'about:blank')
      const { page, problems } = seen
      const { files, bytes, forget } = await traffic(page)
      await page.goto(bot.url)
      await isDrawn(page)
      // A browser without a window does not load the icon by itself.
      await page.evaluate(`fetch(document.querySelector('link[rel=icon]').href).then(answer => answer.text())`)
      const paths = () => [...new Set(files().map(({ path }) => path.replace(/-[\w-]{8}(?=\.)/, '-HASH')))].sort()
      await expect.poll(paths).toEqual(['/', '/icon-HASH.svg', '/languages/en-HASH.js', '/main-HASH.js', '/shell/before-HASH.js'])
      expect(bytes()).toBeLessThan(120_000)
      forget()
      await page.goto('about:blank')
      await page.goto(bot.url)
      await isDrawn(page)
      expect(
        files()
          .filter(({ cached }) => !cached)
          .map(({ path }) => path),
      ).toEqual(['/'])
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test('hashed files are kept for ever and come in the best form that the client takes', async () => {
    const html = await fetch(bot.url)
    expect(html.headers.get('cache-control')).toBe('no-cache')
    const [path = ''] = /\/main-[\w-]{8}\.js/.exec(await html.text()) ?? []
    for (const [accepted, form] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers } = await fetch(`${bot.url}${path}`, { headers: { 'accept-encoding': accepted } })
      expect([status, headers.get('content-encoding')]).toEqual([200, form])
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toContain('javascript')
    }
  })

  test(
    'every page opens, with the panel of a plugin, in every language',
    async () => {
      await using seen = await visit(browser, bot.url)
      const { page, problems } = seen
      const missing: string[] = []
      page.on('response', answer => answer.ok() || missing.push(new URL(answer.url()).pathname))
      await say(page, '@kiki hello')
      await page.locator('.own').first().waitFor()
      const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()
      expect(links.length).toBeGreaterThan(7)
      for (const link of links.slice(1)) {
        const title = await link.innerText()
        await link.click()
        await page.locator('main h1').first().waitFor()
        await expect.poll(() => page.title()).toContain(title)
      }
      await page.getByRole('cell', { name: '10:04' }).waitFor()
      for (const [tag, word] of [
        ['ja', 'プレイグラウンド'],
        ['ko', '플레이그라운드'],
      ] as const) {
        await page.getByRole('combobox').first().selectOption(tag)
        await page.getByRole('link', { name: word }).waitFor()
      }
      expect([missing, problems]).toEqual([[], []])
    },
    WAIT,
  )
})
