import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { scriptedModel } from 'kikimimi/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { discordExport } from '../testing/exported.ts'
import { openPage } from '../testing/open-page.ts'
import { DEV, talk, use } from '../testing/tuning.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

const plugins = [judgeRules()]

/** What axe finds on a page that is open without its content security policy, but for minor things. */
async function seriousIn(page: Page) {
  await page.addScriptTag({ path: AXE })
  const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
  const serious = (found as { id: string; impact: string; nodes: { html: string }[] }[]).filter(
    ({ impact }) => impact !== 'minor',
  )
  return serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  async function run(page: Page, threshold: string): Promise<void> {
    await page.getByLabel('threshold', { exact: true }).fill(threshold)
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('heading', { name: /Different results/ }).waitFor()
  }

  test(
    'one changes an option, sees what would have differed, and uses it in the channel',
    async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-tuning-'))
      const file = join(folder.path, 'bot.settings.json')
      await writeFile(file, '{}\n')
      await using bot = await openPage({ plugins, project: pathToFileURL(`${folder.path}/`) })
      await talk(bot)
      await use(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page, problems, picture } = seen
      await run(page, '15')
      await page.getByRole('img', { name: /^Current: .* Changed: / }).waitFor()
      await expect.poll(() => inked(page)).toBe(true)
      const figures = page.getByRole('table', { name: 'Figures' })
      const coverage = figures.getByRole('row', { name: /Coverage/ })
      await expect.poll(() => coverage.getByRole('cell').count()).toBe(2)
      const rowOf = (title: string) => figures.getByRole('row', { name: title }).getByRole('cell')
      expect(await rowOf('Decisions whether to answer').allInnerTexts()).toEqual(['4.00', '4.00'])
      expect(await rowOf('Total').first().innerText()).toBe('7.00')
      const difference = page.locator('.differences > li').first()
      expect(await difference.innerText()).toMatch(/\?[\s\S]*Current[\s\S]*Silent[\s\S]*Changed[\s\S]*Answers/)
      await picture('tuning')
      await page.getByRole('heading', { name: 'Effect of each rule' }).scrollIntoViewIfNeeded()
      await picture('tuning-rules')

      await page.getByText('Pacing', { exact: true }).click()
      await page.getByLabel('jitter').fill('0.5')
      await page.getByText('Replay first').waitFor()
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByText('pacing.channels.dev.jitter').waitFor()
      await page.getByRole('button', { name: 'Apply here' }).scrollIntoViewIfNeeded()
      await picture('tuning-apply')
      await page.getByRole('button', { name: 'Apply here' }).click()
      await page.getByText('Set for #dev').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Apply here' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Save in bot.settings.json' }).click()
      await page.getByText('The history of the settings takes it back').waitFor()
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ pacing: { channels: { dev: { jitter: 0.5 } } } })
      expect(await page.evaluate('document.activeElement.id')).toBe('apply')
      const { entries } = (await (await bot.api('studio/history')).json()) as { entries: { id: number }[] }
      expect((await bot.api('studio/undo', { method: 'POST', body: { id: entries[0]?.id } })).status).toBe(200)
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({})
      expect(bot.bot.settings.list(DEV)).toMatchObject([{ plugin: 'judge-rules', key: 'threshold', value: 15 }])
      // A changed setting starts the routes again, and with them the stream of events.
      expect(problems.filter(problem => !problem.includes('INCOMPLETE_CHUNKED'))).toEqual([])
    },
    WAIT,
  )

  test(
    'a newcomer without a channel tries an exported one, and chooses again after a wrong file',
    async () => {
      await using bot = await openPage({ plugins: [addressing(), ...plugins] })
      await using seen = await visit(browser, `${bot.url}/#/live`, { viewport: { width: 390, height: 844 }, bypassCSP: true })
      const { page, picture } = seen
      await page.getByRole('link', { name: 'Try it with an exported channel' }).click()
      const file = page.getByLabel('Export (.zip, .json)')
      await file.setInputFiles({ name: 'general.html', mimeType: 'text/html', buffer: Buffer.from('<!DOCTYPE html>') })
      await page.getByRole('alert').filter({ hasText: 'general.html: expected the zip archive' }).waitFor()
      await file.setInputFiles({ name: 'general.json', mimeType: 'application/json', buffer: Buffer.from(discordExport()) })
      await page.getByRole('heading', { name: 'kiki would have considered speaking: 8 times' }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      const turn = page.locator('.spoken > li').first()
      expect(await turn.innerText()).toMatch(/bob[\s\S]*kiki, what time is the review today\?[\s\S]*Answers/)
      await turn.scrollIntoViewIfNeeded()
      await picture('tuning-import')
      expect(
        await page.evaluate('document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth'),
      ).toBe(true)
      expect(await seriousIn(page)).toEqual([])
    },
    WAIT,
  )

  test(
    'what was typed outlives a reload, a wrong value is told, and a run can be called off',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning/${encodeURIComponent(DEV)}`)
      const { page } = seen
      await page.getByLabel('cooldown', { exact: true }).fill('soon')
      await page.reload()
      await expect.poll(() => page.getByLabel('cooldown', { exact: true }).inputValue()).toBe('soon')
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('alert').filter({ hasText: 'cannot set cooldown to "soon"' }).waitFor()
      await page.getByRole('button', { name: 'Undo the change of cooldown' }).click()
      await expect.poll(() => page.getByLabel('cooldown', { exact: true }).inputValue()).toBe('2m')
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Replay' }).waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    },
    WAIT,
  )

  test(
    'in Japanese, in the dark and on a phone, where nothing stands out at the side, and axe finds nothing serious',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      const looks = [
        { name: 'tuning-dark', how: { colorScheme: 'dark', locale: 'en-US' } },
        { name: 'tuning-ja', how: { colorScheme: 'light', locale: 'ja-JP' } },
        { name: 'tuning-phone', how: { colorScheme: 'dark', locale: 'ja-JP', viewport: { width: 390, height: 844 } } },
        { name: 'tuning-phone-en', how: { colorScheme: 'light', locale: 'en-US', viewport: { width: 390, height: 844 } } },
      ] as const
      for (const { name, how } of looks) {
        await using seen = await visit(browser, `${bot.url}/#/tuning`, { ...how, bypassCSP: true })
        const { page, picture } = seen
        await page.getByLabel('threshold', { exact: true }).fill('15')
        await page.getByRole('button', { name: /^(Replay|再生)$/ }).click()
        await page.locator('.differences').waitFor()
        expect(
          await page.evaluate('document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth'),
        ).toBe(true)
        expect(await page.evaluate('document.querySelector(".figures").scrollWidth <= innerWidth - 32')).toBe(true)
        expect([name, await seriousIn(page)]).toEqual([name, []])
        await picture(`${name}-form`)
        await page.locator('.chart').scrollIntoViewIfNeeded()
        await picture(name)
        await page.locator('.figures').scrollIntoViewIfNeeded()
        await picture(`${name}-figures`)
        await page.locator('.rules').scrollIntoViewIfNeeded()
        await picture(`${name}-rules`)
        await page.locator('.apply').scrollIntoViewIfNeeded()
        await picture(`${name}-apply`)
      }
    },
    WAIT,
  )

  test(
    'what is set is what was replayed, and never what is typed now',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page, picture } = seen
      const threshold = page.getByLabel('threshold', { exact: true })
      const use = page.getByRole('button', { name: 'Apply here' })
      await threshold.fill('15')
      await page.getByText('Changed: judge-rules.threshold').waitFor()
      expect(await use.count()).toBe(0)
      await run(page, '15')
      await use.waitFor()
      await threshold.fill('35')
      await page.locator('.stale').waitFor()
      await page.getByText('Replay first').waitFor()
      expect(await use.count()).toBe(0)
      await picture('tuning-stale')
      await page.getByText('Replay first').scrollIntoViewIfNeeded()
      await picture('tuning-stale-apply')
      await threshold.fill('400')
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('alert').filter({ hasText: 'cannot set threshold to 400' }).waitFor()
      expect(await use.count()).toBe(0)
      await threshold.fill('35')
      await page.getByRole('button', { name: 'Replay' }).click()
      await use.click()
      await page.getByText('The options are set').waitFor()
      expect(bot.bot.settings.list(DEV)).toMatchObject([{ key: 'threshold', value: 35 }])
      await picture('tuning-set')
    },
    WAIT,
  )

  test(
    'what fails halfway is told as it is, and what is typed meanwhile stays',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page } = seen
      const threshold = page.getByLabel('threshold', { exact: true })
      await page.getByLabel('cooldown', { exact: true }).fill('7m')
      await run(page, '15')
      const arrived = Promise.withResolvers<void>()
      const { promise: let2nd, resolve: goOn } = Promise.withResolvers<void>()
      let times = 0
      await page.route('**/api/channel/settings', async route => {
        if (++times !== 2) return route.continue()
        arrived.resolve()
        await let2nd
        await route.abort()
      })
      await page.getByRole('button', { name: 'Apply here' }).click()
      await arrived.promise
      await page.getByLabel('unasked', { exact: true }).fill('7')
      goOn()
      await page.getByText('That did not work').waitFor()
      const [set] = bot.bot.settings.list(DEV)
      const [done, failed] = set?.key === 'threshold' ? ['threshold', 'cooldown'] : ['cooldown', 'threshold']
      const undo = (option: string) => page.getByRole('button', { name: `Undo the change of ${option}` })
      await expect.poll(() => undo(done).count()).toBe(0)
      expect(await undo(failed).count()).toBe(1)
      expect(await page.getByLabel('unasked', { exact: true }).inputValue()).toBe('7')
      expect(await threshold.inputValue()).toBe('15')
      await expect.poll(() => page.locator('.knobs li', { hasText: 'set here by' }).count()).toBe(1)
    },
    WAIT,
  )

  test(
    'one sees what is undecided and what a sample costs, and asks the judge',
    async () => {
      const judge = scriptedModel('{"reason": "a test", "respond": true, "confidence": 0.95}')
      const config = { models: { judge }, budget: { prices: { [judge.name]: { input: 1_000, output: 1_000 } } } }
      await using bot = await openPage({ plugins: [judgeRules(), judgeLlm({ low: 0 })], config })
      await talk(bot, 2)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page, picture } = seen
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('heading', { name: 'Undecided turns' }).waitFor()
      const calls = page.getByLabel(/^Prompts to ask the judge about/)
      await calls.fill('2')
      await page
        .locator('.ask')
        .filter({ hasText: /at most [\d,]+\..* About .*\d/ })
        .waitFor()
      await picture('tuning-undecided')
      await page.getByRole('button', { name: 'Ask the judge' }).click()
      await page.getByText(/asked about 2 of \d+; the bot answers (0|50|100)% \(/).waitFor()
      await page.getByText(/^Calls: 2, .* Cost: /).waitFor()
      await picture('tuning-estimate')
      await page.getByLabel('threshold', { exact: true }).fill('15')
      await page.locator('.stale').waitFor()
      await expect.poll(() => page.locator('.ask').count()).toBe(0)
    },
    WAIT,
  )

  test(
    'tries of other messages are not drawn on the chart',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page } = seen
      const caption = page.locator('.chart figcaption')
      await run(page, '15')
      await page.getByLabel('Replay the last').selectOption('500')
      await page.getByRole('heading', { name: 'No replay yet' }).waitFor()
      await run(page, '35')
      await expect.poll(() => caption.innerText()).toMatch(/^Small circles/)
      await page.getByLabel('threshold', { exact: true }).fill('40')
      await page.getByRole('button', { name: 'Replay' }).click()
      await expect.poll(() => caption.innerText()).toContain('earlier replays')
    },
    WAIT,
  )

  test(
    'by keyboard: what one is at stays open and has the focus',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page } = seen
      const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
      const asked: string[] = []
      page.on('request', request => void (request.method() === 'POST' && asked.push(request.url())))
      await page.getByLabel('Search options').press('Enter')
      const jitter = page.getByLabel('jitter', { exact: true })
      await page.getByText('Pacing', { exact: true }).click()
      await jitter.fill('0.5')
      await page.getByRole('button', { name: 'Undo the change of jitter' }).press('Enter')
      await expect.poll(focused).toBe('knob-pacing.jitter')
      await expect.poll(() => jitter.inputValue()).not.toBe('0.5')
      expect(await jitter.isVisible()).toBe(true)
      expect(asked).toEqual([])

      const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
      await page.route('**/api/tuning', async route => {
        await held
        await route.continue().catch(() => {})
      })
      await page.getByRole('button', { name: 'Replay' }).press('Enter')
      await page.getByRole('button', { name: 'Cancel' }).waitFor()
      expect(await focused()).toBe('Cancel')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Replay' }).waitFor()
      expect(await focused()).toBe('Replay')
      letGo()
      expect(asked.length).toBe(1)
      await page.unroute('**/api/tuning')

      await run(page, '15')
      await page.getByRole('button', { name: 'Apply here' }).press('Enter')
      await page.getByText('The options are set').waitFor()
      expect(await focused()).toBe('apply')
    },
    WAIT,
  )

  test(
    'a value that cannot be, in a group that is closed, is told, and the group opens',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot, 1)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page, picture } = seen
      const threshold = page.getByLabel('threshold', { exact: true })
      await threshold.fill('500')
      await page.locator('summary', { hasText: 'judge-rules' }).click()
      await expect.poll(() => threshold.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('alert').filter({ hasText: 'cannot set threshold to 500' }).waitFor()
      await expect.poll(() => threshold.isVisible()).toBe(true)
      await expect.poll(() => page.evaluate(ALERT_IS_SEEN)).toBe(true)
      await picture('tuning-refused')
    },
    WAIT,
  )

  test.each(['places', 'tuning?*'])(
    'where %s cannot be read at first, one tries again',
    async path => {
      await using bot = await openPage({ plugins })
      await talk(bot, 1)
      await using seen = await visit(browser, `${bot.url}/#/reference`)
      const { page, picture } = seen
      await page.route(`**/api/${path}`, route => route.abort())
      await page.goto(`${bot.url}/#/tuning`)
      await page.getByRole('alert').filter({ hasText: 'That did not work' }).waitFor()
      await picture('tuning-unread')
      await page.unroute(`**/api/${path}`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByLabel('threshold', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    },
    WAIT,
  )

  test(
    'the chart follows the theme',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot, 3)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page } = seen
      await run(page, '15')
      const light = await page.evaluate(PIXELS)
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
      await expect.poll(() => page.evaluate(PIXELS)).not.toBe(light)
      await expect.poll(() => inked(page)).toBe(true)
    },
    WAIT,
  )
})

const ALERT_IS_SEEN = 'document.querySelector("[role=alert]").getBoundingClientRect().bottom <= innerHeight'
const PIXELS = 'document.querySelector(".chart canvas").toDataURL()'

/** Whether the chart contains the accent colour. */
async function inked(page: Page): Promise<boolean> {
  const found = await page.evaluate(`(() => {
    const canvas = document.querySelector('.chart canvas')
    if (!canvas) return false
    const probe = document.createElement('span')
    probe.style.color = 'var(--accent)'
    document.body.append(probe)
    const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number)
    probe.remove()
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255 && wanted.every((value, index) => Math.abs(data[at + index] - value) < 3)) return true
    }
    return false
  })()`)
  return found === true
}
