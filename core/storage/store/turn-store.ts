/**
 * The turns that wait and run. The row of a conversation is the place of its turns in the queue: at most one waits, because there is
 * one row, and at most one runs, because a process leases the row for it. docs/pipeline.md draws the states.
 */
import type { DecisionToSpeak } from '../../api/index.ts'
import type { TurnState } from './store.ts'

/** When a message gets its turn. */
export interface Wait {
  readonly due: Date
  /** The latest time to which further messages move that. */
  readonly latest: Date
  /** True: the message addresses the bot. Its turn comes before others, and no message moves it. */
  readonly urgent: boolean
  /** The factor of the waits of the turn: see `Pacing.vary`. */
  readonly vary: number
  /** It moves a waiting turn only where the bot was not called and has not spoken since then. */
  readonly movesSince: Date
}

/** A decision to speak at a time (in milliseconds since the epoch), for the batch that ends with `lastSeq`. */
export interface Delayed {
  readonly decision: DecisionToSpeak
  readonly lastSeq: number
  readonly at: number
}

/** A turn that is to be taken. */
export interface NextTurn {
  readonly at: number
  /** See {@link Wait.latest}. Absent: messages do not move it. */
  readonly latest?: number
  readonly vary: number
  readonly delayed?: Delayed
  /** True: a call waits for it. It comes before turns for which nobody waits. */
  readonly urgent?: boolean
}

/** A turn that this process takes. */
export interface LeasedTurn {
  readonly conversation: string
  readonly vary: number
  readonly delayed?: Delayed
  /** The number of times that the turn has failed. */
  readonly attempts: number
  /** The data of the conversation at the time of the lease. */
  readonly state: TurnState
}

/** A turn that has ended here. */
export interface EndedTurn {
  readonly conversation: string
  readonly next?: NextTurn
  /** The number of failures, if it failed. */
  readonly attempts: number
  /** Why it failed, without words of people. */
  readonly failure?: string
  /** True: it is not tried again. */
  readonly isGivenUp?: boolean
}

export interface Exchange {
  readonly now: Date
  /** The id of this process. */
  readonly by: string
  /** Turns that have ended. Their leases end. */
  readonly ended: readonly EndedTurn[]
  /** The conversations whose turns run here, the ended ones included. */
  readonly running: readonly string[]
  /** The largest number of turns to lease. */
  readonly limit: number
  /** Working memory: see {@link Store.loadTurn}. */
  readonly memory: { readonly size: number; readonly since: Date }
}

export interface Exchanged {
  /** The most urgent first. */
  readonly leased: readonly LeasedTurn[]
  /** The turn that is due next and runs nowhere. */
  readonly next?: { readonly conversation: string; readonly at: Date }
}

export interface WaitingTurn {
  readonly conversation: string
  readonly at: Date
  readonly vary: number
  readonly delayed?: Delayed
}

export interface WhichTurns {
  /** Of this conversation. A delayed answer that is being made counts too. */
  readonly in?: string
  /** Of this channel and its threads. */
  readonly under?: string
  /** True: only delayed answers. */
  readonly delayed?: boolean
  readonly limit: number
}

export interface TurnCounts {
  readonly due: number
  readonly later: number
  /** Turns that run, or that a dead process has left. */
  readonly active: number
  readonly next?: Date
}

/** `turn` among the failed jobs: see `FailedJobs`. */
export interface TurnFailures {
  readonly retrying: number
  readonly deadLetters: number
  readonly last?: Date
  readonly why?: string
}

export interface TurnStore {
  /** Ends leases, and leases turns that are due. */
  exchange(exchange: Exchange): Promise<Exchanged>
  /** Reports that turns still run here. */
  renew(by: string, conversations: readonly string[]): Promise<void>
  /**
   * Schedules a turn of a known conversation. Returns when its turn is due then.
   * @param how `sooner`: unless one waits that is due earlier; `instead`: in the place of one that waits, with its delayed answer
   */
  schedule(conversation: string, turn: NextTurn, how: 'sooner' | 'instead'): Promise<Date | undefined>
  /** Turns that wait, soonest first. */
  waiting(which: WhichTurns): Promise<readonly WaitingTurn[]>
  counts(now: Date): Promise<TurnCounts>
  /** Failures of turns that are tried again, and those of turns given up after `since`. */
  failures(since: Date): Promise<TurnFailures>
  /** Drops the delayed answers for which `holds` is true. Their batches are judged again. */
  dropDelayed(holds: (delayed: Delayed) => boolean): Promise<void>
}

/** How long a process keeps a lease without a sign of life. */
export const LEASE_MS = 10_000

/** The wait of messages that are recorded together, in their order. */
export function togetherOf(waits: readonly Wait[]): Wait | undefined {
  return waits.reduce<Wait | undefined>((before, wait) => before && after(before, wait), waits[0])
}

/**
 * What a message makes of a wait, as `kikimimi.due_after` in SQL.
 *
 * @param engagedAt when the bot was called or spoke
 */
export function after(
  before: Pick<Wait, 'due' | 'urgent'> & { readonly latest?: Date },
  wait: Wait,
  engagedAt: Date = wait.movesSince,
): Wait {
  const urgent = before.urgent || wait.urgent
  const isFixed = urgent || !before.latest || engagedAt > wait.movesSince
  const latest = before.latest ?? wait.latest
  return { ...wait, urgent, latest, due: earlier(wait.due, isFixed ? before.due : latest) }
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other
}
