import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logIn } from '../testing/attack.ts'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'
import { talk } from '../testing/tuning.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const PASSWORD = 'a long enough password'
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-studio-'))
  file = join(folder, 'bot.settings.json')
  await writeFile(file, '{}\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  const open = (password?: string) =>
    openPage({ project: pathToFileURL(`${folder}/`), plugins: [judgeRules(), reply()], ...(password && { password }) })

  test(
    'an owner changes settings, tries them first, saves them, and takes them back',
    async () => {
      await using bot = await open()
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/studio`)
      const { page, problems, picture } = seen
      await set(page, 'persona.name', 'm'.repeat(500))
      await page.getByText('judge-rules', { exact: false }).first().click()
      await set(page, 'judge-rules.threshold', '15')
      await page.getByRole('region', { name: 'Not saved yet' }).waitFor()
      expect(await faults(page)).toEqual([])
      await picture('studio')

      await page.getByRole('button', { name: 'Try on recorded messages first' }).click()
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByRole('heading', { name: /Different results/ }).waitFor()
      expect(await readFile(file, 'utf8')).toBe('{}\n')

      await page.getByRole('link', { name: 'Settings studio' }).click()
      await page.getByRole('button', { name: 'Save changes (2)' }).click()
      await page.getByText('Saved and applied.').waitFor()
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
        persona: { name: 'm'.repeat(500) },
        plugins: { 'judge-rules': { options: { threshold: 15 } } },
      })
      const history = page.getByRole('region', { name: 'History of the settings' })
      await history.getByRole('row', { name: /judge-rules\.threshold/ }).waitFor()

      await history.getByRole('button', { name: /^Undo the change of/ }).click()
      await history.getByRole('button', { name: 'Really undo' }).click()
      await history.getByText('undone').waitFor()
      expect(await readFile(file, 'utf8')).toBe('{}\n')
      // A reload makes the routes anew and ends the streams, which begin again.
      expect(problems.filter(problem => !problem.includes('INCOMPLETE_CHUNKED'))).toEqual([])
    },
    WAIT,
  )

  test(
    'the second of two owners sees the conflict, keeps what was typed, and saves it when it is still wanted',
    async () => {
      await using bot = await open()
      await using first = await visit(browser, `${bot.url}/#/studio`)
      await using second = await visit(browser, `${bot.url}/#/studio`)
      for (const [seen, name] of [
        [first, 'mimi'],
        [second, 'nana'],
      ] as const)
        await set(seen.page, 'persona.name', name)
      await first.page.getByRole('button', { name: 'Save changes (1)' }).click()
      await first.page.getByText('Saved and applied.').waitFor()
      await second.page.getByRole('button', { name: 'Save changes (1)' }).click()
      await second.page.getByText(/^Somebody changed the settings meanwhile\. Nothing was overwritten/).waitFor()
      await second.page.getByText('before: mimi').waitFor()
      expect(bot.bot.persona.name).toBe('mimi')
      await second.page.getByRole('button', { name: 'Save changes (1)' }).click()
      await second.page.getByText('Saved and applied.').waitFor()
      expect(bot.bot.persona.name).toBe('nana')
    },
    WAIT,
  )

  test(
    'with the keyboard alone, on a phone, a place of 500 characters fits',
    async () => {
      await using bot = await open()
      await using phone = await visit(browser, `${bot.url}/#/studio`, {
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
      })
      const { page, picture } = phone
      const place = page.getByLabel('Name or ID')
      await place.focus()
      await page.keyboard.insertText('n'.repeat(500))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: `Channel ${'n'.repeat(500)}` }).waitFor()
      await page.getByRole('button', { name: 'Change judge-rules.threshold (nnn' }).first().focus()
      await page.keyboard.press('Enter')
      await page.locator('input:focus').waitFor()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText('101')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Save changes (1)' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'threshold' }).waitFor()
      expect(await faults(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await picture('studio-phone-dark')
      expect(await readFile(file, 'utf8')).toBe('{}\n')
    },
    WAIT,
  )

  test(
    'a moderator sees the settings and changes none; a broken file is told with its line',
    async () => {
      await using bot = await open(PASSWORD)
      const cookie = await logIn(bot)
      const account = { name: 'bea', role: 'moderator', password: 'a password of bea' }
      await bot.api('access/accounts', { method: 'POST', body: account, headers: { cookie } })
      await using seen = await visit(browser, `${bot.url}/#/studio`)
      const { page } = seen
      await page.getByLabel('Account').fill('bea')
      await page.getByLabel('Password').fill('a password of bea')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Only an owner can change settings.').waitFor()
      await page.getByText('Only an owner can change settings.').waitFor()
      expect(await page.getByRole('button', { name: /^Change / }).count()).toBe(0)
      expect(await page.content()).not.toContain(PASSWORD)
      await writeFile(file, '{\n  "persona": {},\n}\n')
      await page.reload()
      await page.getByText(/bot\.settings\.json is no JSON: unexpected "}" in line 3, column 1/).waitFor()
      expect(await faults(page)).toEqual([])
    },
    WAIT,
  )
})

async function set(page: Page, option: string, value: string): Promise<void> {
  await page.getByRole('button', { name: `Change ${option}`, exact: true }).click()
  await page.getByLabel(option, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: `Undo the change of ${option}`, exact: true }).waitFor()
}

/** What axe finds. The policy of the page refuses scripts from outside, but not code of the browser's tools. */
async function faults(page: Page): Promise<unknown> {
  await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate('axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))')
}
