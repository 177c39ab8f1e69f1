import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { fromPglite, PgBoss, type Job as PgBossJob } from 'pg-boss'
import { inBackground } from '../../base/background.ts'
import { type Clock, sleep, systemClock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { createReloadBarrier, type ReloadBarrier } from '../../base/reload-barrier.ts'
import type { Times } from '../../base/schedule.ts'
import type { PgliteDatabase } from '../database/pglite/database.ts'
import type { PostgresDatabase } from '../database/postgres.ts'
import { keepable, keepDeadLetter } from './dead-letter.ts'
import { isOneOf, type JobKind, type Jobs, LAST_WORDS_MS, nextSlot, type When } from './jobs.ts'
import { createLook } from './look.ts'
import { onPool, QUEUE, throughOurs } from './pg-boss-db.ts'
import { queueIn } from './queue-state.ts'
import { pruneKept } from './rewrite.ts'
import { waitingIn } from './waiting.ts'

export interface PgBossOptions {
  readonly db: PgliteDatabase | PostgresDatabase
  readonly clock: Clock
  readonly log: Logger
  /** The number of jobs that run at the same time in this process. */
  readonly concurrency: number
  /** False for a clock that a test moves: a jump of days would look like a dead process. */
  readonly supervise?: boolean
  /** The barrier that every job passes. */
  readonly barrier?: ReloadBarrier
}

interface Envelope {
  readonly kind: string
  readonly key: string | undefined
  readonly payload: unknown
  /** How often a process has met this job without knowing its kind. */
  readonly strange?: number
}

/** A job of an unknown kind is for another process, with another version or bot.config.ts. After a day it is dropped. */
const STRANGE_MS = 60_000
const STRANGE_MAX_MS = 60 * 60_000
const STRANGE_TIMES = 30

/** Takes one job at a time. */
interface Worker {
  id: string
  busy: boolean
}

/** How often a process looks for due jobs that it does not know of. The embedded database has one process. */
const LOOK_MS = { pglite: 5_000, postgres: 2_000 } as const
/** How often dead processes and old jobs are looked for. */
const SUPERVISE_S = { pglite: 60, postgres: 5 } as const
/** The first pause of pg-boss before a failed job runs again. */
const RETRY_MS = 1_000
/** A waiting worker is woken by a notification; this poll is for a lost one. */
const LONG_WAIT_S = 60
/** The maintenance of pg-boss is useless on a clock that a test moves: one hour would take 1,200 statements. */
const DAY_S = 24 * 60 * 60

/** The job queue on the bot's own database. Figures and traps: pg-boss 12.35, measured with PGlite and Postgres. */
export function createPgBossJobs(options: PgBossOptions): Jobs {
  const { db, clock, log, concurrency, supervise = true, barrier = createReloadBarrier(options.clock) } = options
  const boss = new PgBoss({
    ...(db.kind === 'pglite' ? { db: { ...fromPglite(db.lite), listen }, backend: 'pglite' } : { db: { ...onPool(db), listen } }),
    schema: 'pgboss',
    clock,
    useListenNotify: true,
    supervise,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S[db.kind],
    monitorIntervalSeconds: SUPERVISE_S[db.kind],
    // No job waits for another one.
    flowIntervalSeconds: DAY_S,
    ...(!supervise && { bamIntervalSeconds: DAY_S, queueCacheIntervalSeconds: DAY_S }),
  })
  boss.on('error', error => log.warn(`job queue: ${reason(error)}`))

  /** A NOTIFY of pg-boss would wake every worker, and all but one would query the database in vain. */
  async function listen(channel: string): Promise<{ close(): Promise<void> }> {
    return { close: await db.listen(channel, () => look.now()) }
  }

  const kinds = new Map<string, JobKind>()
  const repeating = new Map<string, Times>()
  // Through our own interface a job joins the open transaction.
  const joined = throughOurs(db)
  const running = new Set<Promise<void>>()
  /** The worker whose job ended last comes first. */
  const workers: Worker[] = []
  /** Jobs that were due at the last look, and that no worker here has taken since. */
  let waiting = 0
  const look = createLook({ db, clock, log, everyMs: LOOK_MS[db.kind] }, wake)

  async function run(job: PgBossJob<Envelope>, signal: AbortSignal): Promise<void> {
    const { kind, payload } = job.data
    const definition = kinds.get(kind)
    if (!definition) return putBack(job)
    const times = repeating.get(kind)
    // Before the run, so that a crash costs this attempt and no later one.
    if (times) await plan(kind, nextSlot(times, clock.now(), payload))
    if (times && !isOneOf(times, payload)) return
    try {
      await definition.run(payload, signal)
    } catch (error) {
      log.warn(`job ${kind} failed, attempt ${job.retryCount + 1} of ${definition.retries + 1}: ${reason(error)}`)
      if (job.retryCount >= definition.retries) await keepDeadLetter(db, job).catch(() => {})
      else look.alarm(clock.now() + RETRY_MS)
      throw error
    }
  }

  async function putBack({ id, data, expireInSeconds: longest }: PgBossJob<Envelope>): Promise<void> {
    const { kind, key, payload, strange = 0 } = data
    if (strange >= STRANGE_TIMES) {
      log.warn(`dropped a job of the kind "${kind}": no plugin has defined it for a day`)
      return
    }
    const at = new Date(clock.now() + Math.min(STRANGE_MS * 2 ** strange, STRANGE_MAX_MS))
    const { rows } = await db.query<{ retries: number }>(
      'select retry_limit as retries from pgboss.job where name = $1 and id = $2',
      [QUEUE, id],
    )
    // A job that was scheduled under its key since is newer.
    const when = { at, ...(key !== undefined && { key }), unlessSooner: true }
    await enqueue({ kind, key, payload, strange: strange + 1 }, when, { retries: rows[0]?.retries ?? 0, longest })
  }

  const schedule = (kind: string, payload: unknown, when: When = {}) => enqueue({ kind, key: when.key, payload }, when)

  async function enqueue(
    envelope: Envelope,
    when: When,
    limits: Pick<JobKind, 'retries' | 'longest'> = kinds.get(envelope.kind) ?? { retries: 0 },
  ): Promise<void> {
    const { kind } = envelope
    const singletonKey = `${kind}:${when.key ?? randomUUID()}`
    const startAfter = when.at ?? new Date(clock.now())
    const { retries: retryLimit, longest } = limits
    const terms = {
      singletonKey,
      startAfter,
      priority: when.urgent ? 1 : 0,
      retryLimit,
      ...(longest !== undefined && { expireInSeconds: longest }),
      // The queue's policy runs one job of a key, but stops at the next one and starves the jobs behind it until the first
      // has ended. A group of one is skipped.
      group: { id: singletonKey },
      db: joined,
    }
    let mayWait = when.key !== undefined
    if (when.unlessSooner) {
      // Locked: the job must not begin before the data it relies on is committed and visible. Written for pg-boss's index
      // job_i3: 0.04 ms among 20,000 waiting jobs, where findJobs takes 3.
      const { rows } = await db.query<{ sooner: boolean }>(
        `select start_after <= $3 as sooner from pgboss.job
         where name = $1 and coalesce(singleton_key, '') = $2 and policy = 'stately' and state in ('created', 'retry')
         for update`,
        [QUEUE, singletonKey, startAfter],
      )
      if (rows.some(({ sooner }) => sooner)) return
      mayWait = rows.length > 0
    }
    // `send` does nothing when another process was faster.
    if (mayWait || !(await boss.send(QUEUE, envelope, terms))) await boss.upsert(QUEUE, envelope, terms)
    // pg-boss reports a job that is due, unless the clock of the server is late.
    if (db.kind === 'postgres' || startAfter.getTime() > clock.now()) look.alarm(startAfter.getTime())
  }

  /**
   * Wakes as many workers as jobs are due. The worker whose job ended last is the first, because a due job can wait for the
   * end of that one.
   */
  function wake(due: number): void {
    waiting = due
    const idle = workers.filter(worker => !worker.busy)
    for (const { id } of idle.slice(0, due)) boss.notifyWorker(id)
  }

  const plan = (kind: string, { payload, at }: ReturnType<typeof nextSlot>, unlessSooner = false) =>
    schedule(kind, payload, { at, key: 'every', unlessSooner })

  async function repeat(): Promise<void> {
    for (const [kind, times] of repeating) await plan(kind, nextSlot(times, clock.now()), true)
  }

  async function addWorker(): Promise<void> {
    const worker: Worker = { id: '', busy: false }
    const wait = supervise ? LONG_WAIT_S : DAY_S
    const waits = { pollingIntervalSeconds: wait, notifyPollingIntervalSeconds: wait }
    worker.id = await boss.work<Envelope>(QUEUE, { groupConcurrency: 1, ...waits }, jobs => take(jobs))
    workers.push(worker)

    async function take(jobs: readonly PgBossJob<Envelope>[]): Promise<void> {
      worker.busy = true
      waiting = Math.max(0, waiting - 1)
      // PGlite answers within the tick: without a break a series of jobs would block other work for seconds.
      await setImmediate()
      try {
        for (const job of jobs) {
          const ran = inBackground(() => barrier.pass(job.data.kind, called => run(job, AbortSignal.any([job.signal, called]))))
          running.add(ran)
          try {
            await ran
          } catch (error) {
            throw keepable(error)
          } finally {
            running.delete(ran)
          }
        }
      } finally {
        worker.busy = false
        const place = workers.indexOf(worker)
        if (place >= 0) workers.unshift(...workers.splice(place, 1))
        // A job of the same key waits for the end of this one, and others for a free worker.
        if (waiting > 0) boss.notifyWorker(worker.id)
      }
    }
  }

  /**
   * Fails jobs of a dead process. Postgres detects one by its missing heartbeat; PGlite has one process, and that was the
   * previous one.
   */
  async function takeUpOrphans(): Promise<void> {
    if (db.kind !== 'pglite') return
    const { rows } = await db.query<{ id: string }>(`select id from pgboss.job where name = $1 and state = 'active'`, [QUEUE])
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await boss.fail(QUEUE, ids, { reason: 'the process died' })
  }

  return {
    isStored: true,

    define: (kind, definition) => void kinds.set(kind, definition),

    unregister(kind) {
      kinds.delete(kind)
      repeating.delete(kind)
    },

    repeat,

    every(kind, times, definition) {
      kinds.set(kind, definition)
      repeating.set(kind, times)
    },

    schedule,

    async cancel(kind, key) {
      const waiting = await boss.findJobs(QUEUE, { key: `${kind}:${key}`, queued: true, db: joined })
      if (waiting.length > 0)
        await boss.deleteJob(
          QUEUE,
          waiting.map(({ id }) => id),
          { db: joined },
        )
    },

    waiting: (kind, which) => waitingIn(db, kind, which),
    prune: judge => pruneKept(db, judge),
    queue: () => queueIn(db, new Date(clock.now())),

    async start(idle = false) {
      await boss.start()
      await db.script(COUNT_NOTHING)
      await boss.createQueue(QUEUE, {
        policy: 'stately',
        notify: true,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 60,
        deleteAfterSeconds: 3_600,
        ...(db.kind === 'postgres' && { heartbeatSeconds: 10 }),
      })
      // Reads the settings of the queue. A transaction must not be the first to do that: on PGlite it would wait for itself.
      await boss.findJobs(QUEUE, { key: 'none', queued: true })
      if (idle) return
      await takeUpOrphans()
      await repeat()
      for (let place = 0; place < concurrency; place++) await addWorker()
      look.start()
    },

    async stop(graceMs) {
      look.stop()
      await boss.stop({ graceful: true, timeout: graceMs, close: true })
      // pg-boss has aborted their signals, and does not wait for them. In real time, as `boss.stop`.
      const over = new AbortController()
      await Promise.race([Promise.allSettled(running), sleep(systemClock, LAST_WORDS_MS, over.signal).catch(() => {})])
      over.abort()
    },

    async state() {
      const { rows } = await db.query<{ due: number; active: number; next: number | null }>(
        `select count(*) filter (where state < 'active' and start_after <= $1)::int as due,
           count(*) filter (where state = 'active')::int as active,
           ceil(1000 * extract(epoch from min(start_after) filter (where state < 'active' and start_after > $1)))::float8 as next
         from pgboss.job where name = $2 and state <= 'active'`,
        [new Date(clock.now()), QUEUE],
      )
      const { due = 0, active = 0, next } = rows[0] ?? {}
      return { due, active, running: running.size, ...(next && { next }) }
    },
  }
}

/**
 * Turns off the job counts of pg-boss. With them it skips every key that was active at the last count: for a minute, and
 * also for keys of processes that have died since. Its index and our groups separate the jobs of a key without that, and no
 * code reads the counts.
 */
const COUNT_NOTHING = `
  update pgboss.version set monitor_backoff_on = '9999-01-01';
  update pgboss.queue set singletons_active = null where singletons_active is not null`
