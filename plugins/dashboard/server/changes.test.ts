import { VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { logIn, PASSWORD } from '../testing/attack.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import type { Change } from './changes.ts'

const OTHER = 'another long password'
const YEAR = 365 * 24 * 60 * 60_000

async function changes(page: TestPage, cookie: string, query = ''): Promise<readonly Change[]> {
  const answer = await page.api(`access/changes${query}`, { headers: { cookie } })
  return ((await answer.json()) as { readonly changes: readonly Change[] }).changes
}

const status = async (page: TestPage, method: string, path: string, body?: unknown, cookie = '') =>
  (await page.api(path, { method, headers: { cookie }, ...(body !== undefined && { body }) })).status

describe('the list of changes', () => {
  test('has what was refused, and whose password was wrong, without the password', async () => {
    await using page = await openPage({ password: PASSWORD })
    const owner = await logIn(page)
    await status(page, 'POST', 'access/accounts', { name: 'bea', role: 'viewer', password: OTHER }, owner)
    const entered = await page.api('login', { method: 'POST', body: { account: 'bea', password: OTHER } })
    const bea = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await status(page, 'POST', 'login', { account: 'bea', password: 'the wrong password' })).toBe(401)
    expect(await status(page, 'POST', 'login', { account: 'my password by mistake', password: 'bea' })).toBe(401)
    expect(await status(page, 'PUT', 'access/password', { password: 'no password', next: 'next long password' }, bea)).toBe(422)
    expect(await status(page, 'PUT', 'access/second-factor', { code: '123456' }, bea)).toBe(422)
    expect(await status(page, 'DELETE', 'access/accounts/owner', undefined, bea)).toBe(403)
    expect(await status(page, 'GET', 'turns', undefined, bea)).toBe(403)
    expect(await status(page, 'DELETE', 'access/accounts/owner')).toBe(401)
    const refused = await changes(page, owner, '?outcome=refused')
    expect(refused.map(one => [one.what, one.account, one.status, one.about])).toEqual([
      ['Remove an account; ends its sessions', '', 401, {}],
      [expect.stringMatching(/turns/i), 'bea', 403, {}],
      ['Remove an account; ends its sessions', 'bea', 403, { name: 'owner' }],
      ['Confirm the second factor with a code of the app', 'bea', 422, {}],
      ['Change the own password; ends all sessions of the account', 'bea', 422, {}],
      ['Log in; sets a cookie', '', 401, {}],
      ['Log in; sets a cookie', '', 401, { account: 'bea' }],
    ])
    expect((await changes(page, owner, '?outcome=done')).every(one => one.status < 400)).toBe(true)
    const all = JSON.stringify(await changes(page, owner))
    for (const secret of [PASSWORD, OTHER, 'wrong password', 'by mistake', 'no password', 'next long', '123456'])
      expect(all).not.toContain(secret)
  })

  test('keeps equal refused requests of an hour as two rows: the first, and the number of all others', async () => {
    const clock = new VirtualClock(Date.now())
    await using page = await openPage({ password: PASSWORD, clock })
    const owner = await logIn(page)
    // Each with other values in path, query, and body.
    for (let n = 0; n < 40; n++) {
      expect(await status(page, 'DELETE', `access/accounts/name-${n}?guess=${n}`, undefined, '')).toBe(401)
      await page.api('login', { method: 'POST', body: { account: `name-${n}`, password: `wrong password ${n}` } })
    }
    const rows = () => changes(page, owner, '?outcome=refused')
    // Wrong, and from the sixth on too many.
    expect((await rows()).map(one => [one.status, one.times]).toSorted()).toEqual([
      [401, 1],
      [401, 1],
      [429, 1],
    ])
    await clock.advance(clock.now() + 60 * 60_000, { settle: async () => {} })
    await expect.poll(async () => (await rows()).length).toBe(6)
    expect((await rows()).reduce((sum, one) => sum + one.times, 0)).toBe(80)
    expect(
      (await rows())
        .filter(one => one.times > 1)
        .map(one => [one.status, one.times])
        .toSorted(),
    ).toEqual(
      [
        [401, 39],
        [401, 3],
        [429, 35],
      ].toSorted(),
    )
    expect(await status(page, 'DELETE', 'access/accounts/again')).toBe(401)
    expect(await rows()).toHaveLength(7)
  })

  test('keeps what was counted when the bot stops', async () => {
    await using page = await openPage({ password: PASSWORD })
    for (let n = 0; n < 3; n++) await status(page, 'POST', 'logout')
    await page.reload([])
    const { rows } = await page.db.query('select status, times from dashboard.change order by id')
    expect(rows).toEqual([
      { status: 401, times: 1 },
      { status: 401, times: 2 },
    ])
  })

  test('refuses to change or to delete a row, except when it is a year older than the latest one', async () => {
    const clock = new VirtualClock(Date.now())
    await using page = await openPage({ password: PASSWORD, clock })
    await logIn(page)
    const count = async () => (await page.db.query('select 1 from dashboard.change')).rowCount
    await expect(page.db.query(`update dashboard.change set account = 'bea'`)).rejects.toThrow(
      'update of dashboard.change is refused: its rows stay for a year as they are',
    )
    await expect(page.db.query('delete from dashboard.change')).rejects.toThrow('delete of dashboard.change is refused')
    expect(await count()).toBe(1)
    clock.set(clock.now() + YEAR + 1)
    await logIn(page)
    expect(await count()).toBe(1)
  })

  test('has what the operator does on the command line', async () => {
    await using page = await openPage({ password: PASSWORD })
    await page.bot.command('accounts', ['reset', 'owner'], { json: false, print: () => {} })
    expect(await changes(page, await logIn(page), '?text=command line')).toMatchObject([
      { what: 'Remove a second factor on the command line', account: '', about: { account: 'owner' } },
    ])
  })
})
