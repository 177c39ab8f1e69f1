/** Messages that the bot hears and keeps to itself: what they cost with a database, statement by statement. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import judgeRules from '@kikimimi/judge-rules'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import pg from 'pg'
import { openDatabase } from '../core/database.ts'
import { flood, offer, progress, round } from './measure.ts'
import { benchLog, deafPlatform, said } from './talk.ts'

const IDLE_MS = 10_000

/** As many as are handed in, as fast as they are taken. */
const FLOOD = { count: 10_000, channels: 50, atOnce: 50 }

/** Talks of 20 messages, 10 a second in each of 50 channels at a time; then those are silent for 6 seconds. */
const BURSTS = { count: 10_000, perSecond: 500, channels: 200, talking: 50, talk: 20 }

/** One message in each channel, so that each is judged alone. */
const SPARSE = { count: 100, perSecond: 10 }

/** PGlite in a folder, as `npm start` has it. */
export async function withPglite() {
  const dir = await mkdtemp(join(tmpdir(), 'kikimimi-bench-'))
  try {
    return await measured(join(dir, 'data'))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** A database of its own on the server, dropped afterwards. */
export async function withPostgres(server: string) {
  const name = `kikimimi_bench_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name}`)
  try {
    return await measured(Object.assign(new URL(server), { pathname: name }).href)
  } finally {
    await administer(server, `drop database if exists ${name} with (force)`)
  }
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

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
