/**
 * Admission control: how many arriving messages may wait, which of them is next, and which are refused.
 * Every kind of message has its own room. A channel may use a share of the room that is free: the fuller the room, the less, and a quiet
 * channel always finds a place that a loud one cannot take (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
 * switches", 1998). Calls begin at once. Of the others the channels take turns.
 */

import type { ArrivalKind, Slot } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'

export interface Admission {
  /** A place for a message. Nothing when there is no room. @param length the number of characters of its text */
  enter(channel: string, kind: ArrivalKind, length?: number): Slot | undefined
  /** When the oldest message arrived that is not recorded yet, in milliseconds since the epoch. */
  readonly waitingSince: number | undefined
}

export interface AdmissionOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Largest number of waiting messages of each kind. A long message counts as several. */
  readonly room?: Readonly<Record<ArrivalKind, number>>
  /** Largest number of messages whose turn it is, calls not counted. */
  readonly atOnce?: number
}

/** A message with its closures takes 2 to 20 KB, so a full room takes some 30 MB. */
const ROOM = { call: 1_000, talk: 4_000, change: 1_000 }

/** A message counts once for so many characters, which the batch that is recorded holds several times. */
const CHARACTERS = 1_000

/** Two batches of the recorder: one is written while the next is filtered. */
const AT_ONCE = 400

/** The part of the free room that one channel may use. */
const SHARE = 1 / 8

interface Waiting {
  readonly arrivedAt: number
}

interface Turn {
  state: 'waiting' | 'begun' | 'over'
  /** While it waits for others. */
  begins?: PromiseWithResolvers<void>
}

export function createAdmission({ clock, room = ROOM, atOnce = AT_ONCE }: AdmissionOptions): Admission {
  /** By arrival. */
  const present = new Set<Waiting>()
  const used = { call: 0, talk: 0, change: 0 }
  /** By channel. */
  const usedBy = { call: new Map<string, number>(), talk: new Map<string, number>(), change: new Map<string, number>() }
  /** Who waits for a turn, by channel. The first channel is next. */
  const queues = new Map<string, Turn[]>()
  let begun = 0

  function count(channel: string, kind: ArrivalKind, by: number): void {
    const mine = (usedBy[kind].get(channel) ?? 0) + by
    used[kind] += by
    if (mine > 0) usedBy[kind].set(channel, mine)
    else usedBy[kind].delete(channel)
  }

  function next(): void {
    while (begun < atOnce) {
      const [first] = queues
      if (!first) return
      const [channel, turns] = first
      const turn = turns.shift()
      queues.delete(channel)
      if (turns.length > 0) queues.set(channel, turns)
      if (turn) start(turn)
    }
  }

  function start(turn: Turn): void {
    if (turn.state === 'waiting') {
      turn.state = 'begun'
      begun++
    }
    turn.begins?.resolve()
  }

  function queue(channel: string, turn: Turn): Promise<void> {
    if (turn.begins) return turn.begins.promise
    turn.begins = Promise.withResolvers<void>()
    const turns = queues.get(channel)
    if (turns) turns.push(turn)
    else queues.set(channel, [turn])
    next()
    return turn.begins.promise
  }

  return {
    enter(channel, kind, length = 0) {
      const free = room[kind] - used[kind]
      const size = Math.min(Math.ceil(Math.max(1, length / CHARACTERS)), Math.ceil(room[kind] * SHARE))
      const mine = usedBy[kind].get(channel) ?? 0
      if (size > free || mine >= Math.ceil(free * SHARE)) return undefined
      count(channel, kind, size)
      const one: Waiting = { arrivedAt: clock.now() }
      present.add(one)
      let turn: Turn | undefined
      return {
        async begin() {
          if (kind === 'call' || turn?.state === 'begun') return
          turn ??= { state: 'waiting' }
          if (queues.size === 0 && begun < atOnce) start(turn)
          else await queue(channel, turn)
        },
        [Symbol.dispose]() {
          if (!present.delete(one)) return
          count(channel, kind, -size)
          if (turn?.state === 'begun') begun--
          if (turn) turn.state = 'over'
          next()
        },
      }
    },

    get waitingSince() {
      const [oldest] = present
      return oldest?.arrivedAt
    },
  }
}
