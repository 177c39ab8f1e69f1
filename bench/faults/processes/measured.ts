import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { progress, round } from '../../base/measure.ts'
import { benchLog, line } from '../../base/talk.ts'
import { openPlace, type Place, type Question } from './place.ts'

export interface Load {
  /** Of a Postgres server. */
  readonly database: string
  readonly seconds: number
  readonly perSecond: number
  /**
   * The number of kills, evenly spread. After one kill the other process continues alone; after each of several a new one
   * starts.
   */
  readonly kills: number
  /** Whether the platform posts once when one nonce is sent twice. */
  readonly idempotent: boolean
}

const CHANNELS = 200
/** One message in this many mentions the bot. */
const ASKS = 10
/** After this time, the work of a killed process is done or given up. */
const PATIENCE_MS = 120_000
/** How long a kill can affect other messages. */
const FELT_MS = 10_000

export type Measured = Awaited<ReturnType<typeof measured>>

/** Two processes of one bot, some of which are killed. The result: the messages of people, and their answers. */
export async function measured(load: Load) {
  const { database, seconds, perSecond, kills, idempotent } = load
  await using place = openPlace({ database, idempotent, config: 'bench/faults/processes/bot.config.ts' })
  // The first process creates the tables.
  await place.start()
  await place.start()
  const killedAt: number[] = []
  const isOver = (said: number) => said >= seconds * perSecond
  const [messages] = await Promise.all([talk(place, perSecond, isOver), killAll(place, load, killedAt)])
  await settled(place)

  const db = await openDatabase(database, { clock: systemClock, log: benchLog })
  const { rows } = await db
    .query<{ recorded: number }>('select count(*)::int as recorded from kikimimi.message where not own')
    .finally(() => db.close())
  const all = [...place.questions.values()]
  const felt = ({ askedAt, answeredAt: [answered = Number.POSITIVE_INFINITY] }: Question) =>
    killedAt.some(at => answered > at && askedAt < at + FELT_MS)
  const orphans = all.filter(({ orphanedAt, answeredAt }) => orphanedAt !== undefined && answeredAt.length > 0)
  const [first = Number.POSITIVE_INFINITY] = killedAt
  const { told, repeated, unasked } = place.counts
  return {
    ...{ seconds, perSecond, kills, idempotent },
    messages: { said: messages, told, recorded: rows[0]?.recorded ?? 0 },
    questions: {
      asked: all.length,
      answeredOnce: all.filter(({ answeredAt }) => answeredAt.length === 1).length,
      unanswered: all.filter(({ answeredAt }) => answeredAt.length === 0).length,
      answeredTwice: all.filter(({ answeredAt }) => answeredAt.length > 1).length,
      // Sent by a killed process, and again by another: people saw it once.
      repeatedUnseen: repeated,
    },
    unasked,
    latencyMs: {
      before: latencies(all.filter(one => one.askedAt < first && !felt(one))),
      during: latencies(all.filter(felt)),
      after: latencies(all.filter(one => one.askedAt >= first && !felt(one))),
    },
    // Answers in progress at a kill, and the time until another process sent them.
    takenOver: { count: orphans.length, ...spans(orphans.map(({ orphanedAt = 0, answeredAt: [at = 0] }) => at - orphanedAt)) },
  }
}

/**
 * Writes this many messages per second. A person who asks waits for the answer before the next question in that channel. Resolves with
 * the number of messages.
 */
export async function talk(place: Place, perSecond: number, isOver: (said: number) => boolean): Promise<number> {
  const start = performance.now()
  const open = new Map<string, string>()
  let index = 0
  for (;;) {
    const due = Math.floor(((performance.now() - start) * perSecond) / 1_000)
    for (; index < due && !isOver(index); index++) {
      const channel = `channel-${Math.floor(Math.random() * CHANNELS)}`
      const last = place.questions.get(open.get(channel) ?? '')
      const asks = index % ASKS === 0 && (!last || last.answeredAt.length > 0)
      const id = String(index)
      if (asks) open.set(channel, id)
      place.say({ id, channel, text: asks ? `@kiki what about ${id}?` : line(index), asks })
    }
    if (isOver(index)) return index
    await pause(5)
  }
}

async function killAll(place: Place, { seconds, kills }: Load, killedAt: number[]): Promise<void> {
  const interval = (seconds * 1_000) / (kills + 1)
  for (let count = 0; count < kills; count++) {
    // At a random moment.
    const early = kills > 1 ? Math.random() * interval * 0.5 : 0
    await pause(interval - early)
    killedAt.push(await place.kill())
    progress(`killed one after ${Math.round(((count + 1) * interval) / 1_000)} s`)
    if (kills > 1) await Promise.all([place.start(), pause(early)])
  }
}

export async function settled(place: Place): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  const isOver = () => place.untaken === 0 && [...place.questions.values()].every(({ answeredAt }) => answeredAt.length > 0)
  while (!isOver() && performance.now() < deadline) await pause(100)
  // Doubles would arrive now.
  await pause(1_000)
}

function latencies(questions: readonly Question[]) {
  return spans(questions.flatMap(({ askedAt, answeredAt: [at] }) => (at === undefined ? [] : at - askedAt)))
}

/** Milliseconds. */
function spans(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0, 0)
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}
