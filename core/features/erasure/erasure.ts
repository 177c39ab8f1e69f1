/**
 * Forgetting a person. The request is a row; a job carries it out, however often it is cut off: first every plugin forgets,
 * while the message log still has all of it, then the kernel's own log is cleared. Minutes later a last look takes what was
 * being said meanwhile, and the row goes.
 */

import type { PersonKey } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { isSafeToKeep, KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { Forgetting, ForgettingStore } from '../../storage/store/erasure-store.ts'
import { type Cleared, clearLog, clearMeanwhile } from './clear.ts'

export interface ErasureOptions {
  readonly store: ForgettingStore
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Logger
  readonly host: Pick<PluginHost, 'hooks'>
  /** Other processes may be answering people. */
  readonly shared: boolean
}

export interface PersonErasure {
  /** See `Erasure.forget`. */
  ask(person: PersonKey): Promise<void>
  /** Goes on with what a crash has cut off. Call it at the start. */
  resume(): Promise<void>
  /** Does it at once, for the command line. Throws FORGET_FAILED with every plugin that could not: the bot tries again. */
  now(person: PersonKey, signal: AbortSignal): Promise<Forgotten>
}

/** What the erasure of a person deleted. */
export interface Forgotten extends Cleared {
  /** Who has forgotten besides the kernel. */
  readonly plugins: readonly string[]
  /** What a running bot was saying meanwhile is looked at when it is said. */
  readonly lastLookAt?: Date
}

/** Milliseconds a plugin has for one person. */
const DEADLINE = 10 * 60_000

/** Seconds. A log of a million messages takes minutes of a core, and longer where that has other things to do. */
const LONGEST = 6 * 60 * 60

/** By then every answer that was being made when the log was cleared has been sent, or never will be. */
const LAST_LOOK = 5 * 60_000

/** Pauses after a failure: they double from the one to the other. */
const FIRST_PAUSE = 10_000
const LONGEST_PAUSE = 60 * 60_000

export function createErasure({ store, jobs, clock, log, host, shared }: ErasureOptions): PersonErasure {
  const now = () => new Date(clock.now())

  // Each kill of the process costs one attempt; every other failure schedules the next itself.
  jobs.define('forget', {
    lane: 'work',
    retries: 10,
    longest: LONGEST,
    run: (payload, signal) => run((payload as { readonly number: number }).number, signal),
  })

  // A number: who it is stands in a row that is deleted, where a job that has run is kept for a while.
  const schedule = (number: number, at: number) =>
    jobs.schedule('forget', { number }, { at: new Date(at), key: String(number), unlessSooner: true })

  async function run(number: number, signal: AbortSignal): Promise<void> {
    const forgetting = await store.find(number)
    if (!forgetting) return
    const lastLook = forgetting.clearedAt && forgetting.clearedAt.getTime() + LAST_LOOK
    // Taken up again after a crash, while other processes still say what they had begun.
    if (lastLook && lastLook > clock.now()) return schedule(number, lastLook)
    try {
      if (lastLook) await finish(forgetting, signal)
      else await forget(forgetting, signal)
    } catch (error) {
      // The bot is stopping: the next start takes it up again.
      signal.throwIfAborted()
      log.warn(error instanceof KikimimiError ? error.message : `Could not forget a person, and will try again: ${named(error)}`)
      await store.failed(number)
      await schedule(number, clock.now() + Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** forgetting.attempts))
    }
  }

  async function forget(asked: Forgetting, signal: AbortSignal): Promise<Cleared> {
    const forgetting = { ...asked, names: await store.gatherNames(asked) }
    await callForgetters(forgetting, signal)
    await store.began(forgetting.number, now())
    const cleared = await clearLog({ store, jobs, now }, forgetting, signal)
    const isDone = await store.cleared(forgetting, now())
    log.info('a person is forgotten', { ...cleared })
    await schedule(forgetting.number, isDone ? clock.now() + LAST_LOOK : clock.now())
    return cleared
  }

  /** One that fails keeps none of the others from being called. */
  async function callForgetters({ platform, id, names, before }: Forgetting, signal: AbortSignal): Promise<void> {
    const failed: string[] = []
    // Who builds on others forgets before them.
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
    await clearMeanwhile({ store, jobs, now }, forgetting)
    await clearLog({ store, jobs, now }, forgetting, signal)
    if (!(await store.done(forgetting))) await schedule(forgetting.number, clock.now())
  }

  return {
    async ask({ platform, id }) {
      await store.ask({ platform, id }, now(), number => schedule(number, clock.now()))
    },

    async resume() {
      for (const { number, clearedAt } of await store.asked())
        await schedule(number, clearedAt ? clearedAt.getTime() + LAST_LOOK : clock.now())
    },

    async now(person, signal) {
      let number = 0
      await store.ask(person, now(), one => {
        number = one
        return schedule(one, clock.now() + LAST_LOOK)
      })
      const asked = await store.find(number)
      if (!asked) throw new KikimimiError('FORGET_FAILED', 'The bot has just forgotten them.')
      const cleared = await forget(asked, signal).catch(async (error: unknown) => {
        await store.failed(number)
        throw error
      })
      const plugins = host.hooks('forget').map(({ plugin }) => plugin)
      if (shared) return { ...cleared, plugins, lastLookAt: new Date(clock.now() + LAST_LOOK) }
      const left = await store.find(number)
      if (left) await finish(left, signal)
      return { ...cleared, plugins }
    },
  }
}

/** Without its message, which may quote what was said. */
function named(error: unknown): string {
  return error instanceof Error ? `an error (${error.name})` : 'an error'
}
