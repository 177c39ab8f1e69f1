/**
 * A bot that cannot keep up sheds messages: it counts them and does not record them. Catch-up reads them when it is calm, where the
 * platform has a history. The log has one line when shedding begins and one when it ends.
 */
import {
  type Arrival,
  type ArrivalKind,
  conversationId,
  type Overload,
  type PersonaPlace,
  type Platform,
  type Slot,
} from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { Admission } from './admission.ts'

export interface OverloadOptions {
  readonly admission: Admission
  readonly clock: Clock
  readonly log: Logger
  /** The names that people use for the bot in a place. */
  names(place: PersonaPlace): readonly string[]
  /** Counts a shed event. `lost`: it cannot be read later. */
  shed(platform: string, kind: ArrivalKind, lost: boolean): void
}

export interface Shedding extends Disposable {
  /** A place for an event, or why there is none. */
  enter(platform: Platform, arrival: Arrival): Slot | { readonly why: string }
  /** Set while the bot sheds. */
  readonly now: Overload | undefined
  /** Runs for each shed message of a platform with a history. Returns whether the message will be read later. */
  onShed(run: (platform: Platform, arrival: Arrival) => boolean): void
  /** Runs when shedding ends. */
  onCalm(run: () => void): void
}

/** Milliseconds without a shed message until shedding counts as ended. */
export const CALM_MS = 5_000

const LATER = 'shed: more messages arrive than can be recorded. It is read later.'
const LOST = 'shed: more messages arrive than can be recorded. It is lost, because it cannot be read later.'

export function createShedding({ admission, clock, log, names, shed }: OverloadOptions): Shedding {
  const readers: ((platform: Platform, arrival: Arrival) => boolean)[] = []
  const listeners: (() => void)[] = []
  let now: { since: Date; call: number; talk: number; change: number; lost: number } | undefined
  let last = 0
  let timer: unknown

  function kindOf({ kind, text, conversation }: Arrival): ArrivalKind {
    if (kind !== 'talk' || text === undefined) return kind
    const lower = text.toLowerCase()
    return names(conversation).some(name => lower.includes(name.toLowerCase())) ? 'call' : 'talk'
  }

  function count(platform: Platform, arrival: Arrival, kind: ArrivalKind): boolean {
    if (!now) {
      log.warn('more messages arrive than can be recorded: the bot sheds some, and reads them later where it can')
      now = { since: new Date(clock.now()), call: 0, talk: 0, change: 0, lost: 0 }
    }
    const isRead = kind !== 'change' && platform.history !== undefined && readers.some(read => read(platform, arrival))
    now[kind]++
    if (!isRead) now.lost++
    shed(platform.name, kind, !isRead)
    last = clock.now()
    timer ??= clock.setTimeout(end, CALM_MS)
    return isRead
  }

  function end(): void {
    const left = last + CALM_MS - clock.now()
    timer = left > 0 ? clock.setTimeout(end, left) : undefined
    if (timer !== undefined || !now) return
    const { since, ...counts } = now
    log.warn('all messages are recorded again', { seconds: Math.round((last - since.getTime()) / 1_000), ...counts })
    now = undefined
    for (const run of listeners) run()
  }

  return {
    enter(platform, arrival) {
      const kind = kindOf(arrival)
      const { thread: _, ...channel } = arrival.conversation
      const slot = admission.enter(conversationId(channel), kind, arrival.text?.length)
      return slot ?? { why: count(platform, arrival, kind) ? LATER : LOST }
    },

    get now() {
      return now
    },

    onShed: run => void readers.push(run),
    onCalm: run => void listeners.push(run),
    [Symbol.dispose]: () => clock.clearTimeout(timer),
  }
}
