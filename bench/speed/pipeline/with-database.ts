/** The cost of messages without an answer, with a database, by statement. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BotConfig, definePlugin, startBot, systemClock } from 'kikimimi'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { inFolder, onServer } from '../../base/databases.ts'
import { flood, offer, progress, round } from '../../base/measure.ts'
import { countStatements } from '../../base/statements.ts'
import { benchLog, deafPlatform, said } from '../../base/talk.ts'

const IDLE_MS = 10_000
/** After this time the remaining work of a turn has begun. */
const AFTER_MS = 5_000

/** This many messages, as fast as possible. */
const FLOOD = { count: 10_000, channels: 50, atOnce: 50 }

/** Talks of 20 messages, 10 a second in each of 50 channels at a time; then those are silent for 6 seconds. */
const BURSTS = { count: 10_000, perSecond: 500, channels: 200, talking: 50, talk: 20 }

/** People who write all the time in one channel, for a minute. */
const BUSY = { count: 60, perSecond: 1 }

/** One message in each channel, so that each is judged alone. */
const SPARSE = { count: 100, perSecond: 10 }

export const withPglite = (config: BotConfig) => inFolder(target => measured(target, config))
export const withPostgres = (server: string, config: BotConfig) => onServer(server, target => measured(target, config))

async function measured(target: string, config: BotConfig) {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase(target, { clock: systemClock, log: benchLog }), opened => opened.close())
  const platform = deafPlatform()
  let turns = 0
  const countTurns = definePlugin({ name: 'count-turns', setup: () => ({ after: () => void turns++ }) })
  const statements = countStatements(db)
  const bot = await startBot(
    { ...config, models: {}, plugins: [config.plugins, countTurns()] },
    { db, platforms: [platform], env: {}, log: benchLog },
  )
  scope.defer(() => bot.stop())
  let count = 0
  const say = (channel: string) => bot.receive(platform, said(count++, channel))

  progress(`${db.kind}: idle`)
  const before = db.statements
  await sleep(IDLE_MS)
  const idlePerSecond = ((db.statements - before) * 1_000) / IDLE_MS

  /** The cost of `run`, of every turn that follows, and of their remaining work. */
  async function cost<T>(messages: number, run: () => Promise<T>) {
    const start = { turns, statements: db.statements, cpu: process.cpuUsage(), at: performance.now() }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    statements.begin()
    const load = await run()
    await allDone()
    delay.disable()
    const seconds = (performance.now() - start.at) / 1_000
    const { user, system } = process.cpuUsage(start.cpu)
    const ran = db.statements - start.statements
    return {
      messages,
      load,
      turns: turns - start.turns,
      seconds: round(seconds, 1),
      statementsPerMessage: round(ran / messages),
      withoutPolling: round(Math.max(0, ran - idlePerSecond * seconds) / messages),
      ...statements.each(messages),
      cpuShare: round((user + system) / 1e6 / seconds),
      eventLoopDelayMs: { p99: round(delay.percentile(99) / 1e6, 1), max: round(delay.max / 1e6, 1) },
    }
  }

  async function allDone(): Promise<void> {
    await until(async () => {
      const { due, active, next } = await bot.turns.state()
      return due === 0 && active === 0 && next === undefined
    })
    await sleep(AFTER_MS)
    await until(async () => {
      const { due, active } = await bot.jobs.state()
      return due === 0 && active === 0
    })
  }

  progress(`${db.kind}: as fast as they are taken`)
  const flooded = await cost(FLOOD.count, async () => ({
    perSecond: await flood(FLOOD, index => say(`flood-${index % FLOOD.channels}`)),
  }))
  progress(`${db.kind}: ${BURSTS.perSecond} a second in bursts`)
  const bursts = await cost(BURSTS.count, () => offer(BURSTS, index => say(`burst-${burstChannel(index)}`)))
  progress(`${db.kind}: ${BUSY.perSecond} a second in one channel`)
  const busy = await cost(BUSY.count, () => offer(BUSY, () => say('busy')))
  progress(`${db.kind}: one message in each channel`)
  const sparse = await cost(SPARSE.count, () => offer(SPARSE, index => say(`sparse-${index}`)))
  return {
    idle: { statementsPerSecond: round(idlePerSecond, 1) },
    flood: flooded,
    bursts,
    busy,
    sparse,
  }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await sleep(250)
}

function burstChannel(index: number): number {
  const { talking, talk, channels } = BURSTS
  return (Math.floor(index / (talking * talk)) * talking + (index % talking)) % channels
}
