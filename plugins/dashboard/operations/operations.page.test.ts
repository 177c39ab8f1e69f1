import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import backup, { newKey } from '@kikimimi/backup'
import { definePlugin, type PluginContext } from 'kikimimi'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage } from '../testing/open-page.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** Milliseconds. Generous, because a busy machine is slow and this test measures no speed. */
const WAIT = 240_000

describe.skipIf(browserPath === undefined)('operations in a browser', () => {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    browser = await openBrowser()
    folder = await mkdtemp(join(tmpdir(), 'backups-'))
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each([
    ['computer', {}],
    ['phone', { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])(
    'an owner reads the live log, makes a backup and runs a failed job again: %s',
    async (what, how) => {
      let lent: PluginContext | undefined
      const worker = definePlugin({
        name: 'worker',
        setup(ctx) {
          lent = ctx
          ctx.job<object>('sum', () => {
            throw new Error('no')
          })
        },
      })
      await using bot = await openPage({ plugins: [backup({ to: folder, key: (await newKey()).secret }), worker()] })
      await using seen = await visit(browser, `${bot.url}/#/operations`, { ...how, bypassCSP: true })
      const { page, problems, picture } = seen
      const check = async (where: string) => {
        await picture(`operations-${what}-${where}`)
        expect([where, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([where, 0])
        await page.addScriptTag({ path: AXE })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        const violations = found as { id: string; nodes: { html: string }[] }[]
        expect(violations.map(({ id, nodes }) => [where, id, nodes.map(({ html }) => html)])).toEqual([])
      }
      await page.locator('.log-lines li', { hasText: 'the page is open' }).waitFor()
      lent?.log.warn('the store does not answer', { tries: 3, where: 'w'.repeat(500) })
      await page.locator('.log-lines .warn', { hasText: 'the store does not answer' }).waitFor()
      await check('log')
      await page.getByRole('button', { name: 'Warnings' }).press('Enter')
      await page.locator('.log-lines .info').first().waitFor({ state: 'detached' })
      await page.getByRole('searchbox').fill('elephants')
      await page.getByText('There are no such lines.').waitFor()

      await page.getByRole('button', { name: 'Backups' }).click()
      await page.getByRole('button', { name: 'Back up now' }).click()
      await page.locator('.entries li', { hasText: '.backup.age' }).first().waitFor()
      await page.getByRole('button', { name: 'Back up now' }).waitFor()
      await page.getByText('kikimimi restore --newest').waitFor()
      await check('backups')

      await bot.bot.jobs.schedule('worker.sum', {}, { key: 'today' })
      const fail = async () => {
        const { rowCount } = await bot.db.query(
          `update pgboss.job set state = 'failed', completed_on = now(), output = '{"message":"BROKEN"}'
           where data->>'kind' = 'worker.sum' and state = 'retry'`,
        )
        return rowCount
      }
      await expect.poll(fail, { timeout: 60_000 }).toBe(1)
      await page.getByRole('button', { name: 'Jobs' }).click()
      await page.getByText('BROKEN').waitFor()
      await check('jobs')
      await page.getByRole('button', { name: 'Try again: worker.sum today' }).press('Enter')
      await page.getByText('It is in the queue again.').waitFor()
      await page.getByText('BROKEN').waitFor({ state: 'detached' })
      // A line of the log leaves the room of the playground as it is.
      await page.goto(`${bot.url}/#/playground/general`)
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      lent?.log.warn('the store does not answer again')
      await page.getByRole('textbox', { name: 'Message' }).fill('good morning')
      await page.keyboard.press('Enter')
      await page.getByText('good morning').first().waitFor()
      expect(problems).toEqual([])
    },
    WAIT,
  )
})
