/**
 * Whether the bot can record messages now. The one place that knows it: the check for readiness asks here, messages wait here, and an
 * outage is two lines in the log, at its beginning and at its end.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Clock, sleep, systemClock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { OpenDatabase } from './open-database.ts'
import { codeOf, isAway, isLocked, isSilent, NO_ANSWER, needsPerson, origin } from './unavailable.ts'

export interface Availability {
  /** Why the bot cannot record now, in words; nothing when it can. Many callers cost one statement a second. */
  unready(): Promise<string | undefined>
  /** Whether a call failed, or was late, because the database is unavailable. */
  isAway(error: unknown): boolean
  /** Whether a warning only repeats why the database is unavailable. */
  repeats(warning: string): boolean
  /** Counts a message until it is recorded. */
  counted<T>(recording: Promise<T>): Promise<T>
}

export interface AvailabilityOptions {
  readonly db: OpenDatabase | undefined
  readonly clock: Clock
  readonly log: Logger
  readonly scope: AsyncDisposableStack
  /** Runs when the database is broken for good. */
  fail(error: Error): void
}

interface Problem {
  readonly what: string
  /** It lasts until a person acts. */
  readonly needsPerson?: boolean
}

/** Milliseconds that an answer is used. */
const FRESH_MS = 1_000
/** Milliseconds for an answer. */
const DEADLINE_MS = 2_000
/** Milliseconds within which a lost connection fails a statement. */
const AT_ONCE_MS = 500
const PAUSE_MS = 20
/** Milliseconds after which a message that waits is a problem. */
const OLDEST_MS = 4_000
/** Milliseconds without a failure after which an outage has ended. */
const STABLE_MS = 5_000
/** Milliseconds that a failure of a statement counts, though the check succeeds: a full disk still takes small rows. */
const EVIDENCE_MS = 3_000
/** Milliseconds without notifications that are no problem: a lost connection is opened again at once. */
const DEAF_MS = 5_000
/** Reasons of calls that waited for a statement: of a plugin in a stage, and of a setting. */
const GENERAL = [NO_ANSWER, 'no answer within']
/** Texts of failures that are remembered during an outage. */
const REASONS = 100

function problemOf(error: unknown): Problem {
  const lasting = needsPerson(error)
  const state = lasting ?? (isLocked(error) ? 'another session locks its tables' : isSilent(error) && 'it cannot be reached')
  const why = origin(error).message || reason(error)
  return { what: state ? `${state} (${why})` : why, needsPerson: lasting !== undefined }
}

/** What the log tells. `lost`: connections broke, and new ones work. */
type State = 'unavailable' | 'lost' | 'deaf'

const BEGINS = {
  unavailable: what => `the database is unavailable: ${what}. New messages wait for up to five minutes`,
  lost: what => `lost connections to the database, and opened new ones: ${what}`,
  deaf: what => `the database sends no notifications: ${what}`,
} satisfies Record<State, (what: string) => string>

const ENDS = {
  unavailable: (after, kept) => `the database is available again after ${after}; ${kept} messages have waited`,
  lost: after => `the connections to the database last again, after ${after}`,
  deaf: after => `the database sends notifications again after ${after}`,
} satisfies Record<State, (after: string, kept: number) => string>

const now = () => performance.now()
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** Times are those of the machine, not of the bot's clock: the database is another machine. */
export function createAvailability({ db, clock, log, scope, fail }: AvailabilityOptions): Availability {
  /** When each message that is not recorded yet began to wait, the oldest first. */
  const waiting = new Set<{ readonly since: number }>()
  let reasons = new Set(GENERAL)
  const closed = new AbortController()
  // A failure can be told inside of the transaction that failed, which takes no more statements.
  const outside = AsyncLocalStorage.snapshot()
  let asking: { readonly since: number; readonly answer: Promise<Problem | undefined> } | undefined
  let latest: { readonly at: number; readonly problem: Problem | undefined } | undefined
  let failed: { readonly at: number; readonly problem: Problem } | undefined
  let isSuspect = false
  let isBad = false
  /** Messages that an outage has kept waiting. */
  let kept = 0
  let timer: NodeJS.Timeout | undefined

  function onFailure(error: unknown): void {
    if (error instanceof KikimimiError && error.code === 'DATABASE_BROKEN') fail(error)
    if (!isAway(error)) return
    failed = { at: now(), problem: problemOf(error) }
    latest = undefined
    if (reasons.size < REASONS) for (const text of [reason(error), codeOf(error)]) if (text) reasons.add(text)
    suspect()
  }

  async function write(): Promise<Problem | undefined> {
    const unusable = db?.kind === 'pglite' ? await db.unusable() : undefined
    if (unusable !== undefined) return { what: unusable, needsPerson: true }
    for (const until = now() + AT_ONCE_MS; ; ) {
      try {
        await db?.query('select kikimimi.beat($1)', [new Date(clock.now())])
        return undefined
      } catch (error) {
        // A connection that was cut says nothing about the server. After all others that were cut, too, the next one is new.
        if (!isSilent(error) || now() > until) throw error
      }
      await sleep(systemClock, PAUSE_MS, closed.signal)
    }
  }

  /** One statement at a time: one that gets no answer is not followed by others. */
  async function ask(): Promise<Problem | undefined> {
    if (!asking && latest && now() - latest.at < FRESH_MS) return latest.problem
    asking ??= {
      since: now(),
      answer: outside(write)
        .catch(problemOf)
        .then(problem => {
          asking = undefined
          latest = { at: now(), problem }
          return problem
        }),
    }
    const { since, answer } = asking
    const late = () => new KikimimiError('DATABASE_UNREACHABLE', NO_ANSWER)
    const ms = Math.max(0, DEADLINE_MS - (now() - since))
    const silence = () => ({ what: `no answer for ${seconds(now() - since)}` })
    return withTimeout({ clock: systemClock, ms, late }, () => answer).catch(silence)
  }

  function stuck(): Problem | undefined {
    const [oldest] = waiting
    const age = oldest ? now() - oldest.since : 0
    if (age < OLDEST_MS) return undefined
    const why = failed && now() - failed.at < EVIDENCE_MS ? `: ${failed.problem.what}` : ''
    return { what: `${waiting.size} messages wait to be recorded, the oldest for ${seconds(age)}${why}` }
  }

  async function problem(): Promise<Problem | undefined> {
    const evident = () => (failed?.problem.needsPerson && now() - failed.at < EVIDENCE_MS ? failed.problem : undefined)
    return (await ask()) ?? evident() ?? stuck()
  }

  function suspect(): void {
    if (isSuspect || closed.signal.aborted) return
    isSuspect = true
    outside(follow)
      .catch(() => {})
      .finally(() => {
        isSuspect = false
        reasons = new Set(GENERAL)
      })
  }

  /** From the first failure until there was none for a while: a line when it begins, and a line when it ends. */
  async function follow(): Promise<void> {
    const since = now()
    let state: State | undefined
    let isPersonTold = false
    let well = since
    for (;;) {
      const bad = await problem()
      const deaf = bad ? undefined : deafness()
      if (bad || deaf !== undefined) well = Number.POSITIVE_INFINITY
      else well = Math.max(Math.min(well, now()), failed?.at ?? 0)
      isBad = bad !== undefined
      // A message that waited too long is recorded meanwhile.
      if (!state && !bad && deaf === undefined && (failed?.at ?? Number.NEGATIVE_INFINITY) < since - FRESH_MS) return
      if (!state || (state === 'lost' && bad) || (bad?.needsPerson && !isPersonTold)) {
        isPersonTold = bad?.needsPerson === true
        if (state !== 'unavailable') kept = waiting.size
        state = bad ? 'unavailable' : deaf === undefined ? 'lost' : 'deaf'
        const level = bad?.needsPerson ? 'error' : 'warn'
        log[level](BEGINS[state](bad?.what ?? deaf ?? failed?.problem.what ?? NO_ANSWER))
      }
      if (now() - well >= STABLE_MS) {
        // As visible as the first line: a terminal hides `info`. Connections that were lost once need no second line.
        if (state !== 'lost' || well - since >= STABLE_MS) log.warn(ENDS[state](seconds(well - since), kept))
        return
      }
      await sleep(systemClock, FRESH_MS, closed.signal)
    }
  }

  function deafness(): string | undefined {
    const deaf = db?.kind === 'postgres' ? db.deaf : undefined
    return deaf && now() - deaf.since > DEAF_MS ? deaf.why : undefined
  }

  /** A statement that waits for a lock does not fail. */
  function watchOldest(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      if (stuck()) suspect()
      if (waiting.size > 0) watchOldest()
    }, OLDEST_MS).unref()
  }

  if (db) {
    db.onFailure = onFailure
    scope.defer(() => {
      db.onFailure = () => {}
    })
  }
  scope.defer(() => {
    closed.abort()
    clearTimeout(timer)
  })

  return {
    async unready() {
      const bad = await problem()
      if (bad) suspect()
      return bad && `database: ${bad.what}`
    },

    isAway: error => isAway(error) || (isSuspect && error instanceof KikimimiError && error.code === 'STAGE_TIMEOUT'),

    repeats: warning => isSuspect && [...reasons].some(one => warning.includes(one)),

    async counted(recording) {
      const one = { since: now() }
      waiting.add(one)
      if (isBad) kept++
      watchOldest()
      try {
        return await recording
      } finally {
        waiting.delete(one)
      }
    },
  }
}
