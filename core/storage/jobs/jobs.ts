/**
 * Work for later. A job has a kind, a payload, a time and perhaps a key: of one kind and key at most one waits
 * and at most one runs, however many processes there are. Two homes: pg-boss on the bot's database, durable
 * (`jobs/pg-boss.ts`); and memory, for replays and benchmarks (`jobs/memory.ts`). One contract suite holds for both.
 */
import type { Awaitable } from '../../base/awaitable.ts'

export interface JobKind {
  /** `turn` for looks at conversations, `work` for everything else: the one never waits behind the other. */
  readonly lane: 'turn' | 'work'
  /** Further attempts after a failure or a crash, with growing pauses. */
  readonly retries: number
  /** Seconds after which one that still runs is taken for dead. Default: a quarter of an hour. */
  readonly longest?: number
  run(payload: unknown, signal: AbortSignal): Awaitable<void>
}

export interface When {
  /** Default: now. */
  readonly at?: Date
  /** Replaces what waits under it. Without a key the job stands for itself. */
  readonly key?: string
  /** Leave a waiting job that is due earlier. */
  readonly unlessSooner?: boolean
  /** Before others that are due. */
  readonly urgent?: boolean
}

export interface Jobs {
  define(kind: string, definition: JobKind): void
  /** What waits of this kind stays, for whoever knows it. */
  unregister(kind: string): void
  /** Joins the transaction of `db.transaction` that is open around it. */
  schedule(kind: string, payload: unknown, when?: When): Promise<void>
  /** Takes back what waits under the key. What runs goes on. */
  cancel(kind: string, key: string): Promise<void>
  /**
   * What waits of a kind under keys, the soonest first.
   *
   * @param which `key`: under this key alone; `under`: under it and what begins with it and a slash; `having`: those
   *   whose payload has this field
   */
  waiting(kind: string, which: WhichWait): Promise<readonly WaitingJob[]>
  /** Goes through the jobs that wait, and those that have ended and are kept for a while. What runs is left alone. */
  revise(judge: (job: KeptJob) => Revision): Promise<void>
  /** Once in each interval for the whole deployment; after `start`, from the next `repeat` on. */
  every(kind: string, ms: number, definition: JobKind): void
  /** Schedules what repeats and does not wait yet, as `start` does. */
  repeat(): Promise<void>
  /** How many jobs of a lane run side by side in this process. */
  setConcurrency(lane: JobKind['lane'], places: number): Promise<void>
  /** @param idle no job begins here: for others to run */
  start(idle?: boolean): Promise<void>
  /** No job begins any more; what runs gets `graceMs` to end, then its signal is aborted. */
  stop(graceMs: number): Promise<void>
  /** Of one lane or of both. */
  state(lane?: JobKind['lane']): Promise<JobState>
}

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
  /** Its kind and its key, with a colon between them. */
  readonly key: string
  readonly ended: boolean
}

export type Revision = 'keep' | 'drop' | { readonly payload: unknown }

export interface JobState {
  /** Due, and not begun. */
  readonly due: number
  /** Begun, and not written down as ended. */
  readonly active: number
  /** Of those, the ones whose code runs in this process. */
  readonly running: number
  /** When the next one falls due. */
  readonly next?: number
}

/** The first multiple of the interval after `now`: the same for every process. */
export function slotAfter(now: number, interval: number): Date {
  return new Date((Math.floor(now / interval) + 1) * interval)
}
