import type { TurnState } from './store.ts'
import {
  after,
  type Delayed,
  type Exchange,
  type LeasedTurn,
  type TurnFailures,
  type TurnStore,
  type Wait,
  type WaitingTurn,
} from './turn-store.ts'

/** The turns of one conversation, as in the columns of `kikimimi.conversation`. */
interface KeptTurn {
  dueAt?: Date
  latest?: Date
  urgent: boolean
  vary: number
  delayed?: Delayed
  isLeased: boolean
  attempts: number
  failure?: string
  failedAt?: Date
}

export interface MemoryTurns extends TurnStore {
  /** A message waits for a turn. Returns when that is due. @param engagedAt when the bot was called or spoke there */
  wait(conversation: string, wait: Wait, engagedAt: Date | undefined): Date
}

/** @param load the data of a conversation; nothing when it is unknown */
export function createMemoryTurns(
  load: (conversation: string, memory: Exchange['memory']) => TurnState | undefined,
): MemoryTurns {
  const turns = new Map<string, KeptTurn>()
  const turnOf = (id: string) => turns.get(id) ?? { urgent: false, vary: 1, isLeased: false, attempts: 0 }

  function put(id: string, turn: KeptTurn): void {
    const isOver = !turn.dueAt && !turn.isLeased && turn.attempts === 0 && !turn.failedAt
    if (isOver) turns.delete(id)
    else turns.set(id, turn)
  }

  function release({ conversation, next, attempts, failure, isGivenUp }: Exchange['ended'][number], now: Date): void {
    const { delayed: _, failure: __, failedAt, ...turn } = turnOf(conversation)
    if (!turn.isLeased) return
    const isFree = !turn.dueAt
    const latest = turn.latest ?? dateOf(next?.latest)
    put(conversation, {
      ...turn,
      isLeased: false,
      attempts,
      ...(next && soonest(turn.dueAt, new Date(next.at))),
      ...(latest && { latest }),
      urgent: turn.urgent || next?.urgent === true,
      ...(isFree && next && { vary: next.vary }),
      ...(isFree && next?.delayed && { delayed: next.delayed }),
      ...(failure !== undefined && { failure, ...(failedAt && { failedAt }) }),
      ...(isGivenUp && { failedAt: now }),
    })
  }

  return {
    wait(id, wait, engagedAt) {
      const turn = turnOf(id)
      const { dueAt, latest, urgent } = turn
      const {
        due,
        movesSince: _,
        ...rest
      } = dueAt ? after({ due: dueAt, urgent, ...(latest && { latest }) }, wait, engagedAt) : wait
      put(id, { ...turn, ...rest, dueAt: due })
      return due
    },

    async exchange({ now, ended, running, limit, memory }) {
      for (const one of ended) release(one, now)
      const [at, here] = [now.getTime(), new Set(running)]
      const free: [string, KeptTurn][] = []
      // `forEach` makes no pair of each turn, of which few are due.
      turns.forEach((turn, id) => {
        const isDue = turn.dueAt !== undefined && turn.dueAt.getTime() <= at
        if (turn.isLeased ? !here.has(id) : isDue) free.push([id, turn])
      })
      free.sort(([, one], [, other]) => Number(other.urgent) - Number(one.urgent) || timeOf(one) - timeOf(other))
      const leased = free.slice(0, limit).flatMap(([conversation, turn]): LeasedTurn[] => {
        const { dueAt: _, latest: __, ...kept } = turn
        const state = load(conversation, memory)
        if (!state) turns.delete(conversation)
        if (!state) return []
        const attempts = turn.attempts + Number(turn.isLeased)
        put(conversation, { ...kept, urgent: false, isLeased: true, attempts })
        return [{ conversation, vary: turn.vary, attempts, state, ...(turn.delayed && { delayed: turn.delayed }) }]
      })
      let next: { conversation: string; at: Date } | undefined
      for (const [conversation, { dueAt, isLeased }] of turns)
        if (dueAt && !isLeased && (!next || dueAt.getTime() < next.at.getTime())) next = { conversation, at: dueAt }
      return { leased, ...(next && { next }) }
    },

    async renew() {},

    async schedule(id, { at, latest, vary, delayed, urgent = false }, how) {
      const turn = turnOf(id)
      if (!load(id, { size: 0, since: new Date(0) })) return undefined
      const isSooner = how === 'sooner' && turn.dueAt !== undefined && turn.dueAt.getTime() <= at
      const until = dateOf(latest)
      if (how === 'instead') {
        const { delayed: _, latest: __, ...rest } = turn
        put(id, { ...rest, dueAt: new Date(at), vary, urgent, ...(delayed && { delayed }), ...(until && { latest: until }) })
      } else {
        const change = isSooner ? {} : { dueAt: new Date(at), vary }
        const kept = { ...(until && { latest: until }), ...(delayed && { delayed }) }
        put(id, { ...kept, ...turn, ...change, urgent: turn.urgent || urgent })
      }
      return turns.get(id)?.dueAt
    },

    async waiting({ in: only, under, delayed: isDelayed = false, limit }) {
      return [...turns]
        .flatMap(([conversation, { dueAt, vary, delayed, isLeased }]): WaitingTurn[] => {
          const at = dueAt ?? (only !== undefined && isLeased ? dateOf(delayed?.at) : undefined)
          return at ? [{ conversation, at, vary, ...(delayed && { delayed }) }] : []
        })
        .filter(({ conversation }) => only === undefined || conversation === only)
        .filter(({ conversation: id }) => under === undefined || id === under || id.startsWith(`${under}/`))
        .filter(({ delayed }) => !isDelayed || delayed)
        .sort((one, other) => one.at.getTime() - other.at.getTime() || (one.conversation < other.conversation ? -1 : 1))
        .slice(0, limit)
    },

    async counts(now) {
      const at = now.getTime()
      let [due, later, active, next] = [0, 0, 0, Number.POSITIVE_INFINITY]
      for (const { dueAt, isLeased } of turns.values()) {
        if (isLeased) active++
        if (dueAt && dueAt.getTime() > at) {
          later++
          next = Math.min(next, dueAt.getTime())
        } else if (dueAt && !isLeased) due++
      }
      return { due, later, active, ...(later > 0 && { next: new Date(next) }) }
    },

    async failures(since): Promise<TurnFailures> {
      const all = [...turns.values()]
      const isGivenUp = ({ failedAt }: KeptTurn) => failedAt !== undefined && failedAt > since
      const dead = all.filter(isGivenUp).sort((one, other) => timeOf(other, 'failedAt') - timeOf(one, 'failedAt'))
      const retrying = all.filter(({ attempts, dueAt }) => attempts > 0 && dueAt)
      const [{ failedAt: last, failure: why } = retrying[0] ?? {}] = dead
      return {
        retrying: retrying.length,
        deadLetters: dead.length,
        ...(last && dead.length > 0 && { last }),
        ...(why !== undefined && { why }),
      }
    },

    async dropDelayed(holds) {
      for (const turn of turns.values()) if (turn.delayed && holds(turn.delayed)) delete turn.delayed
    },
  }
}

const timeOf = (turn: KeptTurn, which: 'dueAt' | 'failedAt' = 'dueAt') => turn[which]?.getTime() ?? 0
const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms))
const soonest = (one: Date | undefined, other: Date) => ({ dueAt: one && one < other ? one : other })
