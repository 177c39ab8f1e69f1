/** A sheet of pictures for each view of the dashboard: on a computer and a phone, light and dark, in English and in Japanese. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { pages } from '../../plugins/dashboard/pages.ts'
import { visit } from '../../plugins/dashboard/testing/browser.ts'
import { type PictureBot, pictureBot } from './bot.ts'
import { type View, viewsOf } from './views.ts'

const LOCALES = ['en-US', 'ja-JP'] as const
const SCHEMES = ['light', 'dark'] as const
/** The last one is what the window of the computer shows at 200 %. */
const SCREENS = {
  computer: { width: 1440, height: 960 },
  phone: { width: 390, height: 844 },
  zoomed: { width: 720, height: 480 },
} as const

/** The size of a sheet: a row for each language and scheme. In CSS pixels. */
const [WIDTH, ROW, GAP, EDGE] = [842, 400, 16, 20]

interface Picture {
  /** Its place in the sheet. */
  readonly row: number
  readonly column: number
  readonly png: Buffer
}

/**
 * Makes `FOLDER/VIEW.webp` of each view, and the single pictures below `into`.
 *
 * @param only the beginnings of names of views; none: all
 * @throws Error when axe finds something in a picture, or in the window of a computer at 200 %
 */
export async function pageSheets(browser: Browser, folder: URL, into: URL, only: readonly string[]): Promise<void> {
  await using bot = await pictureBot()
  await mkdir(into, { recursive: true })
  await mkdir(folder, { recursive: true })
  const views = pages
    .flatMap(page => viewsOf(page, bot))
    .filter(({ name }) => only.length === 0 || only.some(one => name.startsWith(one)))
  const faults: string[] = []
  for (const view of views) {
    const pictures: Picture[] = []
    const found: string[] = []
    for (const [line, locale] of LOCALES.entries()) {
      await using seen = await visit(browser, 'about:blank', { locale, viewport: SCREENS.computer })
      const { page } = seen
      const [name = '', value = ''] = bot.cookie.split('=')
      await page.context().addCookies([{ name, value, url: bot.url }])
      await show(page, bot, view)
      for (const [column, [screen, size]] of Object.entries(SCREENS).entries()) {
        await page.setViewportSize(size)
        for (const [at, colorScheme] of SCHEMES.entries()) {
          const what = `${view.name}-${locale.slice(0, 2)}-${screen}-${colorScheme}`
          await page.emulateMedia({ colorScheme })
          if (screen !== 'zoomed') {
            // What is drawn for this size and these colours, such as charts.
            await page.waitForTimeout(300)
            const path = fileURLToPath(new URL(`${what}.png`, into))
            pictures.push({ row: 2 * line + at, column, png: await page.screenshot({ path }) })
          }
          found.push(...(await faultsIn(page, what, at > 0)))
        }
      }
      found.push(...seen.problems.map(problem => `${view.name}: ${problem}`))
    }
    await writeFile(new URL(`${view.name}.webp`, folder), await sheet(browser, pictures))
    process.stderr.write(`${[view.name, ...found].join('\n  ')}\n`)
    faults.push(...found)
  }
  if (faults.length > 0) throw new Error(`The pictures are made, and the pages have faults:\n${faults.join('\n')}`)
}

async function show(page: Page, { url }: PictureBot, { path, shows, act }: View): Promise<void> {
  await page.goto(`${url}/#/${path}`)
  const complete = page.locator(shows).first()
  // A busy machine can lose a connection: the page then shows a button instead.
  const retry = page.getByRole('button', { name: /^(Try again|もう一度試す)$/ }).first()
  await complete.or(retry).first().waitFor()
  if (!(await complete.isVisible())) await page.reload()
  await complete.waitFor()
  await act?.(page)
  // Nothing is shown as pointed at.
  await page.mouse.move(1, 1)
  // What is read after the first answer.
  await page.waitForTimeout(300)
}

/** The rules of axe that the page breaks, and whether something stands out at its side. @param onlyColours the rest has been checked */
async function faultsIn(page: Page, what: string, onlyColours = false): Promise<string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const which = onlyColours ? `{ runOnly: ['color-contrast'] }` : '{}'
  const found = await page.evaluate(
    `axe.run(document, ${which}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
  )
  const out = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  return [...(found as string[]), ...(out === 0 ? [] : [`${out} pixels stand out at the side`])].map(one => `${what}: ${one}`)
}

async function sheet(browser: Browser, pictures: readonly Picture[]): Promise<Buffer> {
  const height = 4 * (ROW + GAP) - GAP + 2 * EDGE
  const page = await browser.newPage({ viewport: { width: WIDTH, height }, deviceScaleFactor: 2 })
  const images = pictures
    .toSorted((a, b) => a.row - b.row || a.column - b.column)
    .map(({ png }) => `<img src="data:image/png;base64,${png.toString('base64')}">`)
  await page.setContent(`<style>
    body { margin: 0; display: grid; grid-template-columns: 600px 186px; grid-auto-rows: ${ROW}px; gap: ${GAP}px; padding: ${EDGE}px; background: #8a8f98 }
    img { width: 100%; height: ${ROW}px; object-fit: cover; object-position: top; border-radius: 6px }
  </style>${images.join('')}`)
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 72 })
  await page.close()
  return Buffer.from(data, 'base64')
}
