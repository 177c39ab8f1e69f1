/**
 * Takes turns when they are due. The turns are rows of the store: see `store/turn-store.ts`. Each process has alarms for the turns
 * that it knows of, so that nothing is looked for while nothing is due; a slow look finds the turns of dead processes.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database, FailedJobs, QueueState } from '../../api/index.ts'
import { inBackground, inForeground } from '../../base/background.ts'
import { type Clock, sleepWhileStopping } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { ReloadBarrier } from '../../base/reload-barrier.ts'
import { keepable } from '../jobs/dead-letter.ts'
import type { JobState } from '../jobs/jobs.ts'
import type { Store } from '../store/store.ts'
import { type EndedTurn, LEASE_MS, type LeasedTurn, type NextTurn, type TurnCounts, type TurnStore } from '../store/turn-store.ts'
import { createAlarms } from './alarms.ts'

/** Takes a turn. Returns the turn that follows. When it rejects, it is called again later. */
export type TakeTurn = (turn: LeasedTurn, signal: AbortSignal) => Promise<NextTurn | undefined>

/** The name of turns at the reload barrier. */
export const TURN = 'turn'

export interface TurnQueueOptions {
  readonly store: Pick<Store, 'turns' | 'loadTurn'>
  readonly clock: Clock
  /** The same time, for what repeats. */
  readonly pollClock: Clock
  readonly log: Logger
  /** The number of turns that run at the same time in this process. */
  readonly concurrency: number
  /** Every turn passes through this barrier, as {@link TURN}. */
  readonly barrier: ReloadBarrier
  /** The database, if other processes may take turns too. */
  readonly shared: Database | undefined
  /** Has the size of working memory now: see `Store.loadTurn`. */
  readonly settings: {
    readonly current: { readonly turns: { readonly memory: { readonly size: number; readonly ttlMs: number } } }
  }
}

export interface TurnQueue extends Pick<TurnStore, 'schedule' | 'waiting' | 'dropDelayed'> {
  /** A turn was stored that is due at this time. */
  expect(conversation: string, at: Date): void
  setConcurrency(places: number): void
  /** Starts the queue. @param idle true: this process takes no turns; other processes do */
  start(take: TakeTurn, idle?: boolean): Promise<void>
  /** Resolves when the turns of these conversations that run in this process have ended. */
  ended(isMeant: (conversation: string) => boolean): Promise<void>
  /** Begins no more turns. Running ones get `graceMs` to end; then their signals abort. */
  stop(graceMs: number): Promise<void>
  /** Of the whole deployment. */
  state(): Promise<Omit<JobState, 'running'>>
  /** See `Operator.queue`. */
  queue(): Promise<QueueState>
}

/** Further attempts after a failure or a crash. Each kill of the process costs one, so a turn has many. */
const RETRIES = 10
/** The pause before the first of them. Each further one takes twice as long, up to the longest. */
const RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

/** A lease may end so much later than its turn, so that the statement that takes the next turn ends it. */
const RELEASE_MS = 250
/** How often a process reports that its turns still run. */
const RENEW_MS = LEASE_MS / 3
/** How often turns of dead processes are looked for. The embedded database has one process. */
const LOOK_MS = { shared: 5_000, alone: 60_000 } as const
/** A row that another process had locked is free then. */
const LOCKED_MS = 50
/** Other processes are called for help at most this often. */
const CALL_MS = 1_000
const CHANNEL = 'kikimimi_turn'

/** Milliseconds in which aborted turns end what they began, such as typing, before plugins close. */
const LAST_WORDS = 1_000

/** A dead letter is reported for a day, like one of the job queue. */
const REPORTED_MS = 24 * 60 * 60_000

export function createTurnQueue(options: TurnQueueOptions): TurnQueue {
  const { store, clock, pollClock, log, barrier, shared, settings } = options
  const { turns } = store
  const by = randomUUID()
  /** The conversations leased here. The turns of `ended` are over. */
  const leased = new Map<string, { readonly controller: AbortController; readonly over: Promise<void> }>()
  let ended: EndedTurn[] = []
  let places = options.concurrency
  let take: TakeTurn = async () => undefined
  let isStarted = false
  // A turn must not join the transaction of the code that scheduled it.
  const outside = AsyncLocalStorage.snapshot()
  const alarms = createAlarms(clock, () => outside(look))
  const timers: unknown[] = []
  let isWanted = false
  let exchanging: Promise<void> | undefined
  /** More turns were due than this process had places for. */
  let isBehind = false
  let calledAt = Number.NEGATIVE_INFINITY
  let unlisten: (() => Promise<void>) | undefined
  let idle: (() => void) | undefined

  const busy = () => leased.size - ended.length
  const isRunning = (id: string) => leased.has(id) && ended.every(({ conversation }) => conversation !== id)
  const window = () => {
    const { size, ttlMs } = settings.current.turns.memory
    return { size, since: new Date(clock.now() - ttlMs) }
  }

  function look(): void {
    isWanted = true
    exchanging ??= exchangeAll()
  }

  async function exchangeAll(): Promise<void> {
    while (isWanted) {
      // What becomes due at one moment is taken together.
      await setImmediate()
      isWanted = false
      await exchange()
    }
    exchanging = undefined
  }

  async function exchange(): Promise<void> {
    // This is the look that an ended turn, or a failed exchange, has asked for.
    alarms.clear('')
    const done = [...ended]
    const limit = isStarted ? Math.max(0, places - busy()) : 0
    try {
      const now = new Date(clock.now())
      const running = [...leased.keys()]
      const { leased: mine, next } = await turns.exchange({ now, by, ended: done, running, limit, memory: window() })
      ended = ended.slice(done.length)
      for (const { conversation } of done) leased.delete(conversation)
      for (const turn of mine) void run(turn)
      if (next && isStarted) await expectNext(next.conversation, next.at.getTime(), done)
    } catch (error) {
      log.warn(`turn queue: ${reason(error)}`)
      if (isStarted) alarms.set('', clock.now() + RETRY_MS)
    }
  }

  async function expectNext(conversation: string, at: number, done: readonly EndedTurn[]): Promise<void> {
    isBehind = at <= clock.now() && busy() >= places
    if (isBehind) return callOthers()
    if (at > clock.now()) alarms.set(conversation, at)
    else if (done.some(one => one.conversation === conversation)) isWanted = true
    else alarms.set(conversation, clock.now() + LOCKED_MS)
  }

  async function callOthers(): Promise<void> {
    if (!shared || clock.now() - calledAt < CALL_MS) return
    calledAt = clock.now()
    await shared.query('select pg_notify($1, $2)', [CHANNEL, ''])
  }

  async function run(turn: LeasedTurn): Promise<void> {
    const controller = new AbortController()
    const { promise: over, resolve } = Promise.withResolvers<void>()
    leased.set(turn.conversation, { controller, over })
    alarms.clear(turn.conversation)
    const end = await (isCalled(turn) ? inForeground : inBackground)(() => endOf(turn, controller))
    ended.push({ conversation: turn.conversation, ...end })
    resolve()
    if (busy() === 0) idle?.()
    // A delayed answer counts as upcoming until its lease ends.
    const isFollowed = end.next || turn.delayed || isBehind || alarms.isDue(turn.conversation)
    if (isFollowed || !isStarted) look()
    else alarms.set('', clock.now() + RELEASE_MS)
  }

  async function endOf(turn: LeasedTurn, controller: AbortController): Promise<Omit<EndedTurn, 'conversation'>> {
    try {
      if (turn.attempts > RETRIES) throw new KikimimiError('INTERNAL', 'The process died in each attempt of a turn.')
      let isLate = false
      const begin = async (signal: AbortSignal) => {
        if (!isLate) return take(turn, signal)
        // It has waited for a reload.
        const { size, since } = window()
        const state = await store.loadTurn(turn.conversation, size, since)
        return state && take({ ...turn, state }, signal)
      }
      const passed = barrier.pass(TURN, begin, controller)
      isLate = true
      const next = await passed
      return { attempts: 0, ...(next && { next }) }
    } catch (error) {
      return failed(turn, error)
    }
  }

  function failed(turn: LeasedTurn, error: unknown): Omit<EndedTurn, 'conversation'> {
    const { conversation, attempts, vary, delayed } = turn
    log.warn(`turn failed, attempt ${attempts + 1} of ${RETRIES + 1}: ${reason(error)}`, { conversation })
    const failure = keepable(error).message
    // The next message takes its batch again.
    if (attempts >= RETRIES) return { attempts: 0, failure, isGivenUp: true }
    const at = clock.now() + Math.min(RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
    return { attempts: attempts + 1, failure, next: { at, vary, urgent: isCalled(turn), ...(delayed && { delayed }) } }
  }

  function expect(conversation: string, at: Date): void {
    if (!isStarted) return
    alarms.set(conversation, at.getTime())
    if (at.getTime() <= clock.now() && !isRunning(conversation)) look()
  }

  return {
    expect,
    waiting: turns.waiting,
    dropDelayed: turns.dropDelayed,

    async schedule(conversation, turn, how) {
      const at = await turns.schedule(conversation, turn, how)
      if (at) expect(conversation, at)
      return at
    },

    setConcurrency(wanted) {
      places = wanted
      if (isStarted) look()
    },

    async start(taking, isIdle = false) {
      if (isIdle) return
      take = taking
      isStarted = true
      timers.push(pollClock.setInterval(() => outside(look), shared ? LOOK_MS.shared : LOOK_MS.alone))
      if (shared) {
        unlisten = await shared.listen(CHANNEL, () => busy() < places && look())
        timers.push(pollClock.setInterval(() => outside(renew), RENEW_MS))
      }
      look()
    },

    async ended(isMeant) {
      await Promise.all([...leased].flatMap(([conversation, { over }]) => (isMeant(conversation) ? [over] : [])))
    },

    async stop(graceMs) {
      isStarted = false
      for (const timer of timers.splice(0)) pollClock.clearInterval(timer)
      alarms.stop()
      await unlisten?.()
      await exchanging
      if (busy() > 0) await ending(graceMs)
      if (ended.length > 0) look()
      await exchanging
    },

    async state() {
      const { due, active, next } = await counts()
      return { due, active, ...(next && { next: next.getTime() }) }
    },

    async queue() {
      const { due, later, active } = await counts()
      const failures = await turns.failures(new Date(clock.now() - REPORTED_MS))
      const hasFailed = failures.retrying + failures.deadLetters > 0
      const failed: readonly FailedJobs[] = hasFailed ? [{ kind: 'turn', ...failures }] : []
      return { due, later, active, failed }
    },
  }

  /**
   * As the store has them, after it has the turns that have ended here. No figure of this process is added or subtracted: turns end
   * and begin while the store counts.
   */
  async function counts(): Promise<TurnCounts> {
    if (ended.length > 0) look()
    while (exchanging !== undefined) await exchanging
    return turns.counts(new Date(clock.now()))
  }

  function renew(): void {
    if (leased.size === 0) return
    turns.renew(by, [...leased.keys()]).catch((error: unknown) => log.warn(`turn queue: ${reason(error)}`))
  }

  async function ending(graceMs: number): Promise<void> {
    const { promise: all, resolve } = Promise.withResolvers<void>()
    idle = resolve
    const over = new AbortController()
    const pause = (ms: number) => sleepWhileStopping(clock, ms, over.signal)
    const late = pause(graceMs).then(() => {
      for (const { controller } of leased.values()) controller.abort()
      // No wait for a turn that ignores its signal.
      return pause(LAST_WORDS)
    })
    await Promise.race([all, late.catch(() => {})])
    over.abort()
  }
}

/** Whether people wait for the turn. */
function isCalled({ state }: LeasedTurn): boolean {
  return state.batch.some(({ message }) => message.addressed)
}
