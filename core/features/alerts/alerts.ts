/**
 * Tells the operator when a state of the bot begins and when it is over, once each. The states are rows of the database, so that a
 * restart repeats nothing and several processes tell once. A message that may have been told is not told again.
 */
import { createHash } from 'node:crypto'
import type { AlertTest } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withoutSecrets } from '../../base/secrets.ts'
import { texts } from '../../base/text/core-texts.ts'
import type { Locale } from '../../base/text/texts.ts'
import type { AlertRow, AlertRows } from './rows.ts'
import { type Found, STATES } from './states.ts'
import type { Target } from './targets.ts'
import type { WebhookAlert } from './webhook.ts'

export interface AlertsOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly rows: AlertRows
  /** Why the bot cannot record messages, as `/readyz` says it. */
  unready(): Promise<string | undefined>
  /** The states that are there now. */
  find(): Promise<readonly Found[]>
  targets(): readonly Target[]
  /** The name of the bot. */
  bot(): string
  locale(): Locale
  readonly secrets: readonly string[]
}

export interface AlertRounds {
  /** Looks at the states, and tells what is new. */
  round(signal: AbortSignal): Promise<void>
  /** Sends a test to each target. */
  test(signal: AbortSignal): Promise<readonly AlertTest[]>
}

/** A state is over when no process has found it for so long: what comes and goes is one state. Milliseconds. */
const OVER_AFTER = 5 * 60_000

/** Age of a state, since it was last found, from which its end is not sent. Milliseconds. */
const TOO_LATE = 24 * 60 * 60_000

export function createAlerts(options: AlertsOptions): AlertRounds {
  const { clock, log, rows } = options
  /** The state `database` cannot be a row. */
  let away: { readonly since: Date; readonly text: string; readonly told: Set<string> } | undefined
  /** True: the last message could not be told, and the log says so. */
  let hasFailed = false

  function textOf({ name, values }: Pick<Found, 'name' | 'values'>, subject: string): string {
    return withoutSecrets(texts(options.locale())(`alert.${name}`, { subject, ...values }), options.secrets)
  }

  function messageOf(state: WebhookAlert['state'], { name, subject, text, since }: Told): WebhookAlert {
    const said = state === 'over' ? texts(options.locale())('alert.over', { text }) : text
    const id = createHash('sha256').update([name, subject, since.toISOString()].join('\n')).digest('hex').slice(0, 32)
    return { id, state, alert: name, subject, since: since.toISOString(), bot: options.bot(), text: said, content: said }
  }

  /** Returns whether it was told. */
  async function tell(target: Target, alert: WebhookAlert, signal: AbortSignal): Promise<boolean> {
    try {
      await target.tell(alert, signal)
      hasFailed = false
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (!hasFailed) log.warn(`could not send an alert to ${target.name}: ${reason(error)}`)
      hasFailed = true
      return false
    }
  }

  async function begin(row: AlertRow, signal: AbortSignal): Promise<void> {
    for (const target of options.targets()) {
      if (!target.reaches(row) || row.told.includes(target.name) || !(await rows.mark(row, target.name, true))) continue
      if (!(await tell(target, messageOf('began', row), signal))) await rows.mark(row, target.name, false)
    }
  }

  async function end(row: AlertRow, signal: AbortSignal): Promise<void> {
    const isLate = clock.now() - row.seen.getTime() > TOO_LATE
    let left = 0
    for (const target of options.targets()) {
      if (isLate || !row.told.includes(target.name) || !(await rows.mark(row, target.name, false))) continue
      if (await tell(target, messageOf('over', row), signal)) continue
      await rows.mark(row, target.name, true)
      left++
    }
    if (left === 0) await rows.remove(row)
  }

  async function whileAway(why: string, signal: AbortSignal): Promise<void> {
    away ??= { since: new Date(clock.now()), text: textOf({ name: 'database', values: { why } }, ''), told: new Set() }
    const state = { ...away, name: 'database' as const, subject: '' }
    if (clock.now() - away.since.getTime() < STATES.database.holdMs) return
    for (const target of options.targets())
      if (target.reaches(state) && !away.told.has(target.name) && (await tell(target, messageOf('began', state), signal)))
        away.told.add(target.name)
  }

  async function back(signal: AbortSignal): Promise<void> {
    if (!away) return
    const state = { ...away, name: 'database' as const, subject: '' }
    away = undefined
    for (const target of options.targets()) if (state.told.has(target.name)) await tell(target, messageOf('over', state), signal)
  }

  return {
    async round(signal) {
      const why = await options.unready()
      if (why !== undefined) return whileAway(why, signal)
      await back(signal)
      const now = new Date(clock.now())
      for (const { name, subject, values } of await options.find())
        await rows.found({ name, subject, text: textOf({ name, values }, subject) }, now)
      for (const row of await rows.all()) {
        signal.throwIfAborted()
        const state = STATES[row.name]
        const isOver = !state || now.getTime() - row.seen.getTime() >= OVER_AFTER
        if (isOver) await end(row, signal)
        else if (row.seen.getTime() - row.since.getTime() >= state.holdMs) await begin(row, signal)
      }
    },

    async test(signal) {
      const test = { name: 'test', subject: '', text: texts(options.locale())('alert.test'), since: new Date(clock.now()) }
      return Promise.all(
        options.targets().map(async target => {
          const why = await target.tell(messageOf('test', test), signal).then(
            () => undefined,
            error => reason(error),
          )
          return { target: target.name, ...(why !== undefined && { problem: why }) }
        }),
      )
    },
  }
}

type Told = Pick<AlertRow, 'subject' | 'text' | 'since'> & { readonly name: string }
