/** Messages that the bot hears and keeps to itself: what they cost with a database, statement by statement. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import judgeRules from '@kikimimi/judge-rules'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { openDatabase } from '../core/database.ts'
import { inFolder, onServer } from './databases.ts'
import { flood, offer, progress, round } from './measure.ts'
import { benchLog, deafPlatform, said } from './talk.ts'

const IDLE_MS = 10_000

/** As many as are handed in, as fast as they are taken. */
const FLOOD = { count: 10_000, channels: 50, atOnce: 50 }

/** Talks of 20 messages, 10 a second in each of 50 channels at a time; then those are silent for 6 seconds. */
const BURSTS = { count: 10_000, perSecond: 500, channels: 200, talking: 50, talk: 20 }

/** One message in each channel, so that each is judged alone. */
const SPARSE = { count: 100, perSecond: 10 }

export const withPglite = () => inFolder(measured)
export const withPostgres = (server: string) => onServer(server, measured)

async function measured(target: string) {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase(target, { clock: systemClock, log: benchLog }), opened => opened.close())
  const platform = deafPlatform()
  let turns = 0
  const countTurns = definePlugin({ name: 'count-turns', setup: () => ({ after: () => void turns++ }) })
  const bot = await startBot(
    { persona: { name: 'kiki' }, plugins: [judgeRules(), countTurns()] },
    { db, platforms: [platform], env: {}, log: benchLog },
  )
  scope.defer(() => bot.stop())
  let count = 0
  const say = (channel: string) => bot.receive(platform, said(count++, channel))

  progress(`${db.kind}: idle`)
  const before = db.statements
  await sleep(IDLE_MS)
  const idlePerSecond = ((db.statements - before) * 1_000) / IDLE_MS

  /** What `run` and every turn it leads to cost. */
  async function cost<T>(messages: number, run: () => Promise<T>) {
    const start = { turns, statements: db.statements, cpu: process.cpuUsage(), at: performance.now() }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const load = await run()
    await allTurnsTaken()
    delay.disable()
    const seconds = (performance.now() - start.at) / 1_000
    const { user, system } = process.cpuUsage(start.cpu)
    const statements = db.statements - start.statements
    return {
      messages,
      load,
      turns: turns - start.turns,
      seconds: round(seconds, 1),
      statementsPerMessage: round(statements / messages),
      withoutPolling: round(Math.max(0, statements - idlePerSecond * seconds) / messages),
      cpuShare: round((user + system) / 1e6 / seconds),
      eventLoopDelayMs: { p99: round(delay.percentile(99) / 1e6, 1), max: round(delay.max / 1e6, 1) },
    }
  }

  async function allTurnsTaken(): Promise<void> {
    for (;;) {
      const { due, active, next } = await bot.jobs.state('turn')
      if (due === 0 && active === 0 && next === undefined) return
      await sleep(250)
    }
  }

  progress(`${db.kind}: as fast as they are taken`)
  const flooded = await cost(FLOOD.count, async () => ({
    perSecond: await flood(FLOOD, index => say(`flood-${index % FLOOD.channels}`)),
  }))
  progress(`${db.kind}: ${BURSTS.perSecond} a second in bursts`)
  const bursts = await cost(BURSTS.count, () => offer(BURSTS, index => say(`burst-${burstChannel(index)}`)))
  progress(`${db.kind}: one message in each channel`)
  const sparse = await cost(SPARSE.count, () => offer(SPARSE, index => say(`sparse-${index}`)))
  return {
    idle: { statementsPerSecond: round(idlePerSecond, 1) },
    flood: flooded,
    bursts,
    sparse,
  }
}

function burstChannel(index: number): number {
  const { talking, talk, channels } = BURSTS
  return (Math.floor(index / (talking * talk)) * talking + (index % talking)) % channels
}
