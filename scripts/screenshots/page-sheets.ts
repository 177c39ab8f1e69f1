/** A sheet of pictures for each page of the dashboard: on a computer and a phone, light and dark, in English and in Japanese. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Bot, type Database, defineBot, definePlatform, startBot, systemClock } from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import type { Browser } from 'playwright-core'
import { createLogger } from '../core/base/log.ts'
import { createSqlStore } from '../core/storage/store/sql.ts'
import { freePort } from '../core/testing/free-port.ts'
import { scriptedModel } from '../core/testing/scripted-model.ts'
import backup, { newKey } from '../packages/backup/index.ts'
import replay from '../packages/replay/index.ts'
import addressing from '../plugins/addressing/index.ts'
import dashboard from '../plugins/dashboard/index.ts'
import { pages } from '../plugins/dashboard/pages.ts'
import { visit } from '../plugins/dashboard/testing/browser.ts'
import { HOUR, keepTurns, manyTurns } from '../plugins/dashboard/testing/many-turns.ts'
import { borrowedFacts, fact } from '../plugins/facts/test-memory.ts'
import judgeRules from '../plugins/judge-rules/index.ts'
import profiles from '../plugins/profiles/index.ts'
import quiet from '../plugins/quiet/index.ts'
import reply from '../plugins/reply/index.ts'

const PASSWORD = 'a long enough password'
const TURNS = 700

/** How a page is shown: each device, light and dark, in each language. */
const LOOKS = [
  { locale: 'en-US', device: 'computer', colorScheme: 'light' },
  { locale: 'en-US', device: 'phone', colorScheme: 'dark' },
  { locale: 'ja-JP', device: 'computer', colorScheme: 'dark' },
  { locale: 'ja-JP', device: 'phone', colorScheme: 'light' },
] as const
const SCREENS = {
  computer: { viewport: { width: 1440, height: 960 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const

/** `path`: a view that shows much; `shows`: what it has when it is complete. */
const VIEWS: Readonly<Record<string, { readonly path?: string; readonly shows: string }>> = {
  overview: { shows: '.channel-line' },
  playground: { path: 'playground/general', shows: 'button.verdict' },
  live: { shows: '.turn >> nth=8' },
  turns: { path: `turns/turn-${TURNS - 5}`, shows: '.waterfall' },
  memory: { path: 'memory?queue=all', shows: '.fact-row >> nth=4' },
  channels: { path: `channels/${encodeURIComponent('test/team/dev')}`, shows: '.standing li' },
  tuning: { path: `tuning/${encodeURIComponent('test/team/dev')}`, shows: '.run' },
  evaluation: { shows: '.rated li' },
  studio: { shows: 'table.options tr' },
  costs: { shows: 'tbody tr' },
  health: { shows: '.sections li' },
  operations: { path: 'operations/backups', shows: '.entries li' },
  access: { shows: 'tbody tr' },
  reference: { shows: '.reference > div' },
}

/** Makes `FOLDER/PAGE.webp` of each page, and the single pictures below `into`. @param only names of pages; none: all */
export async function pageSheets(browser: Browser, folder: URL, into: URL, only: readonly string[]): Promise<void> {
  // Pages show its path.
  const project = join(tmpdir(), 'bot')
  await mkdir(project)
  try {
    await writeFile(join(project, 'bot.settings.json'), '{}\n')
    await using bot = await filled(project)
    const cookie = await logIn(bot)
    await mkdir(into, { recursive: true })
    await mkdir(folder, { recursive: true })
    for (const { name } of pages.filter(one => only.length === 0 || only.includes(one.name))) {
      const pictures: Buffer[] = []
      for (const look of LOOKS) pictures.push(await picture(browser, bot, cookie, name, look, into))
      await writeFile(new URL(`${name}.webp`, folder), await sheet(browser, pictures))
      process.stderr.write(`${name}\n`)
    }
  } finally {
    await rm(project, { recursive: true })
  }
}

/** A bot with a week of turns, facts, ratings and costs. */
async function filled(project: string): Promise<Filled> {
  await using opening = new AsyncDisposableStack()
  const { plugins, store } = borrowedFacts()
  const key = (await newKey()).secret
  const http = `127.0.0.1:${await freePort()}`
  const log = createLogger({
    level: 'error',
    format: 'lines',
    write: line => void process.stderr.write(line),
    clock: systemClock,
  })
  const db = opening.adopt(await openDatabase('memory', { clock: systemClock, log }), one => one.close())
  const platform = {
    name: 'test',
    me: { id: 'bot', name: 'kiki' },
    limits: { textLength: 2_000 },
    send: async () => ({ id: 'sent' }),
  }
  const bot = opening.adopt(
    await startBot(
      defineBot({
        ...{ settings: {}, persona: { name: 'kiki' }, http, pacing: { minWait: 0 } },
        models: {
          chat: { ...scriptedModel('It leaves at ten.'), name: 'large' },
          summary: { ...scriptedModel('-'), name: 'small' },
        },
        budget: { day: { money: 20 }, prices: { large: { input: 2, output: 8 }, small: { input: 1, output: 2 } } },
        plugins: [
          ...[dashboard({ password: PASSWORD }), replay(), backup({ to: join(project, 'backups'), key })],
          ...[definePlatform({ name: 'test', setup: () => ({ platform }) }), quiet(), addressing(), judgeRules(), profiles()],
          ...[...plugins, reply()],
        ],
      }),
      { db, env: {}, log, supervise: false, project: pathToFileURL(`${project}/`) },
    ),
    one => one.stop(),
  )
  const turns = manyTurns(TURNS, Date.now() - TURNS * (HOUR / 4))
  await keepTurns(createSqlStore(db, log, systemClock), turns)
  const keep = (content: string, more: object = {}) => store().add(fact(content, more))
  await keep('The spare key is under the blue pot', { kind: 'durable', people: ['ann'], confidence: 0.9 })
  await keep('Ben takes his coffee without sugar', { kind: 'preference', people: ['ben'] })
  await keep('合鍵は青い鉢の下にある', { kind: 'durable', confidence: 0.8 })
  const train = { subject: 'train to Ueno', relation: 'time' }
  await keep('The train to Ueno leaves at ten', { ...train, value: '10:00' })
  await keep('The review is on Friday at three', { kind: 'event' })
  await db.query(`
    insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, 'test/team/' || channel, role, plugin, model, calls + extract(hour from hour)::int % 5, 0, calls * 900, calls * 60, calls * 900, calls * price
    from generate_series(date_trunc('hour', now(), 'UTC') - interval '7 days', now(), interval '1 hour') hour,
      (values ('dev', 9), ('general', 4), ('random', 2)) c(channel, calls),
      (values ('chat', 'reply', 'large', 0.003), ('summary', 'memory-summary', 'small', 0.0006)) m(role, plugin, model, price)`)
  const open = opening.move()
  return { url: `http://${http}`, bot, db, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

interface Filled extends AsyncDisposable {
  readonly url: string
  readonly bot: Bot
  readonly db: Database
}

/** Logs in an owner, who rates some turns, makes a backup and says something in the playground. */
async function logIn({ url, bot }: Filled): Promise<string> {
  let cookie = ''
  async function send(path: string, method: string, body?: object): Promise<Response> {
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const answer = await send('login', 'POST', { password: PASSWORD })
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (let n = 0; n < 8; n++)
    await send(`ratings/turn-${TURNS - 5 - 7 * n}`, 'PUT', {
      ...{ good: n % 3 > 0, speaks: n % 2 > 0, contains: [], forbids: [], comment: n % 3 > 0 ? 'short and right' : 'too long' },
    })
  const { version } = (await (await send('studio', 'GET')).json()) as { version: string }
  await send('studio', 'POST', { version, changes: [{ path: ['plugins', 'judge-rules', 'options', 'threshold'], value: 55 }] })
  await send('operations/backups', 'POST')
  for (const [author, text] of [
    ['alice', 'the train leaves at ten'],
    ['bob', 'kiki, when does the train leave?'],
  ])
    await send('playground/messages', 'POST', { room: 'general', author, text })
  await bot.drained()
  return cookie
}

type Look = (typeof LOOKS)[number]

async function picture(
  browser: Browser,
  bot: Filled,
  cookie: string,
  name: string,
  { locale, device, colorScheme }: Look,
  into: URL,
): Promise<Buffer> {
  await using seen = await visit(browser, 'about:blank', { locale, colorScheme, ...SCREENS[device] })
  const { page } = seen
  const [key = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name: key, value, url: bot.url }])
  const { path = name, shows = 'main h1' } = VIEWS[name] ?? {}
  await page.goto(`${bot.url}/#/${path}`)
  const complete = page.locator(shows).first()
  // A busy machine can lose a connection: the page then shows a button instead.
  await complete
    .or(page.getByRole('button', { name: /^(Try again|もう一度試す)$/ }))
    .first()
    .waitFor()
  if (!(await complete.isVisible())) await page.reload()
  await complete.waitFor()
  // What is drawn after the first answer, such as charts.
  await page.waitForTimeout(500)
  return await page.screenshot({
    path: fileURLToPath(new URL(`${name}-${locale.slice(0, 2)}-${device}-${colorScheme}.png`, into)),
  })
}

/** A row for each language, with a computer and a phone. */
async function sheet(browser: Browser, pictures: readonly Buffer[]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 842, height: 856 }, deviceScaleFactor: 2 })
  const images = pictures.map(one => `<img src="data:image/png;base64,${one.toString('base64')}">`)
  await page.setContent(`<style>
    body { margin: 0; display: grid; grid-template-columns: 600px 186px; grid-auto-rows: 400px; gap: 16px; padding: 20px; background: #8a8f98 }
    img { width: 100%; height: 400px; object-fit: cover; object-position: top; border-radius: 6px }
  </style>${images.join('')}`)
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 72 })
  await page.close()
  return Buffer.from(data, 'base64')
}
