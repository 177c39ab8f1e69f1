/**
 * Erasure of a person. The request is a row, and a job carries it out, even after interruptions. First every plugin deletes
 * its data, while the message log is complete. Then the kernel's log is cleared. Minutes later a last pass deletes what the
 * bot posted meanwhile, and the row is deleted.
 */

import type { PersonKey } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { isSafeToKeep, KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { Forgetting, ForgettingStore } from '../../storage/store/erasure-store.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'
import { type Cleared, clearLog, clearMeanwhile } from './clear.ts'

export interface ErasureOptions {
  readonly store: ForgettingStore
  readonly jobs: Jobs
  readonly turns: Pick<TurnQueue, 'dropDelayed'>
  readonly clock: Clock
  readonly log: Logger
  readonly host: Pick<PluginHost, 'hooks'>
  /** True: other processes may be answering people. */
  readonly shared: boolean
}

export interface PersonErasure {
  /** See `Erasure.forget`. */
  ask(person: PersonKey): Promise<void>
  /** Continues erasures that a crash interrupted. Call it at the start. */
  resume(): Promise<void>
  /** Erases at once, for the command line. Throws FORGET_FAILED with every plugin that failed: the bot tries again. */
  now(person: PersonKey, signal: AbortSignal): Promise<Forgotten>
}

/** The number of deleted records of a person. */
export interface Forgotten extends Cleared {
  /** The plugins that have deleted their data. */
  readonly plugins: readonly string[]
  /** Checks new messages of a running bot during an erasure. */
  readonly lastLookAt?: Date
  /** A running bot searches the conversations without the person for their words. */
  readonly isSearching?: true
}

/** Milliseconds a plugin has for one person. */
const DEADLINE = 10 * 60_000

/** Seconds. A log of a million messages takes minutes of a processor core, and longer on a busy machine. */
const LONGEST = 6 * 60 * 60

/** After this time, every answer that was being made when the log was cleared is sent or cancelled. */
const LAST_PASS = 5 * 60_000

/** The first and the longest pause after a failure. Each pause doubles. */
const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 60 * 60_000

export function createErasure({ store, jobs, turns, clock, log, host, shared }: ErasureOptions): PersonErasure {
  const now = () => new Date(clock.now())

  // Each kill of the process costs one attempt; every other failure schedules the next itself.
  jobs.define('forget', {
    retries: 10,
    longest: LONGEST,
    run: (payload, signal) => run((payload as { readonly number: number }).number, signal),
  })

  // The payload is a number: the person is in a row that is deleted, but an ended job is kept for a while.
  const schedule = (number: number, at: number) =>
    jobs.schedule('forget', { number }, { at: new Date(at), key: String(number), unlessSooner: true })

  async function run(number: number, signal: AbortSignal): Promise<void> {
    const forgetting = await store.find(number)
    if (!forgetting) return
    const lastPass = forgetting.clearedAt && forgetting.clearedAt.getTime() + LAST_PASS
    // The run continues after a crash while other processes may still post.
    if (lastPass && lastPass > clock.now()) return schedule(number, lastPass)
    try {
      if (lastPass) await finish(forgetting, signal)
      else await forget(forgetting, signal, true)
    } catch (error) {
      // The bot is stopping: the next start runs the job again.
      signal.throwIfAborted()
      log.warn(error instanceof KikimimiError ? error.message : `Could not forget a person, and will try again: ${named(error)}`)
      await store.failed(number)
      await schedule(number, clock.now() + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** forgetting.attempts))
    }
  }

  /**
   * A long log is cleared where the person takes part first, in seconds, and then everywhere.
   *
   * @param whole false: the rest is left to the job, if the log is long
   */
  async function forget(
    asked: Forgetting,
    signal: AbortSignal,
    whole: boolean,
  ): Promise<Cleared & Pick<Forgotten, 'isSearching'>> {
    const forgetting = { ...asked, names: await store.gatherNames(asked) }
    await callForgetters(forgetting, signal)
    await store.began(forgetting.number, now())
    const near = await store.near(forgetting)
    const cleared = await clearLog({ store, jobs, turns, now }, forgetting, signal, near)
    if (near) {
      log.info('a person is erased where they took part; the other conversations are being searched', { ...cleared })
      if (!whole) {
        await schedule(forgetting.number, clock.now())
        return { ...cleared, isSearching: true }
      }
      const rest = await clearLog({ store, jobs, turns, now }, forgetting, signal)
      for (const key of ['messages', 'changed', 'own', 'traces', 'deliveries'] as const) cleared[key] += rest[key]
    }
    const isDone = await store.cleared(forgetting, now())
    log.info('a person is erased', { ...cleared })
    await schedule(forgetting.number, isDone ? clock.now() + LAST_PASS : clock.now())
    return cleared
  }

  /** A plugin that fails does not stop the others. */
  async function callForgetters({ platform, id, names, before }: Forgetting, signal: AbortSignal): Promise<void> {
    const failed: string[] = []
    // A plugin that needs others deletes before them.
    for (const { plugin, hook } of host.hooks('forget').toReversed()) {
      const late = () => new KikimimiError('STAGE_TIMEOUT', `did not forget within ${DEADLINE / 60_000} minutes`)
      try {
        await withTimeout({ clock, ms: DEADLINE, late, signal }, async inTime => hook({ platform, id, names, before }, inTime))
      } catch (error) {
        signal.throwIfAborted()
        failed.push(`[${plugin}] ${isSafeToKeep(error) ? error.message : named(error)}`)
      }
    }
    if (failed.length === 0) return
    const told = `${failed.join('; ')}. Until that is done the message log stays as it is; a running bot tries again.`
    throw new KikimimiError('FORGET_FAILED', `Could not forget a person: ${told}`)
  }

  async function finish(forgetting: Forgetting, signal: AbortSignal): Promise<void> {
    await clearMeanwhile({ store, jobs, turns, now }, forgetting)
    await clearLog({ store, jobs, turns, now }, forgetting, signal)
    if (!(await store.done(forgetting))) await schedule(forgetting.number, clock.now())
  }

  return {
    async ask({ platform, id }) {
      await store.ask({ platform, id }, now(), number => schedule(number, clock.now()))
    },

    async resume() {
      for (const { number, clearedAt } of await store.asked())
        await schedule(number, clearedAt ? clearedAt.getTime() + LAST_PASS : clock.now())
    },

    async now(person, signal) {
      let number = 0
      await store.ask(person, now(), one => {
        number = one
        return schedule(one, clock.now() + LAST_PASS)
      })
      const asked = await store.find(number)
      if (!asked) throw new KikimimiError('FORGET_FAILED', 'The bot has just erased the person.')
      const before = await store.countOwn(asked)
      const cleared = await forget(asked, signal, !shared).catch(async (error: unknown) => {
        await store.failed(number)
        throw error
      })
      const left = shared ? undefined : await store.find(number)
      if (left) await finish(left, signal)
      return {
        ...cleared,
        // With an answer, the answers go that were made while it was on screen.
        own: before - (await store.countOwn(asked)),
        plugins: host.hooks('forget').map(({ plugin }) => plugin),
        ...(shared && { lastLookAt: new Date(clock.now() + LAST_PASS) }),
      }
    },
  }
}

/** Without its message, which may quote people. */
function named(error: unknown): string {
  return error instanceof Error ? `an error (${error.name})` : 'an error'
}
