// postgres: the contract of job queues
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { createLogger } from '../../base/log.ts'
import { movedClock } from '../../bot/clock/moved-clock.ts'
import { stepsOf } from '../../bot/clock/settled.ts'
import { type JobsHarness, jobsContract } from '../../testing/jobs-contract.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { createMemoryJobs } from './memory.ts'
import { createPgBossJobs } from './pg-boss.ts'

const START = new Date('2026-01-05T10:00:00Z')
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const concurrency = 4

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

jobsContract('memory', async () => {
  const clock = new VirtualClock(START)
  const jobs = createMemoryJobs({ clock, log, concurrency })
  const settle = async () => {
    for (let round = 0; round < 20; round++) await setImmediate()
  }
  return {
    jobs,
    pass: ms => clock.advance(clock.now() + ms, { settle }),
    now: () => clock.now(),
    close: () => jobs.stop(0),
  }
})

jobsContract('a database', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const time = movedClock(START)
  const { clock, jobClock } = time
  const open = async (): Promise<JobsHarness> => {
    const jobs = createPgBossJobs({ db, clock: jobClock, log, concurrency, supervise: false })
    const steps = stepsOf(time, db, () => jobs)
    return {
      jobs,
      pass: ms => clock.advance(clock.now() + ms, steps),
      now: () => clock.now(),
      another: open,
      close: () => jobs.stop(1_000),
    }
  }
  return open()
})

it('a job that is scheduled in a transaction before any other does not wait for itself', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const jobs = createPgBossJobs({ db, clock: systemClock, log, concurrency, supervise: false })
  jobs.define('note', { retries: 0, run: () => {} })
  await jobs.start(true)
  await db.transaction(() => jobs.schedule('note', 'now'))
  expect(await jobs.state()).toMatchObject({ due: 1, active: 0 })
  await jobs.stop(1_000)
})

it('an idle queue asks for due jobs every few seconds, with one statement', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const clock = new VirtualClock(START)
  const jobs = createPgBossJobs({ db, clock, log, concurrency, supervise: false })
  await jobs.start()
  const settle = async () => {
    for (let round = 0; round < 20 || db.inFlight > 0; round++) await setImmediate()
  }
  await clock.advance(clock.now() + 1_000, { settle })
  const before = db.statements
  await clock.advance(clock.now() + 60_000, { settle })
  expect(db.statements - before).toBe(db.kind === 'pglite' ? 12 : 30)
  const stopped = jobs.stop(1_000)
  await clock.advance(clock.now() + 2_000, { settle })
  await stopped
})

it('a job runs at its time, and the next one of its key as soon as it has ended', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const jobs = createPgBossJobs({ db, clock: systemClock, log, concurrency, supervise: false })
  const ran: [payload: unknown, at: number][] = []
  const first = Promise.withResolvers<void>()
  const run = async (payload: unknown) => {
    ran.push([payload, Date.now()])
    if (payload === 'first') await first.promise
  }
  jobs.define('note', { retries: 0, run })
  await jobs.start()
  const due = Date.now() + 500
  await jobs.schedule('note', 'first', { key: 'k', at: new Date(due) })
  await expect.poll(() => ran, { timeout: 4_000 }).toEqual([['first', expect.any(Number)]])
  await jobs.schedule('note', 'second', { key: 'k' })
  await expect.poll(async () => (await jobs.state()).due).toBe(1)
  first.resolve()
  await expect.poll(() => ran.length, { timeout: 4_000 }).toBe(2)
  expect(ran[0]?.[1]).toBeGreaterThanOrEqual(due)
  await jobs.stop(1_000)
})

it('a job that is still running at the stop gets its signal, and its last statements have an answer', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const warnings: string[] = []
  const warning = createLogger({ level: 'warn', format: 'lines', write: line => void warnings.push(line), clock: systemClock })
  const jobs = createPgBossJobs({ db, clock: systemClock, log: warning, concurrency, supervise: false })
  const [begun, steps] = [Promise.withResolvers<void>(), [] as string[]]
  jobs.define('long', {
    retries: 0,
    run: async (_payload, signal) => {
      begun.resolve()
      await once(signal, 'abort')
      steps.push('told')
      for (let n = 0; n < 20; n++) await db.query('select $1::int', [n])
      steps.push('ended')
    },
  })
  await jobs.start()
  await jobs.schedule('long', null)
  await begun.promise
  await jobs.stop(1)
  steps.push('stopped')
  expect(steps).toEqual(['told', 'ended', 'stopped'])
  expect(warnings).toEqual([])
})

it('a dead letter is kept for a day, and a successful job for an hour', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const jobs = createPgBossJobs({ db, clock: systemClock, log, concurrency, supervise: false })
  jobs.define('fine', { retries: 0, run: () => {} })
  jobs.define('broken', {
    retries: 0,
    run: () => {
      throw new Error('no')
    },
  })
  await jobs.start()
  for (const kind of ['fine', 'broken']) await jobs.schedule(kind, null)
  const kept = async () =>
    (
      await db.query(
        `select data->>'kind' as kind, j.state, coalesce(j.deletion_seconds, q.deletion_seconds) as seconds
         from pgboss.job j join pgboss.queue q on q.name = j.name order by 1`,
      )
    ).rows
  await expect.poll(kept).toEqual([
    { kind: 'broken', state: 'failed', seconds: 86_400 },
    { kind: 'fine', state: 'completed', seconds: 3_600 },
  ])
  await jobs.stop(1_000)
})

it('the stored error of a job has no texts of people and no prompt', async () => {
  await db.script('drop schema if exists pgboss cascade')
  const jobs = createPgBossJobs({ db, clock: systemClock, log, concurrency, supervise: false })
  const secret = 'hunter2 is my password'
  const failing = (run: () => void) => ({ retries: 0, run })
  jobs.define(
    'read',
    failing(() => JSON.parse(secret)),
  )
  jobs.define(
    'ask',
    failing(() => {
      const cause = Object.assign(new Error(secret), { config: { key: secret } })
      throw new KikimimiError('MODEL_UNAVAILABLE', 'the model is away', { cause })
    }),
  )
  jobs.define(
    'write',
    failing(() => {
      throw Object.assign(new Error(secret), { code: '23505', detail: secret })
    }),
  )
  await jobs.start()
  for (const kind of ['read', 'ask', 'write']) await jobs.schedule(kind, null)
  const kept = async () =>
    (
      await db.query<{ message: string; output: string }>(
        `select output->>'message' as message, output::text as output from pgboss.job where state = 'failed' order by data->>'kind'`,
      )
    ).rows
  await expect
    .poll(async () => (await kept()).map(({ message }) => message))
    .toEqual(['the model is away', 'SyntaxError', 'Error 23505'])
  expect((await kept()).map(({ output }) => output).join()).not.toContain('hunter2')
  await jobs.stop(1_000)
})
