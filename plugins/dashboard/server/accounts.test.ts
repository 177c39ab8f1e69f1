import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { ask, logIn, operations, PASSWORD } from '../testing/attack.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import { OWNER } from './accounts.ts'
import { createLogins } from './logins.ts'
import type { Role } from './roles.ts'
import type { Credentials } from './sessions.ts'

const OTHER = 'another long password'
const visitor = { address: '127.0.0.1', browser: 'test' }

/** What a role may do, as docs/security.md tells it. What is not here is for owners. */
const VIEWER = [
  'GET /api/bot',
  'GET /api/overview',
  'GET /api/health',
  'GET /api/access',
  'POST /api/logout',
  'POST /api/logout-everywhere',
  'DELETE /api/access/sessions/1',
  'PUT /api/access/password',
  'POST /api/access/second-factor',
  'PUT /api/access/second-factor',
  'POST /api/access/second-factor/remove',
]
const OWNERS = [
  'POST /api/health/measure',
  'POST /api/people/forget',
  'POST /api/studio',
  'POST /api/studio/undo',
  'POST /api/studio/invite',
  'POST /api/evaluation',
  'POST /api/tuning/verdicts',
  'GET /api/access/changes',
  'GET /api/operations/log',
  'GET /api/operations/backups',
  'POST /api/operations/backups',
  'POST /api/operations/alerts/test',
  'GET /api/operations/jobs',
  'POST /api/operations/jobs/replay',
  'POST /api/access/accounts',
  'PATCH /api/access/accounts/1',
  'DELETE /api/access/accounts/1',
]
/** Ends the own session. */
const LEAVING = /logout/
const FREE = ['GET /api/session', 'POST /api/login']

interface Told {
  readonly status: number
  readonly cookie: string
  readonly body: { readonly message?: string; readonly code?: boolean; readonly role?: Role }
}

async function enter(page: TestPage, body: Partial<Credentials>): Promise<Told> {
  const answer = await page.api('login', { method: 'POST', body })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { status: answer.status, cookie, body: (await answer.json()) as Told['body'] }
}

/** A request of somebody who is logged in: its status and its answer. */
async function as(page: TestPage, cookie: string, method: string, path: string, body?: unknown) {
  const answer = await page.api(path, { method, headers: { cookie }, ...(body !== undefined && { body }) })
  return { status: answer.status, body: (await answer.json()) as Body }
}

/** What these tests read of answers. */
interface Body {
  readonly sessions: readonly { readonly id: string; readonly account: string; readonly isHere: boolean }[]
  readonly changes: readonly { readonly what: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>
  readonly secret: string
  readonly uri: string
  readonly qr: object
  readonly recovery: readonly string[]
}

async function withAccounts(page: TestPage): Promise<Record<Role, string>> {
  const owner = await logIn(page)
  const cookies: Record<Role, string> = { owner, moderator: '', viewer: '' }
  for (const role of ['moderator', 'viewer'] as const) {
    expect((await as(page, owner, 'POST', 'access/accounts', { name: role, role, password: OTHER })).status).toBe(200)
    cookies[role] = (await enter(page, { account: role, password: OTHER })).cookie
  }
  return cookies
}

function app(secret: string): (at: number) => string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return timestamp => totp.generate({ timestamp })
}

describe('roles', () => {
  test('each route is open to exactly the roles of the table', async () => {
    await using page = await openPage({ password: PASSWORD })
    const cookies = await withAccounts(page)
    const all = (await operations(page, { cookie: cookies.owner })).map(({ method, path }) => `${method} ${path}`)
    expect(all).toEqual(expect.arrayContaining([...VIEWER, ...OWNERS, ...FREE]))
    const isRefused = async (role: Role, route: string) => {
      const [method = '', path = ''] = route.split(' ')
      const headers = { host: new URL(page.url).host, cookie: cookies[role], 'content-type': 'application/json' }
      const { status, body } = await ask(page.url, { method, path, headers, body: '{}' })
      expect([route, status]).not.toEqual([route, 401])
      return status === 403 && /^\{"message":"Only the role/.test(body)
    }
    for (const route of all.filter(route => !FREE.includes(route) && !LEAVING.test(route))) {
      const told = [await isRefused('viewer', route), await isRefused('moderator', route), await isRefused('owner', route)]
      expect([route, ...told]).toEqual([route, !VIEWER.includes(route), OWNERS.includes(route), false])
    }
    // Last, because the session ends.
    for (const route of all.filter(route => LEAVING.test(route))) {
      cookies.viewer = (await enter(page, { account: 'viewer', password: OTHER })).cookie
      expect([route, await isRefused('viewer', route)]).toEqual([route, false])
    }
  })

  test('without a password this machine is the owner, and there are no accounts', async () => {
    await using page = await openPage()
    expect(await (await page.api('session')).json()).toEqual({ loggedIn: true, password: false, role: 'owner' })
    expect(await (await page.api('access')).json()).toEqual({ accounts: [], sessions: [] })
    const added = await as(page, '', 'POST', 'access/accounts', { name: 'bea', role: 'viewer', password: OTHER })
    expect(added).toEqual({ status: 409, body: { message: expect.stringContaining('DASHBOARD_PASSWORD') } })
  })

  test('a viewer sees no words of people on any route', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { owner, viewer } = await withAccounts(page)
    const secret = 'the-spare-key-is-under-the-blue-pot'
    await as(page, owner, 'POST', 'playground/messages', { room: 'hidden-room', author: 'wilhelmina', text: secret })
    for (const { method, path } of await operations(page, { cookie: viewer })) {
      if (method !== 'GET') continue
      const { body } = await ask(page.url, { path, headers: { host: new URL(page.url).host, cookie: viewer } })
      for (const word of [secret, 'hidden-room', 'wilhelmina']) expect([path, body.includes(word)]).toEqual([path, false])
    }
  })
})

describe('accounts', () => {
  test('an owner adds, changes and removes accounts, and their sessions end at once in all processes', async () => {
    await using page = await openPage({ password: PASSWORD })
    const other = createLogins(PASSWORD, { db: page.db, clock: { now: Date.now } })
    const { owner, viewer } = await withAccounts(page)
    const token = viewer.split('=')[1] ?? ''
    expect(await other.sessions.who(token)).toEqual({ account: 'viewer', role: 'viewer' })
    expect((await as(page, owner, 'PATCH', 'access/accounts/viewer', { role: 'moderator' })).body).toMatchObject({
      accounts: [{ name: 'owner' }, { name: 'moderator' }, { name: 'viewer', role: 'moderator' }],
    })
    expect((await as(page, viewer, 'GET', 'bot')).status).toBe(401)
    await expect.poll(() => other.sessions.who(token)).toBeUndefined()

    const again = await enter(page, { account: 'viewer', password: OTHER })
    expect(again.body).toMatchObject({ account: 'viewer', role: 'moderator' })
    expect((await as(page, owner, 'DELETE', 'access/accounts/viewer')).status).toBe(200)
    expect((await as(page, again.cookie, 'GET', 'bot')).status).toBe(401)
    expect((await enter(page, { account: 'viewer', password: OTHER })).status).toBe(401)
  })

  test('the account of the options can be neither changed nor removed, and no name is given twice', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { owner } = await withAccounts(page)
    expect((await as(page, owner, 'PATCH', 'access/accounts/owner', { role: 'viewer' })).status).toBe(404)
    expect((await as(page, owner, 'DELETE', 'access/accounts/owner')).status).toBe(404)
    const taken = { name: 'viewer', role: 'owner', password: OTHER }
    expect((await as(page, owner, 'POST', 'access/accounts', taken)).status).toBe(409)
    for (const wrong of [{ name: 'a b' }, { name: '' }, { role: 'admin' }, { password: 'short' }]) {
      const body = { name: 'new', role: 'viewer', password: OTHER, ...wrong }
      expect([wrong, (await as(page, owner, 'POST', 'access/accounts', body)).status]).toEqual([wrong, 400])
    }
  })

  test('a person changes the own password with the old one, and only that', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { owner, viewer } = await withAccounts(page)
    const next = 'a third long password'
    expect((await as(page, viewer, 'PUT', 'access/password', { password: 'wrong password', next })).status).toBe(422)
    expect((await as(page, owner, 'PUT', 'access/password', { password: PASSWORD, next })).status).toBe(422)
    expect((await as(page, viewer, 'PUT', 'access/password', { password: OTHER, next })).status).toBe(200)
    expect((await as(page, viewer, 'GET', 'bot')).status).toBe(401)
    expect((await enter(page, { account: 'viewer', password: OTHER })).status).toBe(401)
    expect((await enter(page, { account: 'viewer', password: next })).status).toBe(200)
  })

  test('a person ends own sessions, an owner those of others', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { owner, viewer, moderator } = await withAccounts(page)
    const sessions = async (cookie: string) => (await as(page, cookie, 'GET', 'access')).body.sessions
    expect((await sessions(viewer)).map(({ account, isHere }) => [account, isHere])).toEqual([['viewer', true]])
    expect(await sessions(owner)).toHaveLength(3)
    const theirs = (await sessions(moderator))[0]?.id ?? ''
    expect((await as(page, viewer, 'DELETE', `access/sessions/${theirs}`)).status).toBe(404)
    expect((await as(page, owner, 'DELETE', `access/sessions/${theirs}`)).status).toBe(200)
    expect((await as(page, moderator, 'GET', 'bot')).status).toBe(401)
    expect((await as(page, viewer, 'GET', 'bot')).status).toBe(200)
  })

  test('the right password of an account does not forgive wrong ones of others', async () => {
    await using page = await openPage()
    const { accounts, sessions } = createLogins(PASSWORD, { db: page.db, clock: { now: () => 1_000_000 } })
    await accounts.add({ name: 'bea', role: 'viewer' }, OTHER)
    const guess = () => sessions.begin({ account: OWNER, password: 'wrong password' }, visitor)
    for (let round = 0; round < 5; round++) {
      expect(await sessions.begin({ account: 'bea', password: OTHER }, visitor)).toHaveProperty('session')
      expect(await guess()).toEqual({ refused: 'wrong' })
    }
    expect(await guess()).toEqual({ refused: 'wait', ms: 60_000 })
  })

  test('a session that ends while it is looked up is not valid any more', async () => {
    await using page = await openPage()
    const { sessions } = createLogins(PASSWORD, { db: page.db, clock: { now: () => 1_000_000 } })
    const begin = async () => {
      const begun = await sessions.begin({ account: OWNER, password: PASSWORD }, visitor)
      return 'session' in begun ? begun.session : ''
    }
    const session = await begin()
    const looked = sessions.who(session)
    await Promise.all([looked, sessions.end(session)])
    expect(await looked).toMatchObject({ account: OWNER })
    expect(await sessions.who(session)).toBeUndefined()
    const other = await begin()
    await Promise.all([sessions.who(other), sessions.endAll()])
    expect(await sessions.who(other)).toBeUndefined()
  })

  test('each change is in the list of changes, with the account that made it', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { owner } = await withAccounts(page)
    const { paths } = (await as(page, owner, 'GET', 'openapi.json')).body
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { summary }]) =>
        method === 'get' || path.startsWith('/api/playground') || LEAVING.test(path) ? [] : [{ method, path, summary }],
      ),
    )
    expect(changing.length).toBeGreaterThan(12)
    const bodies: Record<string, unknown> = {
      'post /api/access/accounts': { name: 'new', role: 'viewer', password: OTHER },
      'patch /api/access/accounts/{name}': { role: 'viewer' },
      'post /api/people/forget': { platform: 'dashboard', id: 'alice' },
      'post /api/channel/command': { conversation: 'test/team/dev', command: 'stop', locale: 'en' },
    }
    await page.say('alice', 'hello')
    const done: string[] = []
    for (const { method, path, summary } of changing) {
      const to = path.replace('{name}', 'new').slice('/api/'.length)
      const { status } = await as(page, owner, method.toUpperCase(), to, bodies[`${method} ${path}`] ?? {})
      if (status < 400) done.push(summary)
    }
    expect(done).toEqual(expect.arrayContaining(['Add an account', expect.stringMatching(/^Erase a person/)]))
    const again = await logIn(page)
    const { body } = await as(page, again, 'GET', 'access/changes?account=owner')
    const told = body.changes.map(({ what }) => what)
    expect(told).toEqual(expect.arrayContaining(done))
    const filtered = await as(page, again, 'GET', 'access/changes?text=add%20an')
    expect(filtered.body.changes.every(({ what }) => what === 'Add an account')).toBe(true)
    expect(filtered.body.changes).toHaveLength(3)
    // The hook that keeps them knows methods, not routes: a new route is in the list without a change there.
    expect(JSON.stringify(body)).not.toContain(OTHER)
  })
})

describe('the second factor', () => {
  /** The owner with a second factor; `at` is its time. */
  async function enrolled(page: TestPage) {
    const cookie = await logIn(page)
    const { body } = await as(page, cookie, 'POST', 'access/second-factor')
    const code = app(body.secret)
    const confirmed = await as(page, cookie, 'PUT', 'access/second-factor', { code: code(Date.now() - 30_000) })
    expect(confirmed.status).toBe(200)
    return { cookie, code, enrolment: body, recovery: confirmed.body.recovery }
  }

  test('is asked after the right password, and its code is taken once', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { code, enrolment } = await enrolled(page)
    expect(enrolment).toMatchObject({ uri: expect.stringMatching(/^otpauth:\/\/totp\/kikimimi:owner\?/), qr: { path: /^M/ } })
    const asked = await enter(page, { password: PASSWORD })
    expect([asked.status, asked.body.code, asked.cookie]).toEqual([401, true, ''])
    expect((await enter(page, { password: 'wrong password', code: code(Date.now()) })).body.code).toBe(false)
    const now = code(Date.now())
    const entered = await Promise.all([1, 2].map(() => enter(page, { password: PASSWORD, code: now })))
    expect(entered.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('takes codes of half a minute before and after, none of later, and waits after five wrong ones', async () => {
    await using page = await openPage()
    let now = 1_700_000_010_000
    const { secondFactor, sessions } = createLogins(PASSWORD, { db: page.db, clock: { now: () => now } })
    const code = app((await secondFactor.begin(OWNER)).secret)
    expect(await secondFactor.confirm(OWNER, '000000')).toBeUndefined()
    expect(await secondFactor.confirm(OWNER, code(now))).toHaveLength(10)
    const enterAt = (at: number) => sessions.begin({ account: OWNER, password: PASSWORD, code: code(at) }, visitor)
    expect(await enterAt(now - 30_000)).toEqual({ refused: 'wrong' })
    now += 90_000
    expect(await enterAt(now - 30_000)).toHaveProperty('session')
    expect(await enterAt(now + 30_000)).toHaveProperty('session')
    for (const late of [-90_000, -60_000, 60_000, 90_000, 3_600_000])
      expect(await enterAt(now + late)).toEqual({ refused: 'wrong' })
    expect(await enterAt(now)).toEqual({ refused: 'wait', ms: 60_000 })
  })

  test('can be replaced by a recovery code, each once, and removed with one', async () => {
    await using page = await openPage({ password: PASSWORD })
    const { recovery } = await enrolled(page)
    const [first = '', second = ''] = recovery
    const { status, cookie } = await enter(page, { password: PASSWORD, code: first.toUpperCase() })
    expect(status).toBe(200)
    expect((await enter(page, { password: PASSWORD, code: first })).status).toBe(401)
    expect((await as(page, cookie, 'POST', 'access/second-factor')).status).toBe(409)
    expect((await as(page, cookie, 'POST', 'access/second-factor/remove', { code: first })).status).toBe(422)
    expect((await as(page, cookie, 'POST', 'access/second-factor/remove', { code: second })).status).toBe(200)
    expect((await enter(page, { password: PASSWORD })).status).toBe(200)
  })

  test('is removed by the operator for somebody who has lost app and recovery codes', async () => {
    await using page = await openPage({ password: PASSWORD })
    await enrolled(page)
    const lines: string[] = []
    const run = (...args: string[]) => page.bot.command('accounts', args, { json: false, print: line => void lines.push(line) })
    await run('list')
    await run('reset', 'owner')
    expect(lines).toEqual(['owner  owner  with a second factor', 'owner logs in without a second factor now.'])
    expect((await enter(page, { password: PASSWORD })).status).toBe(200)
    await expect(run('reset', 'nobody')).rejects.toThrow('There is no account nobody. There are: owner')
    await expect(run('add')).rejects.toThrow('Write: kikimimi accounts list')
  })

  test('keeps neither passwords nor recovery codes in the database', async () => {
    await using page = await openPage({ password: PASSWORD })
    await withAccounts(page)
    const { recovery } = await enrolled(page)
    const { rows } = await page.db.query('select * from dashboard.account')
    const kept = JSON.stringify(rows, (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const secret of [PASSWORD, OTHER, ...recovery]) expect(kept).not.toContain(secret)
  })
})
