import { setTimeout as pause } from 'node:timers/promises'
import { on } from '../../base/databases.ts'
import { latency, progress } from '../../base/measure.ts'
import type { State } from './messages.ts'
import { openPlace, type Place } from './place.ts'
import { readLater, recorded, until } from './recorded.ts'

export interface Load {
  readonly perSecond: number
  readonly seconds: number
  readonly channels: number
  readonly loud: boolean
  readonly awaySeconds: number
  readonly stillSeconds: number
  readonly laterSeconds: number
}

/** Questions a second, of all messages. */
const ASKS_PER_SECOND = 10
const QUIET_CHANNELS = 100
/** Messages a second in all quiet channels together. */
const QUIET_PER_SECOND = 50
const LOOK_MS = 2_000
/** Milliseconds until the last messages of the flood have an outcome. */
const SETTLE_MS = 120_000

export async function measured(database: string, load: Load) {
  const { awaySeconds, laterSeconds, loud, seconds, stillSeconds } = load
  const states: State[] = []
  let unreadMb = 0
  const mistakes: string[] = []
  let told: Awaited<ReturnType<typeof talk>>
  let acknowledged: number[]
  {
    await using place = await openPlace(database)
    const watch = async () => {
      states.push(await place.state())
      unreadMb = Math.max(unreadMb, place.unreadMb)
    }
    await watch()
    const flooding = talk(place, load)
    let over = false
    const locking = awaySeconds > 0 ? lockedTables(database, (seconds * 1_000) / 3, awaySeconds) : undefined
    const standing =
      stillSeconds > 0 ? pause((seconds * 1_000) / 3).then(() => place.standStill(stillSeconds * 1_000)) : undefined
    void flooding.finally(() => {
      over = true
    })
    while (!over && !place.exited) {
      await Promise.race([pause(LOOK_MS), flooding])
      await Promise.race([watch(), pause(30_000)])
    }
    told = await flooding
    await Promise.all([locking, standing])
    await until(() => place.exited || told.ids().every(id => place.fate(id) !== 'waiting'), SETTLE_MS)
    await watch()
    progress('the flood is over')
    const flood = outcomes(place, told.ids())
    const recordedAtOnce = place.exited ? 0 : flood.taken
    acknowledged = told.ids().filter(id => place.fate(id) === 'taken')
    const answeredBy = (id: number) =>
      (place.questions.get(id)?.answered ?? Number.POSITIVE_INFINITY) - (place.questions.get(id)?.at ?? 0)
    await until(() => [...place.questions.values()].every(({ answered }) => answered !== undefined), 30_000)
    // Shed messages are read when it is calm.
    const begun = Date.now()
    const left = async () => (flood.shed > 0 ? place.sent - (await count(database)) : 0)
    const isServer = database.startsWith('postgres')
    if (isServer) while ((await left()) > 0 && Date.now() - begun < laterSeconds * 1_000) await pause(1_000)
    else if (flood.shed > 0) await readLater(async () => (await place.state()).metrics, begun + laterSeconds * 1_000)
    const laterSecondsTaken = Math.round((Date.now() - begun) / 1_000)
    await watch()
    const asked = [...place.questions.keys()]
    const times = asked.map(answeredBy).filter(Number.isFinite)
    const last = states.at(-1)
    const quiet = loud ? outcomes(place, told.quiet) : undefined
    const result = {
      sent: place.sent,
      ...{ flood, recordedPerSecond: Math.round(recordedAtOnce / seconds) },
      ...(quiet && { quiet }),
      calls: { asked: asked.length, answered: times.length, ...outcomes(place, asked), ms: latency(times) },
      unasked: place.unasked,
      memoryMb: {
        start: states[0]?.rss,
        rss: Math.max(...states.map(({ rss }) => rss)),
        peak: last?.peak,
        heap: Math.max(...states.map(({ heap }) => heap)),
      },
      delayMs: {
        p50: Math.max(...states.map(({ delay }) => delay.p50)),
        p99: Math.max(...states.map(({ delay }) => delay.p99)),
        max: Math.max(...states.map(({ delay }) => delay.max)),
      },
      unreadMb,
      laterSeconds: laterSecondsTaken,
      metrics: (last?.metrics ?? '').split('\n').filter(line => /^kikimimi_(shed|messages|dropped|lost|read_later)/.test(line)),
    }
    if (place.exited) mistakes.push('the bot ended')
    if (flood.waiting > 0) mistakes.push(`${flood.waiting} messages have no outcome`)
    if (times.length < asked.length) mistakes.push(`${asked.length - times.length} calls have no answer`)
    if (quiet && quiet.taken < told.quiet.length) mistakes.push('the quiet channels lost messages')
    await place[Symbol.asyncDispose]()
    const ids = await recorded(database)
    const lost = acknowledged.filter(id => !ids.has(String(id))).length
    if (lost > 0) mistakes.push(`${lost} acknowledged messages are not recorded`)
    return { ...result, recordedInTheEnd: ids.size, acknowledgedAndLost: lost, mistakes }
  }
}

function outcomes(place: Place, ids: readonly number[]) {
  const counts = { taken: 0, shed: 0, refused: 0, waiting: 0 }
  for (const id of ids) counts[place.fate(id)]++
  return counts
}

/** Each message is sent when it is due, whatever became of the others. */
async function talk(place: Place, { perSecond, seconds, channels, loud }: Load) {
  const start = performance.now()
  const quiet: number[] = []
  const total = perSecond * seconds
  let index = 0
  let quietOnes = 0
  while (index < total && !place.exited) {
    const passed = performance.now() - start
    for (const due = Math.min(total, Math.floor((passed * perSecond) / 1_000)); index < due; index++) {
      const asks = index % Math.round(perSecond / ASKS_PER_SECOND) === 0
      // Calls of one channel wait for each other, so they come from all channels.
      place.say(loud && !asks ? 0 : 1 + Math.floor(Math.random() * (loud ? QUIET_CHANNELS : channels)), asks)
    }
    if (loud) {
      for (const due = Math.floor((passed * QUIET_PER_SECOND) / 1_000); quietOnes < due; quietOnes++) {
        quiet.push(place.sent)
        place.say(1 + (quietOnes % QUIET_CHANNELS), false)
      }
    }
    await pause(5)
  }
  return { quiet, ids: () => Array.from({ length: place.sent }, (_, id) => id) }
}

const count = (database: string) =>
  on(database, async db => {
    const { rows } = await db.query<{ n: number }>('select count(*)::int as n from kikimimi.message where not own')
    return rows[0]?.n ?? 0
  })

/** Locks the messages, as a long maintenance of the database would. */
async function lockedTables(database: string, afterMs: number, seconds: number): Promise<void> {
  await pause(afterMs)
  progress(`the messages are locked for ${seconds} s`)
  await on(database, db =>
    db.transaction(async () => {
      await db.script('lock table kikimimi.message')
      await pause(seconds * 1_000)
    }),
  )
}
