import { createRequire } from 'node:module'
import judgeRules from '@kikimimi/judge-rules'
import { definePlugin } from 'kikimimi'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openPage, type TestPage } from './test-page.ts'
import type { ReplayEvent, ReplayView, TunableView } from './tuning-views.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const WAIT = 60_000
const DEV = 'test/team/dev'
const MINUTE = 60_000

/** Carol answers most of what is asked; each scene comes some minutes after the one before. */
const SCENES: readonly (readonly (readonly [author: string, text: string, answers?: number])[])[] = [
  [
    ['bob', 'does anyone know how to renew the certificate?'],
    ['carol', 'run renew on the gateway', 0],
    ['bob', 'thanks!'],
  ],
  [
    ['alice', 'good morning'],
    ['dave', 'morning'],
    ['alice', 'what time is the review today?'],
    ['carol', 'at three', 2],
  ],
  [
    ['dave', 'the build is red again'],
    ['dave', 'has anybody touched the runner?'],
    ['carol', 'I did, it should be fine now', 1],
    ['bob', 'it is green here'],
  ],
  [
    ['bob', 'lunch?'],
    ['alice', 'in ten minutes', 0],
    ['bob', 'great'],
  ],
  [
    ['alice', 'kiki said the disk is nearly full. is that true?'],
    ['carol', 'yes, I am looking at it', 0],
    ['dave', 'which one?'],
    ['carol', 'the second', 2],
  ],
]

/** Nothing is said live, for nobody has an answer: what is in the channel stays what it was. */
async function talk(page: TestPage, times = 8): Promise<void> {
  const start = Date.now() - 24 * 60 * MINUTE
  let count = 0
  for (let scene = 0; scene < times * SCENES.length; scene++) {
    const first = count
    for (const [index, [author, text, answers]] of (SCENES[scene % SCENES.length] ?? []).entries()) {
      await page.bot.receive(page.other, {
        id: `t${count++}`,
        conversation: { platform: 'test', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' },
        author: { id: author, name: author },
        text,
        at: new Date(start + scene * 12 * MINUTE + index * 20_000),
        ...(answers !== undefined && { replyTo: { id: `t${first + answers}` } }),
      })
    }
  }
}

const plugins = [judgeRules()]

const ask = (page: TestPage, body: object = {}, signal?: AbortSignal) =>
  fetch(`${page.url}/api/tuning`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversation: DEV, limit: 500, settings: {}, ...body }),
    ...(signal && { signal }),
  })

async function eventsOf(answer: Response): Promise<ReplayEvent[]> {
  return (await answer.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as ReplayEvent)
}

function replayIn(events: readonly ReplayEvent[]): ReplayView {
  const last = events.at(-1)
  if (last && 'replay' in last) return last.replay
  throw new Error(`no replay came of it: ${JSON.stringify(last)}`)
}

const messageOf = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as { message: string }) })

test('the options of a channel that shape when it speaks, with their bounds', async () => {
  await using page = await openPage({ plugins })
  await talk(page, 1)
  const answer = await page.api(`tuning?conversation=${encodeURIComponent(DEV)}`)
  const { options } = (await answer.json()) as { options: TunableView[] }
  expect(new Set(options.map(({ plugin }) => plugin))).toEqual(new Set(['pacing', 'judge-rules']))
  expect(options.find(({ option }) => option === 'threshold')).toMatchObject({ value: 60, takes: 'number', least: 0, most: 100 })
  expect((await page.api('tuning?conversation=nowhere')).status).toBe(404)
})

test('a replay tells how far it is, and then what came of it, with the messages', async () => {
  await using page = await openPage({ plugins })
  await talk(page)
  const events = await eventsOf(await ask(page, { settings: { 'judge-rules': { threshold: 15 } } }))
  expect(events.filter(event => 'share' in event).length).toBeGreaterThan(10)
  const { today, changed, differences, differ } = replayIn(events)
  expect(differ).toBeGreaterThan(0)
  expect(changed.looks.full).toBeGreaterThan(today.looks.full)
  expect(differences[0]).toMatchObject({
    message: { author: { name: expect.any(String) }, text: expect.stringMatching(/\?$/) },
    today: { kind: 'silent', why: expect.stringContaining('below 60') },
    changed: { kind: 'full' },
  })
  expect(today.places?.members).toContainEqual(expect.objectContaining({ name: 'carol', coverage: expect.any(Number) }))
})

test('what cannot be replayed is refused with a sentence', async () => {
  await using page = await openPage({ plugins })
  await talk(page, 1)
  expect(await messageOf(await ask(page, { conversation: 'test/team/cellar' }))).toMatchObject({
    status: 404,
    message: /never heard/,
  })
  const wrong = await messageOf(await ask(page, { settings: { 'judge-rules': { threshold: 400 } } }))
  expect(wrong).toEqual({ status: 422, message: expect.stringContaining('[judge-rules] cannot set threshold to 400') })
  expect((await ask(page, { settings: { dashboard: { password: 'a new password' } } })).status).toBe(422)
  expect((await ask(page, { limit: 1_000_000 })).status).toBe(400)
})

test('one replay at a time; who leaves ends it', async () => {
  await using page = await openPage({ plugins })
  await talk(page)
  const leaving = new AbortController()
  const first = await ask(page, {}, leaving.signal)
  expect(await messageOf(await ask(page))).toEqual({ status: 409, message: expect.stringContaining('A replay is under way') })
  leaving.abort()
  await expect(first.text()).rejects.toThrow()
  await expect.poll(async () => (await ask(page)).status, { timeout: 10_000 }).toBe(200)
})

const slow = definePlugin({ name: 'slow', setup: () => ({ score: () => new Promise(resolve => setTimeout(resolve, 5)) }) })
const BROKEN_OFF = 'It was broken off: the bot has stopped, or was set up anew. Try again.'

test.each([
  ['stops', (page: TestPage) => page[Symbol.asyncDispose]()],
  ['is set up anew', (page: TestPage) => page.reload([judgeRules()])],
])('a bot that %s does not wait for a replay', async (_what, end) => {
  await using page = await openPage({ plugins: [slow, judgeRules()] })
  await talk(page)
  const answer = await ask(page)
  await end(page)
  expect((await eventsOf(answer)).at(-1)).toEqual({ failed: BROKEN_OFF })
  expect(page.log).toEqual([])
})

/** A replay does not get past this until it is let go. */
function held(where: 'setup' | 'second message') {
  const entered = Promise.withResolvers<void>()
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const hold = () => {
    entered.resolve()
    return promise
  }
  let setups = 0
  const plugin = definePlugin({
    name: 'held',
    async setup() {
      const isReplay = setups++ > 0
      if (isReplay && where === 'setup') await hold()
      let heard = 0
      return { score: async () => void (isReplay && where === 'second message' && heard++ > 0 && (await hold())) }
    },
  })
  return { plugin, entered: entered.promise, letGo }
}

test('who leaves before the first line is not taken for an error', async () => {
  const { plugin, entered, letGo } = held('setup')
  await using page = await openPage({ plugins: [plugin, judgeRules()] })
  await talk(page, 1)
  const leaving = new AbortController()
  const asked = ask(page, {}, leaving.signal)
  await entered
  leaving.abort()
  await expect(asked).rejects.toThrow()
  // The bot has heard of it by then.
  for (let times = 0; times < 3; times++) await page.api('bot')
  letGo()
  await expect.poll(async () => (await ask(page)).status, { timeout: 10_000 }).toBe(200)
  expect(page.log).toEqual([])
})

test('nor who leaves before there is much to tell', async () => {
  const { plugin, entered, letGo } = held('second message')
  await using page = await openPage({ plugins: [plugin, judgeRules()] })
  await talk(page)
  const leaving = new AbortController()
  const answer = await ask(page, {}, leaving.signal)
  await entered
  leaving.abort()
  await expect(answer.text()).rejects.toThrow()
  letGo()
  await expect.poll(async () => (await ask(page)).status, { timeout: 10_000 }).toBe(200)
  expect(page.log).toEqual([])
})

test('without the password nobody replays anything', async () => {
  await using page = await openPage({ plugins, password: 'correct horse battery' })
  expect((await ask(page)).status).toBe(401)
  expect((await page.api('tuning?conversation=x')).status).toBe(401)
})

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  async function run(page: Page, threshold: string): Promise<void> {
    await page.getByLabel('threshold', { exact: true }).fill(threshold)
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('heading', { name: /Where the two differ/ }).waitFor()
  }

  test(
    'one changes an option, sees what would have differed, and uses it in the channel',
    async () => {
      await using bot = await openPage({ plugins })
      await talk(bot)
      await using seen = await visit(browser, `${bot.url}/#/tuning`)
      const { page, problems, picture } = seen
      await run(page, '15')
      await page.getByRole('img', { name: /^Today: .* Changed: / }).waitFor()
      await expect.poll(() => inked(page)).toBe(true)
      const figures = page.getByRole('table', { name: 'Figures' })
      const coverage = figures.getByRole('row', { name: /Coverage/ })
      await expect.poll(() => coverage.getByRole('cell').count()).toBe(2)
      const difference = page.locator('.differences > li').first()
      expect(await difference.innerText()).toMatch(/\?[\s\S]*Today[\s\S]*Silent[\s\S]*Changed[\s\S]*Answers/)
      await picture('tuning')
      await page.getByRole('heading', { name: 'What each rule did' }).scrollIntoViewIfNeeded()
      await picture('tuning-rules')

      await page.getByText('Pace', { exact: true }).click()
      await page.getByLabel('jitter').fill('0.5')
      await page.getByText("pacing: { channels: { 'dev': { jitter: 0.5 } } },").waitFor()
      await page.getByRole('button', { name: 'Use these here' }).scrollIntoViewIfNeeded()
      await picture('tuning-apply')
      await page.getByRole('button', { name: 'Use these here' }).click()
      await page.getByText('Set for #dev').waitFor()
      // What is for bot.config.ts stays until one has it there.
      await expect.poll(() => page.getByLabel('jitter', { exact: true }).inputValue()).toBe('0.5')
      await expect.poll(() => page.getByRole('button', { name: 'Use these here' }).count()).toBe(0)
      expect(bot.bot.settings.list(DEV)).toMatchObject([{ plugin: 'judge-rules', key: 'threshold', value: 15 }])
      expect(problems).toEqual([])
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
      await page.getByLabel('silence', { exact: true }).fill('soon')
      await page.reload()
      await expect.poll(() => page.getByLabel('silence', { exact: true }).inputValue()).toBe('soon')
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('alert').filter({ hasText: 'cannot set silence to "soon"' }).waitFor()
      await page.getByRole('button', { name: 'Undo the change of silence' }).click()
      await expect.poll(() => page.getByLabel('silence', { exact: true }).inputValue()).toBe('10m')
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
      ] as const
      for (const { name, how } of looks) {
        await using seen = await visit(browser, `${bot.url}/#/tuning`, { ...how, bypassCSP: true })
        const { page, picture } = seen
        await page.getByLabel('threshold', { exact: true }).fill('15')
        await page.getByRole('button', { name: /^(Replay|試す)$/ }).click()
        await page.locator('.differences').waitFor()
        expect(
          await page.evaluate('document.querySelector("main").scrollWidth <= document.querySelector("main").clientWidth'),
        ).toBe(true)
        await page.addScriptTag({ path: AXE })
        const found = await page.evaluate('axe.run().then(({ violations }) => violations)')
        const serious = (found as { id: string; impact: string; nodes: { html: string }[] }[]).filter(
          ({ impact }) => impact !== 'minor',
        )
        expect(serious.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([])
        await picture(`${name}-form`)
        await page.locator('.chart').scrollIntoViewIfNeeded()
        await picture(name)
        await page.locator('.rules').scrollIntoViewIfNeeded()
        await picture(`${name}-rules`)
        await page.locator('.apply').scrollIntoViewIfNeeded()
        await picture(`${name}-apply`)
      }
    },
    WAIT * 2,
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
      await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark')
      await expect.poll(() => page.evaluate(PIXELS)).not.toBe(light)
      await expect.poll(() => inked(page)).toBe(true)
    },
    WAIT,
  )
})

const PIXELS = 'document.querySelector(".chart canvas").toDataURL()'

/** Whether something in the accent's colour stands on the chart. */
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
