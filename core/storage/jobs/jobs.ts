/**
 * The queue of background jobs: work for later. A job has a kind, a payload, a time and an optional key. Of one kind and key at most one
 * job waits and at most one runs, over all processes. There are two implementations with one contract suite: pg-boss on the
 * bot's database, durable (`jobs/pg-boss.ts`), and memory, for replays and benchmarks (`jobs/memory.ts`).
 */
import type { QueueState } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import type { Times } from '../../base/schedule.ts'

export interface JobKind {
  /** Further attempts after a failure or a crash, with growing pauses. */
  readonly retries: number
  /** Seconds after which a running job counts as dead. Default: 15 minutes. */
  readonly longest?: number
  run(payload: unknown, signal: AbortSignal): Awaitable<void>
}

export interface When {
  /** The time at which it is due. Default: now. */
  readonly at?: Date
  /** Replaces the waiting job of this key. Without a key the job replaces none. */
  readonly key?: string
  /** True: keep a waiting job that is due earlier. */
  readonly unlessSooner?: boolean
  /** True: run it before other jobs that are due. */
  readonly urgent?: boolean
}

export interface Jobs {
  /** Whether the jobs are in the database. */
  readonly isStored: boolean
  define(kind: string, definition: JobKind): void
  /** Removes the definition. Waiting jobs of this kind stay for another process or plugin that defines it. */
  unregister(kind: string): void
  /** Schedules a job. Inside `db.transaction` it joins the transaction. */
  schedule(kind: string, payload: unknown, when?: When): Promise<void>
  /** Removes the waiting job of the key. A running job continues. */
  cancel(kind: string, key: string): Promise<void>
  /**
   * The waiting jobs of a kind that have a key, soonest first.
   * @param which `key`: jobs of this key; `under`: jobs of this key and of keys that begin with it and a slash; `having`:
   * jobs whose payload has this field
   */
  waiting(kind: string, which: WhichWait): Promise<readonly WaitingJob[]>
  /** Drops or changes waiting jobs, and ended jobs that are still kept. Running jobs stay as they are. */
  prune(judge: (job: KeptJob) => Pruned): Promise<void>
  /** Runs once at each of the times for the whole deployment. After `start` it begins with the next `repeat`. */
  every(kind: string, times: Times, definition: JobKind): void
  /** Schedules repeating work that does not wait yet, as `start` does. */
  repeat(): Promise<void>
  /** Starts the queue. @param idle true: this process runs no jobs; other processes do */
  start(idle?: boolean): Promise<void>
  /** Begins no more jobs. Running jobs get `graceMs` to end; then their signals abort, and they get {@link LAST_WORDS_MS}. */
  stop(graceMs: number): Promise<void>
  state(): Promise<JobState>
  /** See `Operator.queue`. */
  queue(): Promise<QueueState>
}

/** Milliseconds in which aborted jobs end what they began, such as a statement, before plugins and the database close. */
export const LAST_WORDS_MS = 5_000

export interface WhichWait {
  readonly key?: string
  readonly under?: string
  readonly having?: string
  readonly limit: number
}

export interface WaitingJob {
  readonly key: string
  readonly payload: unknown
  readonly at: Date
}

export interface KeptJob {
  readonly payload: unknown
  /** The kind and the key, with a colon between them. */
  readonly key: string
  readonly ended: boolean
}

export type Pruned = 'keep' | 'drop' | { readonly payload: unknown }

export interface JobState {
  /** Jobs that are due and have not begun. */
  readonly due: number
  /** Jobs that have begun and are not stored as ended. */
  readonly active: number
  /** Of those, the jobs whose code runs in this process. */
  readonly running: number
  /** When the next job is due. */
  readonly next?: number
}

/** The payload of a job of repeating work: the time for which it was planned. A job of an earlier version has none. */
interface Slot {
  readonly slot: number
}

/**
 * The next job of repeating work.
 *
 * @param ran the payload of the job that runs now. The clock of the process can be behind the one by which the job became due: a time
 *   for which a job has run does not come again.
 */
export function nextSlot(times: Times, now: number, ran?: unknown): { readonly payload: Slot; readonly at: Date } {
  const slot = times.next(isSlot(ran) ? Math.max(now, ran.slot) : now)
  return { payload: { slot }, at: new Date(slot) }
}

/** Whether a job was planned for one of these times. An earlier version of the plugin can have had others. */
export function isOneOf(times: Times, payload: unknown): boolean {
  return !isSlot(payload) || times.next(payload.slot - 1) === payload.slot
}

/** The time for which a job of repeating work was planned. A job that an earlier version planned can have none: then `now`. */
export function plannedFor(payload: unknown, now: number): Date {
  return new Date(isSlot(payload) ? payload.slot : now)
}

function isSlot(payload: unknown): payload is Slot {
  return typeof payload === 'object' && payload !== null && 'slot' in payload && typeof payload.slot === 'number'
}

/** Waits until none runs, is due, or becomes due within `horizonMs`. */
export async function drained(
  queue: { state(): Promise<Omit<JobState, 'running'>> },
  clock: Clock,
  horizonMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const { due, active, next } = await queue.state()
    const soon = next !== undefined && next - clock.now() <= horizonMs
    if (due === 0 && active === 0 && !soon) return
    await sleep(clock, soon && due + active === 0 ? Math.max(1, next - clock.now()) : 50, signal)
  }
}
