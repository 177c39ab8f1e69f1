/** Access control for every route: new routes are included without changes here. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ask, files, logIn, MADE, METHODS, OPEN, operations, PASSWORD } from '../testing/attack.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'

const SECRET = 'the-spare-key-is-under-the-blue-pot'

/** A person writes a private message. */
async function withSecret(page: TestPage, headers: Record<string, string> = {}): Promise<void> {
  const body = { room: 'general', author: 'alice', text: SECRET }
  expect((await page.api('playground/messages', { method: 'POST', body, headers })).status).toBe(200)
  expect(await (await page.api('playground/messages?room=general', { headers })).text()).toContain(SECRET)
}

const local = ({ url }: TestPage) => ({ host: new URL(url).host })

test('with a password no route works before the login, by any method', async () => {
  await using page = await openPage({ password: PASSWORD })
  const cookie = await logIn(page)
  await withSecret(page, { cookie })
  const doors = await operations(page, { cookie })
  expect(doors.length).toBeGreaterThan(10)
  const paths = [...new Set([...doors.map(({ path }) => path), '/api/openapi.json', '/api/none'])].filter(
    path => !OPEN.includes(path),
  )
  for (const path of paths) {
    for (const method of METHODS) {
      const { status, body } = await ask(page.url, { path, method, headers: local(page) })
      // Unknown routes give 404, which reveals nothing.
      expect([method, path, status]).toEqual([method, path, expect.toSatisfy(one => one === 401 || one === 404)])
      expect(body).not.toContain(SECRET)
    }
  }
  // Each route works for logged-in users: otherwise the test would prove nothing.
  for (const { method, path } of doors.filter(({ path }) => !OPEN.includes(path))) {
    const { status } = await ask(page.url, { path, method, headers: local(page) })
    expect([method, path, status]).toEqual([method, path, 401])
  }
})

test('no spelling of a path avoids the login', async () => {
  await using page = await openPage({ password: PASSWORD })
  const cookie = await logIn(page)
  await withSecret(page, { cookie })
  const secret = '/api/playground/messages?room=general'
  expect((await ask(page.url, { path: secret, headers: { ...local(page), cookie } })).body).toContain(SECRET)
  const disguised = [
    secret,
    '//api/playground/messages?room=general',
    '/api//playground/messages?room=general',
    '/API/playground/messages?room=general',
    '/api/playground/messages/?room=general',
    '/%61pi/playground/messages?room=general',
    '/api%2fplayground/messages?room=general',
    '/api%2Fplayground%2Fmessages?room=general',
    '/./api/playground/messages?room=general',
    '/base/../api/playground/messages?room=general',
    '/base/%2e%2e/api/playground/messages?room=general',
    '/api;/playground/messages?room=general',
    '/api/playground/messages;?room=general',
    '/api/session/../playground/messages?room=general',
    '/api/login/..%2fplayground/messages?room=general',
    `http://127.0.0.1${secret}`,
  ]
  for (const path of disguised) {
    const { status, body } = await ask(page.url, { path, headers: local(page) })
    expect([path, status]).toEqual([path, expect.toSatisfy(one => one >= 400 && one < 500)])
    expect(body).not.toContain(SECRET)
  }
})

test('an invented cookie is refused', async () => {
  await using page = await openPage({ password: PASSWORD })
  const begun = await logIn(page)
  const token = begun.split('=')[1] ?? ''
  for (const cookie of [
    'kikimimi_session=',
    'kikimimi_session=undefined',
    `kikimimi_session=${token.slice(0, -1)}`,
    `kikimimi_session=${token.toUpperCase()}`,
    `kikimimi_session=x${token}`,
    `kikimimi_session=${'a'.repeat(4_000)}`,
    "kikimimi_session=' or 1=1 --",
    'kikimimi_session=__proto__',
    'kikimimi_session[]=a',
    'kikimimi_session=%E0%A4%A',
    `other=${token}`,
  ]) {
    expect([cookie, (await ask(page.url, { path: '/api/turns', headers: { ...local(page), cookie } })).status]).toEqual([
      cookie,
      401,
    ])
  }
  expect((await ask(page.url, { path: '/api/turns', headers: { ...local(page), cookie: begun } })).status).toBe(200)
})

test('each login gets its own new session', async () => {
  await using page = await openPage({ password: PASSWORD })
  const planted = 'kikimimi_session=planted-by-somebody-else'
  const own = await logIn(page, { cookie: planted })
  const status = async (cookie: string) => (await page.api('turns', { headers: { cookie } })).status
  expect(own).not.toBe(planted)
  expect([await status(planted), await status(own)]).toEqual([401, 200])
  const other = await logIn(page)
  await page.api('logout', { method: 'POST', headers: { cookie: own } })
  expect([await status(own), await status(other)]).toEqual([401, 200])
})

test('every file of the page is as in its package, and none can be written', async () => {
  await using page = await openPage({ password: PASSWORD })
  for (const path of files()) {
    const { status, body } = await ask(page.url, { path, headers: local(page) })
    expect([path, status]).toEqual([path, 200])
    if (path !== '/' && !path.startsWith('/vendor/') && !MADE.includes(path))
      expect(body).toBe(readFileSync(new URL(`../page${path}`, import.meta.url), 'utf8'))
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const refused = await ask(page.url, { path, method, headers: local(page) })
      expect([method, path, refused.status]).toEqual([method, path, 404])
    }
  }
})

test('without a password, foreign names and forwarded requests are refused by all routes and files', async () => {
  await using page = await openPage()
  await withSecret(page)
  const { host } = new URL(page.url)
  const doors = [...(await operations(page)), ...files().map(path => ({ method: 'GET', path }))]
  const asked: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: `${host}.evil.example` },
    { host: '0.0.0.0' },
    { host: '[::ffff:127.0.0.1]' },
    { host, 'x-forwarded-for': '127.0.0.1' },
    { host, 'x-forwarded-host': host },
    { host, forwarded: 'for=127.0.0.1' },
    { host, 'x-real-ip': '127.0.0.1' },
  ]
  for (const { method, path } of doors) {
    for (const headers of asked) {
      const { status, body } = await ask(page.url, { path, method, headers })
      expect([method, path, headers, status]).toEqual([method, path, headers, 403])
      expect(body).not.toContain(SECRET)
    }
  }
})

test('no foreign page can use a route with the cookie of a user', async () => {
  await using page = await openPage({ password: PASSWORD })
  const cookie = await logIn(page)
  const own = { ...local(page), cookie }
  const { origin } = new URL(page.url)
  const elsewhere: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${origin}.evil.example` },
    { origin: origin.replace(/:\d+$/, ':1') },
    { origin, 'sec-fetch-site': 'cross-site' },
    { origin, 'sec-fetch-site': 'same-site' },
    { origin, 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ]
  for (const { method, path } of await operations(page, { cookie })) {
    const isReading = method === 'GET'
    for (const more of elsewhere.filter(one => !isReading || one['sec-fetch-site']?.endsWith('-site'))) {
      const headers = { ...own, ...more, 'content-type': 'application/json' }
      const { status } = await ask(page.url, { path, method, headers, ...(!isReading && { body: '{}' }) })
      expect([method, path, more, status]).toEqual([method, path, more, 403])
    }
    if (isReading) continue
    // What a form can send, without the origin check.
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; a=/json',
    ]) {
      const headers = { ...own, 'content-type': type }
      const { status } = await ask(page.url, { path, method, headers, body: '{"room":"general"}' })
      expect([method, path, type, status]).toEqual([method, path, type, 415])
    }
  }
  // None of these requests logged a user out.
  expect((await ask(page.url, { path: '/api/turns', headers: own })).status).toBe(200)
})

test('forged address headers do not allow more login attempts', async () => {
  await using page = await openPage({ password: PASSWORD })
  const headers = (n: number) => ({
    ...local(page),
    'content-type': 'application/json',
    'x-forwarded-for': `203.0.113.${n}`,
    forwarded: `for=203.0.113.${n}`,
    'x-real-ip': `203.0.113.${n}`,
    'cf-connecting-ip': `203.0.113.${n}`,
    'user-agent': `browser ${n}`,
    cookie: `kikimimi_session=${n}`,
  })
  const attempt = (n: number, password: string) =>
    ask(page.url, { path: '/api/login', method: 'POST', headers: headers(n), body: JSON.stringify({ password }) })
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) statuses.push((await attempt(n, `wrong password ${n}`)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  expect((await attempt(9, PASSWORD)).status).toBe(429)
})

test('no response redirects elsewhere or can be used as a page', async () => {
  await using page = await openPage({ password: PASSWORD })
  const cookie = await logIn(page)
  const headers = { ...local(page), cookie }
  const away = [
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/%5cevil.example/..',
    '/look',
    '/base/',
    '/?next=https://evil.example',
    '//evil.example',
  ]
  const doors = (await operations(page, { cookie })).filter(({ method }) => method === 'GET').map(({ path }) => path)
  const script = encodeURIComponent('<script>alert(1)</script>')
  const reflecting = [
    `/${script}`,
    `/api/${script}`,
    `/api/panels/${script}`,
    `/api/turns?limit=${script}`,
    `/api/none?${script}`,
  ]
  for (const path of [...away, ...doors, ...reflecting]) {
    const { status, headers: got } = await ask(page.url, { path, headers })
    expect([path, status, got.location]).toEqual([path, expect.toSatisfy(one => one < 300 || one >= 400), undefined])
    const isPage = path.startsWith('/?')
    if (!isPage) expect([path, got['content-type']]).toEqual([path, expect.not.stringContaining('html')])
    expect([path, got['x-content-type-options']]).toEqual([path, 'nosniff'])
  }
})
