import { setTimeout as sleep } from 'node:timers/promises'
import { flood, latency, offer, progress, round } from '../../base/measure.ts'
import { type BotProcess, startBotProcess } from './bot-process.ts'
import { monotonic, type State } from './messages.ts'
import type { People } from './people.ts'

const WARM_UP = { count: 500, atOnce: 20 }
const STEADY = { count: 9_000, perSecond: 300 }
/** The number of waiting messages is that of a backlog, such as after a lost connection. */
const FLOOD = { count: 10_000, atOnce: 500 }
/** Until the last talk is judged: the default pacing waits 5.2 s at most. */
const JUDGED_MS = 8_000

export type Measured = Awaited<ReturnType<typeof measured>>

/** The load of a bot among these people. */
export async function measured(open: () => Promise<People>, database: string) {
  await using people = await open()
  await using bot = await startBotProcess({ ...people.settings, database })
  const tell = () => told(people, bot)

  const start = await bot.state()
  await flood(WARM_UP, tell)
  await sleep(JUDGED_MS)

  progress(`  ${STEADY.perSecond} a second`)
  const warm = await bot.state()
  const times: number[] = []
  const { perSecond } = await offer(STEADY, async () => times.push(await tell()))
  const loaded = await bot.state()
  const cpuShare = (loaded.cpuMs - warm.cpuMs) / ((STEADY.count * 1_000) / perSecond)
  await sleep(JUDGED_MS)
  const afterSteady = await bot.state()

  progress('  as fast as they are taken')
  const sustained = await flood(FLOOD, tell)
  await sleep(JUDGED_MS)
  const afterFlood = await bot.state()
  return {
    sustainedPerSecond: sustained,
    steady: { perSecond, latencyMs: latency(times), cpuShare: round(cpuShare) },
    answered: people.posted.length,
    memoryMb: { start: memoryOf(start), afterSteady: memoryOf(afterSteady), afterFlood: memoryOf(afterFlood) },
  }
}

/** Sends a message. Returns the milliseconds until it is in the database. */
async function told(people: People, bot: BotProcess): Promise<number> {
  const before = monotonic()
  const id = await people.say()
  return (await bot.recorded(id)) - before
}

function memoryOf({ rssMb, peakMb, heapMb }: State) {
  return { rss: rssMb, peak: peakMb, heap: heapMb }
}
