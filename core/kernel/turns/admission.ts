/**
 * Admission control: how many arriving messages may wait, which of them is next, and which are refused.
 * Every kind of message has its own room. A channel may use a share of the room that is free: the fuller the room, the less, and a quiet
 * channel always finds a place that a loud one cannot take (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
 * switches", 1998). Calls are first, then the channels take turns.
 */

import type { ArrivalKind, Slot } from '../../api/index.ts'

export interface Admission {
  /** A place for a message. Nothing when there is no room. */
  enter(channel: string, kind: ArrivalKind): Slot | undefined
  /** When the oldest message arrived that is not recorded yet, in milliseconds since the epoch. */
  readonly waitingSince: number | undefined
}

export interface AdmissionOptions {
  now(): number
  /** Largest number of waiting messages of each kind. */
  readonly room?: Readonly<Record<ArrivalKind, number>>
  /** Largest number of messages whose turn it is. */
  readonly atOnce?: number
}

/** A message with its closures takes 2 to 20 KB, so a full room takes some 30 MB. */
const ROOM = { call: 1_000, talk: 4_000, change: 1_000 }

/** Two batches of the recorder: one is written while the next is filtered. More only make a call wait. */
const AT_ONCE = 400

/** The part of the free room that one channel may use. */
const SHARE = 1 / 8

interface Waiting {
  readonly arrivedAt: number
}

interface Turn {
  state: 'waiting' | 'begun' | 'over'
  begin(): void
}

export function createAdmission({ now, room = ROOM, atOnce = AT_ONCE }: AdmissionOptions): Admission {
  /** By arrival. */
  const present = new Set<Waiting>()
  const used = { call: 0, talk: 0, change: 0 }
  const usedBy = new Map<string, number>()
  /** Who waits for a turn, by channel. The first channel is next. */
  const calls = new Map<string, Turn[]>()
  const others = new Map<string, Turn[]>()
  let begun = 0

  function count(channel: string, kind: ArrivalKind, by: 1 | -1): void {
    const key = `${kind} ${channel}`
    const mine = (usedBy.get(key) ?? 0) + by
    used[kind] += by
    if (mine > 0) usedBy.set(key, mine)
    else usedBy.delete(key)
  }

  function next(): void {
    while (begun < atOnce) {
      const queues = calls.size > 0 ? calls : others
      const [first] = queues
      if (!first) return
      const [channel, turns] = first
      const turn = turns.shift()
      queues.delete(channel)
      if (turns.length > 0) queues.set(channel, turns)
      if (turn?.state === 'waiting') begun++
      turn?.begin()
    }
  }

  function queue(channel: string, kind: ArrivalKind): Turn & { readonly promise: Promise<void> } {
    const queues = kind === 'call' ? calls : others
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn: Turn & { readonly promise: Promise<void> } = {
      promise,
      state: 'waiting',
      begin() {
        if (turn.state === 'waiting') turn.state = 'begun'
        resolve()
      },
    }
    const turns = queues.get(channel)
    if (turns) turns.push(turn)
    else queues.set(channel, [turn])
    next()
    return turn
  }

  return {
    enter(channel, kind) {
      const mine = usedBy.get(`${kind} ${channel}`) ?? 0
      if (mine >= Math.ceil((room[kind] - used[kind]) * SHARE)) return undefined
      count(channel, kind, 1)
      const one: Waiting = { arrivedAt: now() }
      present.add(one)
      let turn: ReturnType<typeof queue> | undefined
      return {
        begin() {
          turn ??= queue(channel, kind)
          return turn.promise
        },
        [Symbol.dispose]() {
          if (!present.delete(one)) return
          count(channel, kind, -1)
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
