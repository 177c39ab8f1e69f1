/** When repeating work is due: once in each interval, or at times of the day in a time zone. */
import { Cron } from 'croner'
import { type Duration, milliseconds } from './duration.ts'
import { KikimimiError, reason } from './errors.ts'
import { nearest } from './text/nearest.ts'

/** Times of the day in a time zone: `{ cron: '0 7 * * 1-5', timeZone: 'Asia/Tokyo' }`. */
export interface CronSchedule {
  /**
   * Five fields with spaces between them: minute, hour, day of the month, month, day of the week (0 or `SUN` to 6 or `SAT`). A field is
   * `*`, a number, a list `1,15`, a range `MON-FRI`, or steps `0-30/10`.
   */
  readonly cron: string
  /** The zone of these times, an IANA name such as `Asia/Tokyo`, or `UTC`. */
  readonly timeZone: string
}

/** When repeating work is due: an interval such as `'1h'`, or a {@link CronSchedule}. */
export type Schedule = Duration | CronSchedule

/** The times of repeating work. They are equal for every process. */
export interface Times {
  /** The first time after a time, in milliseconds since the epoch. */
  next(after: number): number
}

/** The shortest interval: the job queue looks for due work every few seconds. */
const SHORTEST_MS = 1_000

/**
 * The times of a schedule, for work that a plugin plans itself with `runWhenDue`.
 *
 * @throws ARGUMENT_INVALID for an interval below one second, a wrong expression or an unknown time zone
 */
export function timesOf(schedule: Schedule): Times {
  if (typeof schedule === 'object') return cronTimes(schedule)
  const ms = milliseconds(schedule)
  if (ms < SHORTEST_MS) throw new KikimimiError('ARGUMENT_INVALID', `use one second or more, got ${JSON.stringify(schedule)}`)
  return { next: after => (Math.floor(after / ms) + 1) * ms }
}

function cronTimes({ cron, timeZone }: CronSchedule): Times {
  const problems = [cronProblem(cron), timeZoneProblem(timeZone)].filter(problem => problem !== undefined)
  if (problems.length > 0) throw new KikimimiError('ARGUMENT_INVALID', problems.join('; '))
  // By default only a single hour and minute run at the end of a gap, and a list leaves its run out.
  const times = new Cron(cron, { timezone: timeZone, fixedTimeRule: 'no-wildcard' })
  const isRepeated = hasFixedHours(cron) ? repeatedIn(timeZone) : () => false
  return {
    next(after) {
      for (let at = times.nextRun(new Date(after)); at; at = times.nextRun(at)) if (!isRepeated(at)) return at.getTime()
      throw new KikimimiError('ARGUMENT_INVALID', noSuchDay(cron))
    },
  }
}

/** Work of every hour goes on through an hour that the clocks repeat; work of an hour that is named runs in the first one only. */
function hasFixedHours(cron: string): boolean {
  return !cron.trim().split(/\s+/)[1]?.startsWith('*')
}

/** The steps in minutes by which zones set their clocks back. */
const SET_BACK = [30, 60, 120]
const MINUTE = 60_000

/** Tells the times that the clocks of a zone show for the second time, because they were set back. */
function repeatedIn(timeZone: string): (time: Date) => boolean {
  const clock = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  })
  return time => SET_BACK.some(minutes => clock.format(time) === clock.format(time.getTime() - minutes * MINUTE))
}

/** What is wrong with a cron expression, and what to write instead. Nothing: it is right. */
export function cronProblem(cron: string): string | undefined {
  const fields = '(minute, hour, day of the month, month, day of the week)'
  const given = JSON.stringify(cron)
  if (cron.trim().split(/\s+/).length !== 5) return `expected five fields such as "0 7 * * MON-FRI" ${fields}, got ${given}`
  try {
    return new Cron(cron, { timezone: 'UTC' }).nextRun() ? undefined : noSuchDay(cron)
  } catch (error) {
    return `${given} is wrong ${fields}: ${reason(error).replace(/^CronPattern: /, '')}`
  }
}

function noSuchDay(cron: string): string {
  return `expected times that come, got ${JSON.stringify(cron)}: there is no such day`
}

/** What is wrong with the name of a time zone, and what to write instead. Nothing: it is right. */
export function timeZoneProblem(timeZone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return undefined
  } catch {
    const meant = nearest(timeZone, Intl.supportedValuesOf('timeZone'))
    const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`
    return `expected a time zone such as "Asia/Tokyo" or "UTC", got ${JSON.stringify(timeZone)}${hint}`
  }
}
