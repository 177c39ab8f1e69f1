/** What the pictures show of each page: its address, and what is done there. */
import type { Page } from 'playwright-core'
import type { DashboardPage } from '../../plugins/dashboard/pages.ts'
import { DEV, type PictureBot } from './bot.ts'

/** Milliseconds that a replay or an evaluation may take on a busy machine. */
const LONG = 400_000

export interface View {
  /** The name of the page, with what of it is shown. */
  readonly name: string
  /** After `#/`. */
  readonly path: string
  /** A selector of what the view has when it is complete. */
  readonly shows: string
  readonly act?: (page: Page) => Promise<void>
}

/** The views of each page; the first one shows most. */
export function viewsOf({ name }: DashboardPage, bot: PictureBot): readonly View[] {
  const view = (what: string, path: string, shows: string, act?: View['act']): View => ({
    ...{ name: what === '' ? name : `${name}-${what}`, path: path === '' ? name : `${name}/${path}`, shows },
    ...(act && { act }),
  })
  const dev = encodeURIComponent(DEV)
  const views: Readonly<Record<string, readonly View[]>> = {
    playground: [
      view('', 'general', 'button.verdict >> nth=1'),
      view('why', 'general', 'button.verdict >> nth=1', page => page.locator('button.verdict').last().click()),
    ],
    live: [view('', '', '.turn >> nth=8')],
    turns: [
      view('', bot.turn, '.waterfall'),
      view('list', '', '.turn-line >> nth=8'),
      view('prompts', bot.turn, '.prompts', page => page.locator('.prompts summary').first().click()),
    ],
    memory: [
      view('', '', '.fact-row >> nth=4', page => page.locator('.fact-row').first().click()),
      view('contradictions', '', '.fact-row', page => page.locator('.queues button').nth(1).click()),
      view('people', 'people', '.entries li'),
      view('facts', 'facts', '.search select', async page => {
        await page.locator('.search select').selectOption({ label: '#general · discord' })
        await page.locator('.fact-row').first().waitFor()
      }),
    ],
    channels: [
      view('', dev, '.standing li'),
      view('list', '', 'main li'),
      view('memories', `${dev}/remembered`, 'main h2'),
      view('settings', `${dev}/settings`, 'main details'),
    ],
    tuning: [
      view('', dev, '.tuning details', async page => {
        await page.getByLabel('threshold', { exact: true }).fill('15')
        await page.locator('.tuning form button.strong').click()
        await page.locator('.differences').waitFor({ timeout: LONG })
        await page.locator('.chart').scrollIntoViewIfNeeded()
      }),
      view('form', dev, '.tuning details'),
    ],
    evaluation: [
      view('', '', '.rated li', async page => {
        await page.getByRole('button', { name: /^(Bad|悪い)/ }).click()
        await page.locator('textarea[name=persona]').fill('Name the hour in every answer.')
        await page.locator('form.again button.strong').click()
        await page.locator('.side-by-side li').first().waitFor({ timeout: LONG })
      }),
      view('form', '', '.rated li'),
    ],
    studio: [view('', '', 'table.options tr')],
    costs: [view('', '', 'tbody tr')],
    health: [view('', '', '.sections li')],
    operations: [view('', 'jobs', '.entries li'), view('log', '', '.log-lines li'), view('backups', 'backups', '.entries li')],
    access: [view('', '', 'tbody tr')],
    reference: [view('', '', '.reference > div')],
    overview: [view('', '7d', '.channel-line')],
  }
  return views[name] ?? [view('', '', 'main h1')]
}
