import { type Clock, sleepWhileStopping } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { createReloadBarrier, type ReloadBarrier } from '../../base/reload-barrier.ts'
import type { Times } from '../../base/schedule.ts'
import { keepable } from './dead-letter.ts'
import { isOneOf, type JobKind, type Jobs, LAST_WORDS_MS, nextSlot, type When } from './jobs.ts'
import { FAILED_KINDS } from './queue-state.ts'

interface Waiting {
  readonly id: string
  readonly kind: string
  payload: unknown
  readonly due: number
  readonly attempt: number
  readonly urgent: boolean
  /** Why the last attempt failed. */
  readonly why?: string
  timer?: unknown
}

interface DeadLetter {
  readonly kind: string
  readonly at: number
  readonly why: string
}

/** A dead letter is kept for a day, as in a database. */
const KEPT_MS = 24 * 60 * 60_000
const KEPT_JOBS = 1_000

/** Node fires a timer with a longer delay at once: 24.8 days. */
const LONGEST_TIMER = 2 ** 31 - 1

/** The job queue in memory: the same rules, gone with the process. */
export function createMemoryJobs({
  clock,
  log,
  concurrency,
  barrier = createReloadBarrier(clock),
}: {
  readonly clock: Clock
  readonly log: Logger
  /** The number of jobs that run at the same time. */
  readonly concurrency: number
  /** The barrier that every job passes. */
  readonly barrier?: ReloadBarrier
}): Jobs {
  const kinds = new Map<string, JobKind>()
  const repeating = new Map<string, Times>()
  /** By kind and key: at most one waits. */
  const waiting = new Map<string, Waiting>()
  /** Jobs that are due but wait for a free place or for a running job of the same key. */
  const ready = new Set<Waiting>()
  const running = new Map<string, AbortController>()
  let deadLetters: readonly DeadLetter[] = []
  let started = false
  let count = 0
  let idle: (() => void) | undefined

  function wait(job: Waiting): void {
    forget(job.id)
    waiting.set(job.id, job)
    if (!started) return
    const ms = job.due - clock.now()
    if (ms <= 0) fallDue(job)
    else job.timer = clock.setTimeout(() => wait(job), Math.min(ms, LONGEST_TIMER))
  }

  function forget(id: string): void {
    const job = waiting.get(id)
    if (!job) return
    clock.clearTimeout(job.timer)
    ready.delete(job)
    waiting.delete(id)
  }

  function fallDue(job: Waiting): void {
    ready.add(job)
    begin()
  }

  function begin(): void {
    for (const urgent of [true, false]) for (const job of ready) if (job.urgent === urgent) beginOne(job)
  }

  function beginOne(job: Waiting): void {
    if (!started || running.has(job.id) || running.size >= concurrency) return
    forget(job.id)
    const controller = new AbortController()
    running.set(job.id, controller)
    const passed = barrier.pass(job.kind, called => run(job, AbortSignal.any([controller.signal, called])))
    void passed.finally(() => {
      running.delete(job.id)
      if (running.size === 0) idle?.()
      begin()
    })
  }

  async function run(job: Waiting, signal: AbortSignal): Promise<void> {
    const definition = kinds.get(job.kind)
    if (!definition) return log.warn(`dropped a job of the kind "${job.kind}": no plugin defines it`)
    const times = repeating.get(job.kind)
    if (times) await plan(job.kind, nextSlot(times, clock.now(), job.payload))
    if (times && !isOneOf(times, job.payload)) return
    try {
      await definition.run(job.payload, signal)
    } catch (error) {
      log.warn(`job ${job.kind} failed, attempt ${job.attempt} of ${definition.retries + 1}: ${reason(error)}`)
      const why = keepable(error).message
      if (job.attempt > definition.retries) {
        deadLetters = [...keptOf(deadLetters), { kind: job.kind, at: clock.now(), why }].slice(-KEPT_JOBS)
        return
      }
      // A job that was scheduled meanwhile under the same key replaces it.
      if (waiting.has(job.id)) return
      wait({ ...job, why, attempt: job.attempt + 1, due: clock.now() + 1_000 * 2 ** (job.attempt - 1) })
    }
  }

  async function schedule(kind: string, payload: unknown, when: When = {}): Promise<void> {
    const id = `${kind}:${when.key ?? ++count}`
    const due = when.at?.getTime() ?? clock.now()
    const before = waiting.get(id)
    if (when.unlessSooner && before && before.due <= due) return
    wait({ id, kind, payload, due, attempt: 1, urgent: when.urgent === true })
  }

  function keptOf(jobs: readonly DeadLetter[]): readonly DeadLetter[] {
    return jobs.filter(({ at }) => at > clock.now() - KEPT_MS)
  }

  const plan = (kind: string, { payload, at }: ReturnType<typeof nextSlot>, unlessSooner = false) =>
    schedule(kind, payload, { at, key: 'every', unlessSooner })

  async function repeat(): Promise<void> {
    for (const [kind, times] of repeating) await plan(kind, nextSlot(times, clock.now()), true)
  }

  return {
    isStored: false,

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
      forget(`${kind}:${key}`)
    },

    async waiting(kind, { key: only, under, having, limit }) {
      const here = [...waiting.values()]
        .filter(job => job.kind === kind)
        .map(job => ({ ...job, key: job.id.slice(kind.length + 1) }))
      return here
        .filter(({ key }) => only === undefined || key === only)
        .filter(({ key }) => under === undefined || key === under || key.startsWith(`${under}/`))
        .filter(({ payload }) => having === undefined || (typeof payload === 'object' && payload !== null && having in payload))
        .toSorted((one, other) => one.due - other.due || (one.key < other.key ? -1 : 1))
        .slice(0, limit)
        .map(({ key, payload, due }) => ({ key, payload, at: new Date(due) }))
    },

    async prune(judge) {
      for (const [id, job] of waiting) {
        const revision = judge({ payload: job.payload, key: id, ended: false })
        if (revision === 'drop') forget(id)
        else if (revision !== 'keep') job.payload = revision.payload
      }
    },

    async queue() {
      const jobs = [...waiting.values()]
      const due = jobs.filter(job => job.due <= clock.now()).length
      const retrying = Map.groupBy(
        jobs.filter(({ why }) => why !== undefined),
        ({ kind }) => kind,
      )
      const ended = Map.groupBy(keptOf(deadLetters), ({ kind }) => kind)
      const failed = [...new Set([...retrying.keys(), ...ended.keys()])].map(kind => {
        const last = ended.get(kind)?.at(-1)
        const why = last?.why ?? retrying.get(kind)?.at(-1)?.why
        return {
          kind,
          retrying: retrying.get(kind)?.length ?? 0,
          deadLetters: ended.get(kind)?.length ?? 0,
          ...(last && { last: new Date(last.at) }),
          ...(why !== undefined && { why }),
        }
      })
      const order = (a: (typeof failed)[number], b: (typeof failed)[number]) =>
        b.deadLetters - a.deadLetters || b.retrying - a.retrying || (a.kind < b.kind ? -1 : 1)
      return {
        due,
        later: jobs.length - due,
        active: running.size,
        failed: failed.toSorted(order).slice(0, FAILED_KINDS),
      }
    },

    async start(idle = false) {
      if (idle) return
      started = true
      await repeat()
      for (const job of [...waiting.values()]) wait(job)
    },

    async stop(graceMs) {
      started = false
      for (const job of waiting.values()) clock.clearTimeout(job.timer)
      if (running.size === 0) return
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      idle = resolve
      const over = new AbortController()
      const pause = (ms: number) => sleepWhileStopping(clock, ms, over.signal)
      const late = pause(graceMs).then(() => {
        for (const controller of running.values()) controller.abort()
        // No wait for a job that ignores its signal.
        return pause(LAST_WORDS_MS)
      })
      await Promise.race([ended, late.catch(() => {})])
      over.abort()
    },

    async state() {
      const later = [...waiting.values()].filter(job => !ready.has(job)).map(job => job.due)
      return {
        due: ready.size,
        active: running.size,
        running: running.size,
        ...(later.length > 0 && { next: Math.min(...later) }),
      }
    },
  }
}
