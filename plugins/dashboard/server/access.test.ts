import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { definePlugin, startBot } from 'kikimimi'
import { freePort } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import dashboard from '../index.ts'
import { openPage, quietLog, type TestPage } from '../testing/open-page.ts'
import { OWNER } from './accounts.ts'
import { createLogins } from './logins.ts'
import { IDLE, LIFETIME, type Sessions } from './sessions.ts'

const PASSWORD = 'a long enough password'
const READS = ['bot', 'turns', 'events', 'playground', 'playground/messages?room=general', 'panels/any', 'openapi.json']
const hello = { room: 'general', author: 'alice', text: 'hello' }

/** A request that fetch cannot make: with a Host header and an unnormalised path. */
function ask(
  url: string,
  { path = '/', method = 'GET', headers = {}, body = '' } = {},
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const { hostname, port } = new URL(url)
  request({ hostname, port, path, method, headers }, response => {
    text(response).then(body => resolve({ status: response.statusCode ?? 0, body }), reject)
  })
    .on('error', reject)
    .end(body)
  return promise
}

async function logIn(page: TestPage): Promise<string> {
  const answer = await page.api('login', { method: 'POST', body: { password: PASSWORD } })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie') ?? ''
}

test('without a password the page does not start on a public address', async () => {
  await expect(openPage({ host: '0.0.0.0' })).rejects.toThrow(
    /\[dashboard\] has no password, and whoever reaches 0\.0\.0\.0:\d+ could read along\. Set DASHBOARD_PASSWORD/,
  )
})

test('the page does not start without a database', async () => {
  const config = {
    persona: { name: 'kiki' },
    database: false,
    http: `127.0.0.1:${await freePort()}`,
    plugins: [dashboard()],
  } as const
  const started = startBot(config, { log: quietLog, env: {} })
  await expect(started).rejects.toThrow('[dashboard] needs a database, and this bot runs in memory alone.')
})

test('a password that is too short is refused', async () => {
  await expect(openPage({ password: 'short' })).rejects.toThrow('expected 12 characters or more')
})

test('without a password the page is open to this machine, by its own names only', async () => {
  await using page = await openPage()
  const { port } = new URL(page.url)
  const status = async (headers: Record<string, string>, path = '/api/turns') => (await ask(page.url, { path, headers })).status
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
    expect([host, await status({ host })]).toEqual([host, 200])
  // A page of any site can let its name point to 127.0.0.1.
  for (const host of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost@evil.example', 'localhost.']) {
    expect([host, await status({ host }), await status({ host }, '/')]).toEqual([host, 403, 403])
  }
  // A proxy on this machine would open the page to everybody.
  expect(await status({ host: `127.0.0.1:${port}`, 'x-forwarded-for': '203.0.113.7' })).toBe(403)
})

test('with a password only the login is public', async () => {
  await using page = await openPage({ password: PASSWORD })
  for (const path of READS) {
    const answer = await page.api(path)
    expect([path, answer.status, await answer.json()]).toEqual([path, 401, { message: 'Log in first.' }])
  }
  expect((await page.api('playground/messages', { method: 'POST', body: hello })).status).toBe(401)
  expect(await (await page.api('session')).json()).toEqual({ loggedIn: false, password: true })
  expect((await fetch(page.url)).status).toBe(200)

  const cookie = await logIn(page)
  expect(cookie).toMatch(/^kikimimi_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  expect((await page.api('turns', { headers })).status).toBe(200)
  expect((await page.api('turns', { headers: { cookie: 'kikimimi_session=guessed' } })).status).toBe(401)
  await page.api('logout', { method: 'POST', headers })
  expect((await page.api('turns', { headers })).status).toBe(401)
})

test('behind https the cookie is secure', async () => {
  await using page = await openPage({ password: PASSWORD })
  const answer = await page.api('login', {
    method: 'POST',
    body: { password: PASSWORD },
    headers: { 'x-forwarded-proto': 'https' },
  })
  const cookie = answer.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^__Host-kikimimi_session=.*; Path=\/;.*; Secure/)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  expect((await page.api('turns', { headers })).status).toBe(200)
})

const from = { address: '127.0.0.1', browser: 'test' }

async function begin(sessions: Sessions): Promise<string> {
  const begun = await sessions.begin({ account: OWNER, password: PASSWORD }, from)
  if (!('session' in begun)) throw new Error(`refused: ${begun.refused}`)
  return begun.session
}

test('a session ends when it is not used for half a day, and after a week in any case', async () => {
  await using page = await openPage()
  let now = Date.now()
  const clock = { now: () => now }
  const sessions = createLogins(PASSWORD, { db: page.db, clock }).sessions
  const [idle, used] = [await begin(sessions), await begin(sessions)]
  for (let passed = 0; passed < LIFETIME - IDLE; passed += IDLE / 2) {
    expect(await sessions.who(used)).toEqual({ account: OWNER, role: 'owner' })
    now += IDLE / 2
  }
  expect(await sessions.who(idle)).toBeUndefined()
  expect(await sessions.who(used)).toEqual({ account: OWNER, role: 'owner' })
  for (let passed = 0; passed <= IDLE; passed += IDLE / 2) {
    now += IDLE / 2
    await sessions.who(used)
  }
  expect(await sessions.who(used)).toBeUndefined()
})

test('after five wrong passwords nobody can log in for a minute, then twice as long, in all processes', async () => {
  await using page = await openPage()
  let now = Date.now()
  const clock = { now: () => now }
  const processes = [1, 2].map(() => createLogins(PASSWORD, { db: page.db, clock }).sessions)
  const [one, other] = processes as [Sessions, Sessions]
  // All at once: none of them is compared beyond the limit.
  const tries = await Promise.all(
    Array.from({ length: 12 }, (_, n) => processes[n % 2]?.begin({ account: OWNER, password: `wrong password ${n}` }, from)),
  )
  expect(tries.map(begun => begun && 'refused' in begun && begun.refused).toSorted()).toEqual([
    ...Array(7).fill('wait'),
    ...Array(5).fill('wrong'),
  ])
  expect(await other.begin({ account: OWNER, password: PASSWORD }, from)).toEqual({ refused: 'wait', ms: 60_000 })
  now += 60_000
  expect(await one.begin({ account: OWNER, password: 'wrong again, still' }, from)).toEqual({ refused: 'wrong' })
  expect(await other.begin({ account: OWNER, password: PASSWORD }, from)).toEqual({ refused: 'wait', ms: 120_000 })
  now += 120_000
  await begin(other)
  // The right password forgives.
  expect(await one.begin({ account: OWNER, password: 'wrong password' }, from)).toEqual({ refused: 'wrong' })
  await begin(one)
})

test('all browsers are logged out at once, and the list of sessions names none by its token', async () => {
  await using page = await openPage({ password: PASSWORD })
  const [mine, yours] = [await logIn(page), await logIn(page)].map(cookie => ({ cookie: cookie.split(';')[0] ?? '' }))
  const list = await (await page.api('access', { headers: mine ?? {} })).text()
  expect(JSON.parse(list).sessions).toHaveLength(2)
  for (const { cookie } of [mine, yours].flatMap(one => one ?? [])) expect(list).not.toContain(cookie.split('=')[1])
  await page.api('logout-everywhere', { method: 'POST', headers: mine ?? {} })
  for (const headers of [mine, yours]) expect((await page.api('turns', { headers: headers ?? {} })).status).toBe(401)
})

test('the list of changes tells what was changed, without texts', async () => {
  await using page = await openPage({ password: PASSWORD })
  const headers = { cookie: (await logIn(page)).split(';')[0] ?? '' }
  await page.api('playground/messages', { method: 'POST', body: hello, headers })
  expect((await page.api('health/measure', { method: 'POST', headers })).status).toBe(200)
  const rows = async () => JSON.parse(await (await page.api('access/changes', { headers })).text()).changes
  await expect.poll(rows).toMatchObject([
    {
      ...{
        what: expect.stringMatching(/^Measure the speed/),
        account: 'owner',
        session: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
      address: '127.0.0.1',
    },
    { what: 'Log in; sets a cookie', about: { account: 'owner' }, account: '', session: '' },
  ])
  expect(JSON.stringify(await rows())).not.toContain(PASSWORD)
})

test('a route of another plugin is open to the role that it declares, to everybody if it is public, and otherwise to nobody', async () => {
  const roles = ['viewer', 'moderator', 'owner'] as const
  const karma = definePlugin({
    name: 'karma',
    servesHttp: () => true,
    setup: () => ({
      routes(server) {
        for (const method of ['GET', 'POST'] as const) {
          for (const role of roles) server.route({ method, url: `/${role}`, config: { role }, handler: () => 'seen' })
          server.route({ method, url: '/undeclared', handler: () => 'seen' })
          server.route({ method, url: '/closed', config: { public: false }, handler: () => 'seen' })
          server.route({ method, url: '/badge.svg', config: { public: true }, handler: () => 'badge' })
        }
      },
    }),
  })
  await using page = await openPage({ password: PASSWORD, plugins: [karma()] })
  const owner = (await logIn(page)).split(';')[0] ?? ''
  const cookies = new Map([['owner', owner]])
  for (const role of ['viewer', 'moderator']) {
    await page.api('access/accounts', {
      method: 'POST',
      body: { name: role, role, password: PASSWORD },
      headers: { cookie: owner },
    })
    const entered = await page.api('login', { method: 'POST', body: { account: role, password: PASSWORD } })
    cookies.set(role, entered.headers.get('set-cookie')?.split(';')[0] ?? '')
  }
  for (const method of ['GET', 'HEAD', 'POST']) {
    const status = async (path: string, cookie = '') => (await fetch(page.url + path, { method, headers: { cookie } })).status
    const told = async (cookie?: string) =>
      Promise.all(['/viewer', '/moderator', '/owner', '/undeclared', '/closed', '/badge.svg'].map(path => status(path, cookie)))
    expect([method, await told(), await told('kikimimi_session=guessed')]).toEqual([
      ...[method, [401, 401, 401, 401, 401, 200]],
      [401, 401, 401, 401, 401, 200],
    ])
    expect([method, await told(cookies.get('viewer'))]).toEqual([method, [200, 403, 403, 403, 403, 200]])
    expect([method, await told(cookies.get('moderator'))]).toEqual([method, [200, 200, 403, 403, 403, 200]])
    expect([method, await told(cookies.get('owner'))]).toEqual([method, [200, 200, 200, 403, 403, 200]])
  }
  expect((await fetch(`${page.url}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${page.url}/undeclared`, { headers: { cookie: owner } })).json()).toEqual({
    message: expect.stringContaining("Add config: { role: 'viewer' }"),
  })
})

test('without a password the routes of other plugins are open to this machine alone', async () => {
  const karma = definePlugin({
    name: 'karma',
    servesHttp: () => true,
    setup: () => ({ routes: server => void server.get('/karma.json', () => ({ alice: 3 })) }),
  })
  await using open = await openPage({ plugins: [karma()] })
  expect((await fetch(`${open.url}/karma.json`)).status).toBe(200)
  const elsewhere = { 'x-forwarded-for': '203.0.113.7' }
  expect((await fetch(`${open.url}/karma.json`, { headers: elsewhere })).status).toBe(403)
})

test('a session survives a reload of bot.config.ts with unchanged options of the page', async () => {
  await using page = await openPage({ password: PASSWORD })
  const headers = { cookie: (await logIn(page)).split(';')[0] ?? '' }
  const events = await page.api('events', { headers })
  await Promise.all([page.reload([]), expect(events.text()).rejects.toThrow('terminated')])
  expect((await page.api('events', { headers })).status).toBe(200)
})

test('a stream ends on logout', async () => {
  await using page = await openPage({ password: PASSWORD })
  const headers = { cookie: (await logIn(page)).split(';')[0] ?? '' }
  const events = await page.api('events', { headers })
  expect(events.headers.get('content-type')).toBe('text/event-stream')
  await page.api('logout', { method: 'POST', headers })
  await expect(events.text()).rejects.toThrow('terminated')
})

test('the sixth login attempt in a minute is refused, with any password', async () => {
  await using page = await openPage({ password: PASSWORD })
  const attempt = async (password: string) => (await page.api('login', { method: 'POST', body: { password } })).status
  for (let n = 0; n < 5; n++) expect(await attempt(`wrong password ${n}`)).toBe(401)
  expect(await attempt('wrong once more')).toBe(429)
  expect(await attempt(PASSWORD)).toBe(429)
})

test('other pages cannot act for a logged-in user', async () => {
  await using page = await openPage()
  const from = async (headers: Record<string, string>) =>
    (await page.api('playground/messages', { method: 'POST', body: hello, headers })).status
  expect(await from({ origin: 'https://evil.example' })).toBe(403)
  expect(await from({ origin: 'null' })).toBe(403)
  expect(await from({ origin: page.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await from({ origin: page.url, 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(
    (await page.api('login', { method: 'POST', body: { password: PASSWORD }, headers: { origin: 'https://evil.example' } }))
      .status,
  ).toBe(403)
  // What a form can send without a preflight.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    expect(await from({ 'content-type': type })).toBe(415)
  }
  expect(await from({ origin: page.url })).toBe(200)
})

test('other pages cannot start queries, and a link to the page works', async () => {
  await using page = await openPage()
  const { port } = new URL(page.url)
  const status = async (site: string, path: string) =>
    (await ask(page.url, { path, headers: { host: `127.0.0.1:${port}`, 'sec-fetch-site': site } })).status
  for (const path of READS.map(name => `/api/${name}`)) {
    expect([path, await status('cross-site', path), await status('same-site', path)]).toEqual([path, 403, 403])
  }
  expect([await status('same-origin', '/api/turns'), await status('none', '/api/turns')]).toEqual([200, 200])
  expect(await status('cross-site', '/')).toBe(200)
})

test('no path leads to other files', async () => {
  await using page = await openPage()
  for (const path of [
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/index.ts',
    '/base/../../index.ts',
    '/base/..%5c..%5cindex.ts',
    '//etc/passwd',
    '/vendor/../../index.ts',
    '/index.ts',
    '/%00',
  ]) {
    const { status, body } = await ask(page.url, { path })
    expect([path, status]).toEqual([path, expect.toSatisfy((one: number) => one === 400 || one === 404)])
    expect(body).not.toMatch(/definePlugin|@kikimimi|root:/)
  }
})

test('invalid or large input is refused with a reason', async () => {
  await using page = await openPage()
  const say = async (body: unknown) => {
    const answer = await page.api('playground/messages', { method: 'POST', body })
    return [answer.status, ((await answer.json()) as { message: string }).message]
  }
  expect(await say({ ...hello, text: 'x'.repeat(4_001) })).toEqual([400, 'text: 4,000 characters at most'])
  expect(await say({ ...hello, text: '   ' })).toEqual([400, 'text: say something'])
  expect(await say({ ...hello, text: 'x'.repeat(70_000) })).toEqual([413, 'Request body is too large'])
  expect(await say('{"room":')).toEqual([400, expect.stringContaining('JSON')])
  expect(await say([hello])).toEqual([400, expect.stringContaining('expected object')])
  expect(await say({ ...hello, author: '<b>' })).toEqual([400, 'author: a name has letters, digits, _, . and -, 32 at most'])
  expect(await say({ ...hello, author: 'kiki' })).toEqual([400, 'kiki cannot speak there.'])
  expect(await say({ ...hello, room: '@bob' })).toEqual([400, 'alice cannot speak there.'])
  expect(await say({ ...hello, own: true })).toEqual([400, expect.stringContaining('own')])
  expect((await page.api('turns?limit=1000000')).status).toBe(400)
  expect((await page.api('turns?before=soon')).status).toBe(400)
  expect((await page.api("turns?conversation=' or 1=1 --")).status).toBe(200)
  for (const path of ['turns?conversation=%00', 'turns?turn=a%00b', 'facts?conversation=c&text=%00', 'channel?conversation=%00'])
    expect([path, (await page.api(path)).status]).toEqual([path, 400])
  expect(await say({ ...hello, text: 'a\0b' })).toEqual([400, 'no text may hold the character NUL'])
  expect(page.log).toEqual([])
})

test('every response has a strict content policy, and runs no script of its own', async () => {
  await using page = await openPage()
  for (const path of ['/', '/main.js', '/api/turns', '/vendor/preact.js']) {
    const { headers } = await fetch(page.url + path)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';script-src 'self';style-src 'self';(?!.*unsafe)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    if (path === '/main.js') expect(headers.get('cache-control')).toBe('public, max-age=0')
  }
  const html = await (await fetch(page.url)).text()
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/)
})
