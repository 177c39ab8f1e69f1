import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import backup, { newKey } from '@kikimimi/backup'
import { definePlugin, type PluginContext } from 'kikimimi'
import { expect, test } from 'vitest'
import type { LogLineView } from '../history/views.ts'
import { logIn, PASSWORD } from '../testing/attack.ts'
import { eventsOf, openPage, type TestPage } from '../testing/open-page.ts'
import type { BackupsView, JobsView } from './views.ts'

/** A plugin that lends its context, and has a job that fails until it is mended. */
function worker() {
  const lent = { ctx: undefined as PluginContext | undefined, isMended: false, runs: 0 }
  const plugin = definePlugin({
    name: 'worker',
    setup(ctx) {
      lent.ctx = ctx
      ctx.job<object>('sum', async () => {
        lent.runs++
        if (!lent.isMended) throw new Error('no')
      })
    },
  })
  return { lent, plugin: plugin() }
}

async function get<T>(page: TestPage, path: string, cookie = ''): Promise<T> {
  return (await (await page.api(`operations/${path}`, { headers: { cookie } })).json()) as T
}

test('the log is kept by level, without secrets, and new lines come over the one stream to owners alone', async () => {
  const { lent, plugin } = worker()
  await using page = await openPage({ password: PASSWORD, plugins: [plugin] })
  const owner = await logIn(page)
  const account = { name: 'mo', role: 'moderator', password: 'another long password' }
  expect((await page.api('access/accounts', { method: 'POST', headers: { cookie: owner }, body: account })).status).toBe(200)
  const entered = await page.api('login', { method: 'POST', body: { account: 'mo', password: account.password } })
  const moderator = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const log = lent.ctx?.log
  const lines = async () => (await get<{ lines: LogLineView[] }>(page, 'log', owner)).lines
  for (let n = 0; n < 600; n++) log?.info(`line ${n}`)
  log?.warn('the store does not answer', { tries: 3, error: new Error('refused') })
  log?.debug('of no interest')
  const all = await lines()
  expect(all.filter(({ level }) => level === 'info')).toHaveLength(500)
  expect(all.at(-1)).toMatchObject({
    level: 'warn',
    plugin: 'worker',
    message: 'the store does not answer',
    fields: '{"tries":3,"error":"refused"}',
  })
  expect(all.map(({ number }) => number)).toEqual(all.map(({ number }) => number).toSorted((a, b) => a - b))

  const streams = [owner, moderator].map(cookie => page.api('events', { headers: { cookie } }))
  const [first, second] = await Promise.all(streams)
  const told: string[][] = [[], []]
  const reading = [first, second].map(async (answer, at) => {
    if (!answer) return
    // The stream of the moderator is cut at the logout.
    for await (const event of eventsOf(answer)) {
      told[at]?.push(event.type === 'log' ? event.lines.map(({ message }) => message).join() : event.type)
      if (event.type === 'dropped' || event.type === 'log') return
    }
  })
  const ended = Promise.allSettled(reading)
  log?.error('a person must act')
  await reading[0]
  expect(told[0]).toEqual(['a person must act'])
  expect(told[1]).not.toContain('a person must act')
  expect(await page.api('operations/log', { headers: { cookie: moderator } }).then(({ status }) => status)).toBe(403)
  await page.api('logout', { method: 'POST', headers: { cookie: moderator }, body: {} })
  const [, cut] = await ended
  if (cut?.status === 'rejected') expect(cut.reason).toMatchObject({ message: 'terminated' })
  expect(told[1]).not.toContain('a person must act')
})

test('a job that failed in every attempt is run again', async () => {
  const { lent, plugin } = worker()
  await using page = await openPage({ plugins: [plugin] })
  expect((await get<JobsView>(page, 'jobs')).letters).toEqual([])
  await page.bot.jobs.schedule('worker.sum', {}, { key: 'today' })
  await expect.poll(() => lent.runs, { timeout: 60_000 }).toBeGreaterThan(0)
  await page.db.query(
    `update pgboss.job set state = 'failed', completed_on = now(), output = '{"message":"BROKEN"}' where data->>'kind' = 'worker.sum'`,
  )
  const [letter] = (await get<JobsView>(page, 'jobs')).letters
  expect(letter).toMatchObject({ kind: 'worker.sum', key: 'today', why: 'BROKEN' })
  lent.isMended = true
  const before = lent.runs
  const replay = (body: unknown) => page.api('operations/jobs/replay', { method: 'POST', body })
  expect((await replay({ kind: letter?.kind, id: letter?.id })).status).toBe(200)
  await expect.poll(() => lent.runs, { timeout: 60_000 }).toBe(before + 1)
  await expect.poll(async () => (await get<JobsView>(page, 'jobs')).letters).toEqual([])
  expect((await replay({ kind: letter?.kind, id: letter?.id })).status).toBe(409)
  expect((await replay({ kind: 'turn', id: 'no/such/place' })).status).toBe(409)
  expect((await replay({ kind: 'worker.sum', id: "1'; drop table pgboss.job" })).status).toBe(409)
  expect((await replay({ kind: 'worker.sum' })).status).toBe(400)
})

test('backups are listed and made, and a failure is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'))
  try {
    await using page = await openPage({ plugins: [backup({ to: folder, key: (await newKey()).secret })] })
    // The bot makes one by itself when none is there.
    await page.api('operations/backups', { method: 'POST' })
    await expect.poll(async () => (await get<BackupsView>(page, 'backups')).making, { timeout: 60_000 }).toBe(false)
    const { where, backups, why } = await get<BackupsView>(page, 'backups')
    expect([where, why]).toEqual([expect.stringContaining('backups-'), undefined])
    expect(backups[0]).toMatchObject({ name: expect.stringMatching(/\.backup\.age$/), bytes: expect.any(Number) })

    await rm(folder, { recursive: true })
    await page.api('operations/backups', { method: 'POST' })
    await expect.poll(async () => (await get<BackupsView>(page, 'backups')).making, { timeout: 60_000 }).toBe(false)
    expect((await page.api('operations/backups')).status).toBe(200)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('without a plugin for backups the page says so', async () => {
  await using page = await openPage()
  expect(await get(page, 'backups')).toEqual({ backups: [], making: false })
  expect((await page.api('operations/backups', { method: 'POST' })).status).toBe(404)
})
