import type { PluginContext } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'

/** Tells the job that something is due at a time. A time in the past means now. */
export type DueBy = (at: Date) => Promise<void>

/**
 * Declares a job that runs when something is due, so that it costs nothing while nothing is due. Of all processes, one runs it
 * at a time. It also runs every six hours, for what no hook has reported. Call it in `setup`.
 *
 * @param run does what is due now. Returns when something is due next, and undefined when that takes a hook to know.
 * @returns for hooks such as `after`
 * @throws JOB_MISPLACED after `setup`, or for a second job of this name
 */
export function runWhenDue(
  ctx: Pick<PluginContext, 'clock' | 'every' | 'job'>,
  name: string,
  run: (signal: AbortSignal) => Awaitable<Date | undefined>,
): DueBy {
  const { clock } = ctx
  const job = ctx.job<null>(name, async (_nothing, signal) => {
    const next = await run(signal)
    if (next) await dueBy(next)
  })
  const runNow = () => job.schedule(null, { key: name })
  // A job of its own for each time. It is never moved, so `planned` stays true when another process brings a run forward.
  const wake = ctx.job<null>(`${name}-at`, runNow)
  ctx.every(`${name}-look`, '6h', runNow)
  /** When this process has a run planned. */
  let planned = Number.NEGATIVE_INFINITY

  async function dueBy(at: Date): Promise<void> {
    const [now, due] = [clock.now(), at.getTime()]
    if (due <= now) return runNow()
    if (planned > now && planned <= due) return
    await wake.schedule(null, { at, key: at.toISOString() })
    planned = due
  }

  return dueBy
}
