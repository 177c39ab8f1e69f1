import { createRequire } from 'node:module'
import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { DEV, heard, patient, remembered, remembering, sayInThread } from '../testing/channel.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

const plugins = [patient, quiet(), addressing(), judgeRules(), memorySummary(), reply()]
const here = (bot: TestPage) => `${bot.url}/#/channels/${encodeURIComponent(DEV)}`

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const open = (bot: TestPage, how?: BrowserContextOptions) => visit(browser, here(bot), how)
  const tab = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test(
    'one opens a channel, sees how the bot stands there, and tells it to be quiet',
    async () => {
      await using bot = await openPage({ plugins: [remembered, ...plugins.slice(1)] })
      await heard(bot, 'kiki, are you there?')
      await using seen = await visit(browser, `${bot.url}/#/channels`)
      const { page, problems, picture } = seen
      await page.getByRole('link', { name: /#dev test/ }).waitFor()
      await picture('channels')
      const ordered: string[] = []
      page.on('request', request => {
        if (request.url().endsWith('channel/command')) ordered.push(request.postDataJSON().command)
      })
      const focused = () => page.locator(':focus').innerText()
      await page.getByRole('link', { name: /#dev test/ }).press('Enter')
      await expect.poll(focused).toBe('#dev')
      expect(page.url()).toBe(here(bot))
      await page.getByText('They talk about trains.').waitFor()
      await page.getByText('Nothing is scheduled.').waitFor()
      const enabled = async () => {
        const all = await page.locator('.orders').first().getByRole('button').all()
        const found = await Promise.all(all.map(async one => ((await one.isEnabled()) ? one.innerText() : [])))
        return found.flat()
      }
      const [quiet1h, quiet8h] = ['Quiet for 1 hour', 'Quiet for 8 hours']
      await expect.poll(enabled).toEqual([quiet1h, quiet8h, 'Stop in this workspace'])
      await page.getByRole('button', { name: 'Quiet for 8 hours' }).click()
      await page.getByText('I was asked to be quiet here').waitFor()
      await expect.poll(enabled).toEqual([quiet1h, quiet8h, 'End quiet mode', 'Stop in this workspace'])
      const stop = page.getByRole('button', { name: 'Stop in this workspace' })
      // The confirm button appears under the pointer here.
      await page.setViewportSize({ width: 390, height: 844 })
      await stop.dblclick({ position: { x: 150, y: 10 } })
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'End quiet mode' }).click()
      await page.getByText('I was asked to be quiet here').waitFor({ state: 'detached' })
      expect(ordered).toEqual(['quiet 8h', 'talk'])
      await stop.click()
      await page.getByRole('button', { name: 'Really stop all messages?' }).click()
      await page
        .getByText(/stopped/i)
        .first()
        .waitFor()
      await expect.poll(enabled).toEqual([quiet1h, quiet8h, 'Resume in this workspace'])
      await page.getByRole('button', { name: 'Resume in this workspace' }).click()
      await page.getByRole('link', { name: '← Channels' }).press('Enter')
      await expect.poll(focused).toBe('Channels')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'an answer that waits is counted down, and called off',
    async () => {
      await using bot = await openPage({ plugins: [...plugins, remembered] })
      await using seen = await open(bot)
      const { page, problems, picture } = seen
      await page.getByRole('heading', { name: 'Channel not found' }).waitFor()
      await bot.say('bob', 'is anyone here?')
      await sayInThread(bot, 'alice', 'who comes along?')
      await page.reload()
      const answer = page
        .getByRole('listitem')
        .filter({ hasText: 'lets others go first' })
        .filter({ hasNotText: 'in the thread' })
      await answer.waitFor()
      await page.getByText('in the thread “who comes along?”').waitFor()
      await page.getByText('Scheduled answers: 2.').waitFor({ state: 'attached' })
      const left = async () => {
        const [minutes = 0, seconds = 0] = (await answer.getByRole('timer').innerText()).split(':').map(Number)
        return 60 * minutes + seconds
      }
      const before = await left()
      expect(before).toBeGreaterThan(30)
      await expect.poll(left).toBeLessThan(before)
      await picture('upcoming')
      await answer.getByRole('button', { name: 'Cancel answer' }).click()
      await answer.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Send now' }).click()
      await page.getByText('Nothing is scheduled.').waitFor()
      await expect.poll(() => bot.other.posted).toMatchObject([{ text: 'about: who comes along?' }])
      // The browser also reports that the channel did not exist at first.
      expect(problems.filter(problem => !problem.includes('404'))).toEqual([])
    },
    WAIT,
  )

  test(
    'an answer that was called off does not come back with what was read before',
    async () => {
      await using bot = await openPage({ plugins: [...plugins, remembered] })
      await bot.say('bob', 'is anyone here?')
      await using seen = await open(bot)
      const { page } = seen
      const answer = page.getByRole('listitem').filter({ hasText: 'lets others go first' })
      await answer.waitFor()
      const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route(
        '**/api/channel/upcoming*',
        async route => {
          const response = await route.fetch()
          begun.resolve()
          await goOn.promise
          await route.fulfill({ response })
        },
        { times: 1 },
      )
      await begun.promise
      await answer.getByRole('button', { name: 'Cancel answer' }).click()
      await answer.waitFor({ state: 'detached' })
      // Whether it was rendered again in between.
      await page.evaluate(`
        globalThis.back = 0
        new MutationObserver(() => { if (document.querySelector('.upcoming > li')) globalThis.back++ })
          .observe(document.querySelector('main'), { childList: true, subtree: true })`)
      const late = page.waitForResponse(response => response.url().includes('channel/upcoming'))
      goOn.resolve()
      await (await late).finished()
      await page.waitForResponse(response => response.url().includes('channel/upcoming'))
      expect(await page.evaluate('back')).toBe(0)
    },
    WAIT,
  )

  test(
    'what is set first is set before what is set then, and a field stays open whatever one seeks',
    async () => {
      await using bot = await openPage({ plugins: plugins.slice(1) })
      await heard(bot, 'good morning')
      await using seen = await open(bot)
      const { page, problems, picture } = seen
      const set: string[] = []
      const goOn = Promise.withResolvers<void>()
      await page.route('**/api/channel/settings', async route => {
        set.push(route.request().postDataJSON().value)
        await goOn.promise
        await route.continue()
      })
      const [less, more] = ['fewer', 'more'].map(name => page.getByRole('button', { name, exact: true }))
      await less?.click()
      await page.locator('.chattiness [aria-disabled=true]').first().waitFor()
      await more?.dispatchEvent('click')
      goOn.resolve()
      await page.getByText(/^set here by dashboard, /).waitFor()
      expect(set).toEqual(['quiet'])
      await more?.click()
      await expect.poll(() => more?.getAttribute('aria-pressed')).toBe('true')
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Reset' }).press('Enter')
      await page.getByText(/^set here/).waitFor({ state: 'detached' })
      expect(await page.locator('.chattiness :focus').count()).toBe(1)

      await tab(page, 'Settings')
      await page.getByText(/^judge-rules can be set here/).click()
      await page.getByRole('button', { name: 'Change threshold' }).click()
      const field = page.getByRole('textbox', { name: 'threshold' })
      await field.fill('70')
      await page.getByRole('searchbox').fill('preset')
      await page.getByRole('row', { name: /^preset/ }).waitFor()
      await picture('settings-found')
      expect(await field.isVisible()).toBe(false)
      await page.getByRole('searchbox').fill('')
      await field.waitFor()
      expect(await field.inputValue()).toBe('70')
      await field.press('Enter')
      await page.getByRole('button', { name: 'Reset threshold' }).press('Enter')
      await page.getByRole('button', { name: 'Reset threshold' }).waitFor({ state: 'detached' })
      expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Change threshold')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'the rates and the calibration of the judge are two tables',
    async () => {
      const doubtful = definePlugin({ name: 'doubtful', setup: () => ({ score: () => ({ points: 50, why: 'test' }) }) })
      const model = JSON.stringify({ reason: 'test', respond: false, confidence: 0.8, delaySeconds: null })
      await using bot = await openPage({ plugins: [doubtful, judgeLlm(), reply()], model })
      await heard(bot, 'the train leaves at ten')
      await expect.poll(async () => (await bot.db.query('select 1 from judge_llm.outcome')).rowCount).toBe(1)
      await bot.db.query("insert into judge_llm.vote select turn, 'carol', null, 1 from judge_llm.outcome")
      await using seen = await open(bot)
      const { page, problems, picture } = seen
      await page.getByRole('heading', { name: 'How right the judge was' }).waitFor()
      await page.getByRole('row', { name: 'Yes where an answer was welcome 0% (0 of 1)' }).waitFor()
      await page.getByRole('row', { name: 'Other missed answers 100% (1 of 1)' }).waitFor()
      await page.getByRole('row', { name: '0%–20% 1 1.8% 100%' }).waitFor()
      await picture('judge')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'what could not be read says so, and is read when one asks again',
    async () => {
      await using bot = await openPage({ plugins: plugins.slice(1) })
      await heard(bot, 'good morning')
      await using seen = await visit(browser, `${bot.url}/#/channels`)
      const { page, picture } = seen
      for (const [at, text] of [
        ['/#/channels', '#dev'],
        [`/#/channels/${encodeURIComponent(DEV)}`, 'Nothing is scheduled.'],
        ['/#/health', 'No problems.'],
      ] as const) {
        await page.route(/\/api\/(channels?|channel\/settings|health)(\?|$)/, route =>
          route.fulfill({ status: 500, json: { message: 'The database is away.' } }),
        )
        await page.goto('about:blank')
        await page.goto(`${bot.url}${at}`)
        await page.getByRole('alert').getByText('That did not work: The database is away.').waitFor()
        await picture(`not-read-${at.split('/')[2]}`)
        await page.unrouteAll()
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByText(text).first().waitFor()
        await page.getByRole('alert').waitFor({ state: 'detached' })
      }
    },
    WAIT,
  )

  test(
    'one sets how much it talks, sees who says so, and takes it back; what is refused is told at the field',
    async () => {
      await using bot = await openPage({ plugins: plugins.slice(1) })
      await heard(bot, 'good morning')
      await using seen = await open(bot)
      const { page, problems, picture } = seen
      await page.getByRole('button', { name: 'more', exact: true }).click()
      await page.getByText(/^set here by dashboard, /).waitFor()
      expect(await page.getByRole('button', { name: 'more', exact: true }).getAttribute('aria-pressed')).toBe('true')
      await picture('chattiness')
      await page.getByRole('button', { name: 'Reset' }).click()
      await page.getByText(/^set here/).waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'normal' }).getAttribute('aria-pressed')).toBe('true')

      await tab(page, 'Settings')
      await page.getByText(/^judge-rules can be set here/).click()
      await page.getByRole('button', { name: 'Change threshold' }).click()
      const field = page.getByRole('textbox', { name: 'threshold' })
      await field.fill('120')
      await page.keyboard.press('Enter')
      await page
        .getByRole('alert')
        .getByText(/cannot set threshold to 120: .*<=100/)
        .waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await picture('settings-refused')
      await field.fill('70')
      await page.keyboard.press('Enter')
      const row = page.getByRole('row', { name: /^threshold/ })
      await row.getByText(/set here by dashboard/).waitFor()
      expect(await row.innerText()).toContain('70')
      expect(await page.locator('button:focus').getAttribute('aria-label')).toBe('Change threshold')
      await page.getByRole('button', { name: 'Change keywords' }).click()
      await page.getByRole('textbox', { name: 'keywords' }).fill('trains\nferries')
      await page
        .getByRole('row', { name: /^keywords/ })
        .getByRole('button', { name: 'Save' })
        .click()
      await page.getByText('trains, ferries').waitFor()
      for (const option of ['threshold', 'keywords']) await page.getByRole('button', { name: `Reset ${option}` }).click()
      await row.getByText('default').waitFor()
      await page.getByRole('searchbox').fill('preset')
      await page
        .getByRole('row', { name: /^preset/ })
        .locator('.value', { hasText: 'attentive' })
        .waitFor()
      expect(await page.getByRole('button', { name: 'Change preset' }).count()).toBe(0)
      await picture('settings')
      // The browser also reports the refusal.
      expect(problems.filter(problem => !problem.includes('422'))).toEqual([])
    },
    WAIT,
  )

  test(
    'a memory that is empty says why',
    async () => {
      await using bot = await openPage({ plugins: plugins.slice(1) })
      const conversation = { platform: 'test', workspace: 'team', channel: 'hr', name: 'hr', visibility: 'private' } as const
      const author = { id: 'bob', name: 'bob' }
      await bot.bot.receive(bot.other, { id: 'm1', conversation, author, text: 'good morning', at: new Date() })
      await using seen = await visit(browser, `${bot.url}/#/channels/${encodeURIComponent('test/team/hr')}`)
      const { page, problems } = seen
      await page.getByText('test · private').waitFor()
      await tab(page, 'Memories')
      expect(await page.locator('.memories p').allInnerTexts()).toEqual([
        'Empty. The summary is written after enough messages, or after some time.',
        'Empty: the current summary is not old enough.',
        expect.stringContaining('No thread has a summary'),
        'Empty: no thread has a summary.',
        'Empty. This summary is written from time to time, from public channels only.',
        'Empty: the current summary is not old enough.',
      ])
      await page.getByText('are not part of the summary of the workspace').waitFor()
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'scripts in a name, a thread, a topic or a summary are text',
    async () => {
      const script = '<img src=x onerror="document.title = 1"><script>document.title = 1</script>'
      await using bot = await openPage({ plugins: [...plugins, remembering(script, script)] })
      await bot.bot.receive(bot.other, {
        id: 'm1',
        conversation: { platform: 'test', workspace: 'team', channel: 'dev', name: script, visibility: 'public' },
        author: { id: 'bob', name: script },
        text: 'good morning',
        at: new Date(),
      })
      await sayInThread(bot, 'alice', script)
      await using seen = await open(bot)
      const { page, problems } = seen
      await expect.poll(() => page.getByText(script).count()).toBeGreaterThanOrEqual(4)
      await tab(page, 'Memories')
      await page.getByText(script).first().waitFor()
      expect([await page.title(), await page.locator('img[src=x]').count()]).toEqual([`#${script} · Channels · kiki`, 0])
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test.each<[name: string, how: BrowserContextOptions, language: 'en' | 'ja']>([
    ['light', {}, 'en'],
    ['dark', { colorScheme: 'dark' }, 'ja'],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, 'en'],
    ['phone-ja', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true }, 'ja'],
  ])(
    'all of it fits, can be read, and has names: %s',
    async (name, how, language) => {
      await using bot = await openPage({ plugins: [...plugins, remembered] })
      await bot.say('bob', 'is anyone here?')
      await sayInThread(bot, 'alice', 'who comes along?')
      // Otherwise the policy would block the script of the test.
      await using seen = await open(bot, { ...how, bypassCSP: true })
      const { page, problems, picture } = seen
      await page.evaluate(`localStorage.setItem('language', '${language}')`)
      await page.reload()
      await expect.poll(() => page.getByRole('timer').count()).toBe(2)
      await expect.poll(() => page.getByRole('button', { name: /Send now|今すぐ送信/ }).count()).toBe(2)
      for (const [index, shown] of (['now', 'memories', 'settings'] as const).entries()) {
        await page.locator('.channel .segments').first().getByRole('button').nth(index).click()
        if (shown === 'memories') await page.locator('details').first().click()
        if (shown === 'settings')
          await page.locator('details', { hasText: 'judge-rules' }).first().locator('summary').first().click()
        await page.addScriptTag({ path: AXE })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        const serious = (found as { id: string; impact: string; nodes: { html: string }[] }[]).filter(
          ({ impact }) => impact !== 'minor',
        )
        expect(serious.map(({ id, nodes }) => [shown, id, nodes.map(({ html }) => html)])).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        const link = await page.locator('.pages [aria-current]').boundingBox()
        expect([link?.x, (link?.x ?? 0) + (link?.width ?? 0)]).toSatisfy(
          ([from, to]) => from >= 0 && to <= (page.viewportSize()?.width ?? 0),
        )
        expect(await page.evaluate('(main => main.scrollWidth - main.clientWidth)(document.querySelector("main"))')).toBe(0)
        await picture(`channel-${shown}-${name}`)
      }
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'among many channels one finds the one',
    async () => {
      await using bot = await openPage({ plugins: plugins.slice(1) })
      for (let n = 0; n < 30; n++) {
        const channel = `room${n}`
        await bot.bot.receive(bot.other, {
          id: channel,
          conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
          author: { id: 'bob', name: 'bob' },
          text: 'good morning',
          at: new Date(),
        })
      }
      await using seen = await visit(browser, `${bot.url}/#/channels`)
      const { page, problems, picture } = seen
      await expect.poll(() => page.getByRole('link', { name: /#room/ }).count()).toBe(30)
      await page.getByRole('searchbox', { name: 'Search channels' }).fill('#room17')
      await expect.poll(() => page.getByRole('link', { name: /#room/ }).count()).toBe(1)
      await picture('channels-many')
      await page.getByRole('searchbox').fill('nowhere')
      await page.getByText('No channel matches.').waitFor()
      await page.goto(`${bot.url}/#/tuning/${encodeURIComponent('test/team/room17')}`)
      await page.getByPlaceholder('Channel').fill('room3')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toBe(`${bot.url}/#/tuning/${encodeURIComponent('test/team/room3')}`)
      await expect.poll(() => page.getByLabel('Channel').first().inputValue()).toBe('test/team/room3')
      expect(problems).toEqual([])
    },
    WAIT,
  )
})
