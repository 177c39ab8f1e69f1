import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { definePlugin } from 'kikimimi'
import { freePort } from 'kikimimi/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Panels } from './index.ts'
import { browserPath, choose, openBrowser, say, visit } from './testing/browser.ts'
import { openPage } from './testing/open-page.ts'

const require = createRequire(import.meta.url)
const AXE = require.resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test(
    'the first run: say something, get an answer, see why, and why it was silent',
    async () => {
      await using bot = await openPage({ model: 'At ten.' })
      await using seen = await visit(browser, bot.url)
      const { page, problems, picture } = seen
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      await picture('empty')

      await say(page, 'the train leaves at ten')
      await page.getByRole('button', { name: /Silent/ }).waitFor()
      await page.locator('.person', { hasText: 'bob' }).click()
      await say(page, '@kiki when does the train leave?')
      await page.locator('.own', { hasText: 'At ten.' }).waitFor()
      const verdict = page.getByRole('button', { name: /Answers.*mentions the bot/ })
      await verdict.click()
      const why = page.getByRole('complementary', { name: 'Why' })
      await why.getByText('addressed by a mention').waitFor()
      expect(await why.getByRole('listitem').allInnerTexts()).toContainEqual(expect.stringMatching(/mentions the bot.*\+100/s))
      await picture('why')
      await page.keyboard.press('Escape')
      await why.waitFor({ state: 'detached' })
      expect(await page.locator('button.verdict:focus').innerText()).toContain('mentions the bot')
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'one can add somebody, react, answer in a thread, change and take back',
    async () => {
      await using bot = await openPage({ model: 'Yes.' })
      await using seen = await visit(browser, bot.url)
      const { page, problems, picture } = seen
      await page.getByRole('button', { name: 'Add a person' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('花子')
      await page.keyboard.press('Enter')
      await say(page, '電車は10時です')
      const message = page.locator('.message', { hasText: '電車は10時' })
      await message.getByText('花子').waitFor()

      await choose(message, 'React with 🎉')
      await message
        .getByRole('button', { name: '🎉：花子' })
        .or(message.getByRole('button', { name: '🎉: 花子' }))
        .waitFor()
      await choose(message, 'Edit')
      await message.getByRole('textbox').fill('電車は10時半です')
      await page.keyboard.press('Enter')
      await message.getByText('(edited)').waitFor()

      await choose(message, 'Thread')
      const thread = page.getByRole('complementary', { name: 'Thread' })
      await thread.getByRole('textbox', { name: 'Message' }).fill('@kiki は知ってた？')
      await page.keyboard.press('Enter')
      await thread.locator('.own', { hasText: 'Yes.' }).waitFor()
      await picture('thread')
      await thread.getByRole('button', { name: 'Close' }).click()
      await message.getByRole('button', { name: '2 replies' }).waitFor()
      await choose(message, 'Delete')
      await message.waitFor({ state: 'detached' })
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'an answer that waits is counted down',
    async () => {
      const patient = definePlugin({
        name: 'patient',
        setup: () => ({ decide: () => ({ kind: 'full', why: 'lets others go first', delayMs: 60_000 }) }),
      })
      await using bot = await openPage({ plugins: [patient] })
      await using seen = await visit(browser, bot.url)
      await say(seen.page, 'is anyone here?')
      await seen.page.getByText(/Answers in 5\d s/).waitFor()
      await seen.picture('delayed')
    },
    WAIT,
  )

  test(
    'what happens on all platforms is seen live, and opens to its trace',
    async () => {
      await using bot = await openPage({ model: 'At ten.' })
      await using seen = await visit(browser, `${bot.url}/#/live`)
      const { page, problems, picture } = seen
      await page.getByRole('heading', { name: 'No activity yet' }).waitFor()
      await bot.say('bob', 'is anyone here?')
      const row = page.getByRole('button', { name: /bob is anyone here\?.*#dev · test/ })
      await row.waitFor()
      await bot.say('bob', 'kiki, when does the train leave?')
      await page
        .getByRole('button', { name: /Answers/ })
        .first()
        .click()
      const trace = page.locator('.trace')
      for (const told of ['addressed by name', 'At ten.', 'scripted'])
        await trace.getByText(told).filter({ visible: true }).first().waitFor()
      await picture('live')
      await page.getByRole('button', { name: 'Silent', exact: true }).click()
      await expect.poll(() => page.getByRole('button', { name: /Answers/ }).count()).toBe(0)
      // Earlier messages come from the log.
      await page.reload()
      await page.getByRole('button', { name: /is anyone here/ }).waitFor()
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'what was missed while the connection was gone can be asked for, however much it was',
    async () => {
      await using bot = await openPage()
      // Offline mode blocks new connections only. Open ones are closed here.
      const cables = new Set<Socket>()
      await using between = createServer(socket => {
        cables.add(socket)
        const bots = connect(Number(new URL(bot.url).port), '127.0.0.1')
        pipeline(socket, bots, socket).catch(() => {})
      })
      const port = await freePort()
      await once(between.listen(port, '127.0.0.1'), 'listening')
      await using seen = await visit(browser, `http://127.0.0.1:${port}/#/live`)
      const { page } = seen
      await bot.say('bob', 'said before')
      await page.getByRole('button', { name: /said before/ }).waitFor()
      await page.context().setOffline(true)
      for (const cable of cables) cable.destroy()
      await page.getByText('Connection lost').waitFor()
      for (let n = 0; n < 60; n++) {
        const channel = `channel${n}`
        await bot.bot.receive(bot.other, {
          id: channel,
          conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
          author: { id: 'bob', name: 'bob' },
          text: `said meanwhile ${n}`,
          at: new Date(),
        })
      }
      await expect
        .poll(async () => ((await (await bot.api('turns?limit=200')).json()) as { turns: unknown[] }).turns.length)
        .toBe(61)
      await page.context().setOffline(false)
      await page.getByRole('button', { name: /said meanwhile 59/ }).waitFor()
      await page.getByRole('button', { name: 'Show earlier' }).click()
      await page.getByRole('button', { name: /said meanwhile 0 / }).waitFor()
      expect(await page.getByRole('button', { name: /said/ }).count()).toBe(61)
    },
    WAIT,
  )

  test(
    'in Japanese, in the dark, on a phone',
    async () => {
      await using bot = await openPage({ model: '10時です。' })
      const phone = {
        viewport: { width: 360, height: 740 },
        locale: 'ja-JP',
        colorScheme: 'dark',
        isMobile: true,
        hasTouch: true,
      } as const
      await using seen = await visit(browser, bot.url, phone)
      const { page, problems, picture } = seen
      await page.getByRole('heading', { name: 'まだメッセージはありません' }).waitFor()
      await picture('phone-empty')
      await page.getByRole('button', { name: '@kiki こんにちは！' }).tap()
      await page.locator('.own', { hasText: '10時です。' }).waitFor()
      await picture('phone')
      await page.getByRole('button', { name: /返答します.*メンションされました/ }).tap()
      await page.getByText('100点中100点').waitFor()
      await picture('phone-why')
      const sideways = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(await sideways()).toBe(0)
      await page.goto(`${bot.url}/#/live`)
      await page.getByRole('heading', { name: 'ライブ' }).waitFor()
      await picture('phone-live')
      expect(await sideways()).toBe(0)
      expect(problems).toEqual([])
    },
    WAIT,
  )

  test(
    'language and colours are chosen, and stay chosen',
    async () => {
      await using bot = await openPage()
      await using seen = await visit(browser, bot.url)
      const { page } = seen
      const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
      expect(await ground()).toBe('rgb(21, 23, 26)')
      await page.getByRole('combobox', { name: 'Language' }).selectOption('ja')
      await page.reload()
      await page.getByRole('link', { name: 'プレイグラウンド' }).waitFor()
      expect(await ground()).toBe('rgb(21, 23, 26)')
      expect(await page.evaluate('document.documentElement.lang')).toBe('ja')
      await seen.picture('dark')
    },
    WAIT,
  )

  test(
    'who does not know the password stays outside',
    async () => {
      await using bot = await openPage({ password: 'a long enough password' })
      await using seen = await visit(browser, bot.url)
      const { page, picture } = seen
      await page.getByLabel('Password').fill('a wrong password')
      await page.keyboard.press('Enter')
      await page.getByText('Wrong password.').waitFor()
      await picture('login')
      await page.getByLabel('Password').fill('a long enough password')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.getByRole('button', { name: 'Log out', exact: true }).click()
      await page.getByLabel('Password').waitFor()
    },
    WAIT,
  )

  test(
    'nothing that people or plugins say runs',
    async () => {
      const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
      const plugin = definePlugin({
        name: 'evil',
        needs: [Panels],
        setup: ctx => {
          ctx.use(Panels).add({ id: 'evil', title: evil, read: () => [{ title: evil, text: evil, rows: [{ [evil]: evil }] }] })
          return {
            score: () => ({ points: 10, why: evil }),
            decide: () => ({ kind: 'full', why: evil }),
            respond: () => ({ kind: 'text', text: evil }),
          }
        },
      })
      await using bot = await openPage({ plugins: [plugin] })
      await using seen = await visit(browser, bot.url)
      const { page, problems } = seen
      await say(page, evil)
      await page.locator('.own', { hasText: '<script>' }).waitFor()
      await page.locator('button.verdict').first().click()
      await page.locator('.trace').waitFor()
      await bot.say(`"><svg onload=alert(1)>`, evil)
      for (const where of [
        '#/live',
        '#/panel/evil',
        `#/playground/${encodeURIComponent('javascript:alert(1)')}`,
        '#/panel/%E0%A4%A',
        '#/<script>',
      ]) {
        await page.goto(`${bot.url}/${where}`)
        await page.locator('main > section, .playground').first().waitFor()
      }
      expect(await page.title()).not.toBe('owned')
      expect(await page.locator('main img, main script, main svg').count()).toBe(0)
      expect(problems.filter(problem => /policy|trusted/i.test(problem))).toEqual([])
    },
    WAIT,
  )

  test(
    'axe finds nothing beside an open explanation, light and dark',
    async () => {
      await using bot = await openPage({ model: 'At ten.' })
      // Otherwise the policy would block the script of the test.
      await using seen = await visit(browser, bot.url, { bypassCSP: true })
      const { page } = seen
      await say(page, '@kiki when does the train leave?')
      await page.locator('button.verdict').first().click()
      await page.locator('.trace').first().waitFor()
      await page.addScriptTag({ path: AXE })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        const told = (found as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => [
          id,
          nodes.map(({ html }) => html),
        ])
        expect([colorScheme, told]).toEqual([colorScheme, []])
      }
    },
    WAIT,
  )
})
