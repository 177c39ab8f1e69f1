/**
 * `npm run screenshots` takes the pictures of the READMEs and the sheets of all pages of the dashboard: real bots, in Chromium. Names of
 * pages take their sheets alone.
 */

import { fileURLToPath } from 'node:url'
import { offline } from '@kikimimi/offline'
import { startBot } from 'kikimimi'
import { freePort } from '../core/testing/free-port.ts'
import addressing from '../plugins/addressing/index.ts'
import dashboard from '../plugins/dashboard/index.ts'
import { browserPath, openBrowser, visit } from '../plugins/dashboard/testing/browser.ts'
import facts from '../plugins/facts/index.ts'
import judgeRules from '../plugins/judge-rules/index.ts'
import profiles from '../plugins/profiles/index.ts'
import remember from '../plugins/remember/index.ts'
import reply from '../plugins/reply/index.ts'
import { pageSheets } from './screenshots/page-sheets.ts'

/** The messages of the talk. The script waits for an answer of the bot after some. */
const TALKS = {
  'playground.png': {
    locale: 'en-US',
    lines: [
      ['alice', 'the train leaves at ten', /Silent/],
      ['bob', 'kiki, when does the train leave?', /calls the bot by name/],
      ['alice', 'kiki, remember that the spare key is under the blue pot', /told to remember/],
      ['alice', 'kiki, what do you know about me?', /asked what it knows/],
    ],
  },
  'playground-ja.png': {
    locale: 'ja-JP',
    lines: [
      ['alice', '電車は10時に出るよ', /黙/],
      ['bob', 'kiki、電車はいつ出る？', /名前/],
      ['alice', 'kiki、合鍵は青い鉢の下にあるって覚えておいて', /覚え/],
      ['alice', 'kiki、私について何を知ってる？', /知って/],
    ],
  },
} as const

const ADDRESS = `127.0.0.1:${await freePort()}`

if (browserPath === undefined) throw new Error('There is no Chromium here. Install it, or name one in CHROMIUM.')
await using browser = await openBrowser()
const only = process.argv.slice(2)
for (const [file, { locale, lines }] of only.length === 0 ? Object.entries(TALKS) : []) {
  await using _bot = await startBot({
    persona: { name: 'kiki' },
    database: 'memory',
    http: ADDRESS,
    models: { chat: offline() },
    pacing: { minWait: '1s', jitter: 0 },
    plugins: [dashboard(), remember(), addressing(), judgeRules(), profiles(), facts(), reply()],
  })
  await using seen = await visit(browser, `http://${ADDRESS}`, { locale, viewport: { width: 1200, height: 760 } })
  const { page } = seen
  for (const [index, [who, text, verdict]] of lines.entries()) {
    await page.locator('.person', { hasText: who }).click()
    await page.getByRole('textbox').last().fill(text)
    await page.keyboard.press('Enter')
    await page.locator('button.verdict').nth(index).getByText(verdict).waitFor()
  }
  await page.locator('button.verdict').nth(1).click()
  await page.getByRole('complementary').waitFor()
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/${file}`, import.meta.url)) })
  process.stderr.write(`docs/${file}\n`)
}
await pageSheets(
  browser,
  new URL('../docs/dashboard/', import.meta.url),
  new URL('../.cache/screenshots/pages/', import.meta.url),
  only,
)
