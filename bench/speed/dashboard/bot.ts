/** The watched bot: the rule judge, the offline model and the dashboard. The messages come from here, too. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import reply from '@kikimimi/reply'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { heapStep, latency, offer, round } from '../../base/measure.ts'
import { benchLog, deafPlatform, said } from '../../base/talk.ts'
import type { FromBot, Stretch, ToBot } from './messages.ts'

const { database = '', perMinute = 1_000 }: { database?: string; perMinute?: number } = JSON.parse(
  process.env.BENCH_SETTINGS ?? '{}',
)

/** In turn, so that each message is judged alone. */
const CHANNELS = 100
/** One message in this many mentions the bot. */
const ASKS = 5

const tell = (message: FromBot) => void process.send?.(message, () => {})
const stopped = new AbortController()
// The measuring process is gone, so this one ends.
process.on('disconnect', () => stopped.abort())

const platform = deafPlatform()
/** By message: when it was received, and the callback after its turn. */
const open = new Map<string, (answered: boolean) => void>()

const count = definePlugin({
  name: 'count',
  setup: () => ({
    after(_turn, { messages, outcome }) {
      for (const id of messages) open.get(id)?.(outcome === 'replied')
    },
  }),
})

let messages = 0

async function talk(seconds: number): Promise<Stretch> {
  const times: Record<'silent' | 'answered', number[]> = { silent: [], answered: [] }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = { cpu: process.cpuUsage(), statements: db.statements }
  const perSecond = perMinute / 60
  await offer({ count: Math.round(seconds * perSecond), perSecond }, async () => {
    const index = messages++
    const message = said(index, `channel-${index % CHANNELS}`, index % ASKS === 0 ? { mentions: [platform.me] } : {})
    const { promise: over, resolve } = Promise.withResolvers<boolean>()
    open.set(message.id, resolve)
    const start = performance.now()
    await bot.receive(platform, message)
    const answered = await over
    times[answered ? 'answered' : 'silent'].push(performance.now() - start)
    open.delete(message.id)
  })
  delay.disable()
  const turns = times.silent.length + times.answered.length
  const { user, system } = process.cpuUsage(before.cpu)
  return {
    turns,
    silentMs: latency(times.silent),
    answeredMs: latency(times.answered),
    cpuMs: round((user + system) / 1_000 / turns),
    eventLoopDelayMs: { p99: round(delay.percentile(99) / 1e6, 1), max: round(delay.max / 1e6, 1) },
    statements: round((db.statements - before.statements) / turns, 1),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

await using scope = new AsyncDisposableStack()
const db = scope.adopt(await openDatabase(database, { clock: systemClock, log: benchLog }), opened => opened.close())
const http = `127.0.0.1:${await freePort()}`
const page = dashboard()
const beside = definePlatform({ name: 'beside', setup: () => ({ platform }) })
const bot = scope.adopt(
  await startBot(
    // Judged at once: the benchmark measures work, not the wait for a quiet conversation.
    {
      persona: { name: 'kiki' },
      http,
      models: { chat: offline() },
      pacing: { minWait: 0 },
      plugins: [page, beside, addressing(), judgeRules(), reply(), count],
    },
    { db, env: {}, log: benchLog },
  ),
  started => started.stop(),
)
process.on('message', (message: ToBot) => {
  if (message.kind === 'heap') tell({ kind: 'heap', step: heapStep(messages) })
  else void talk(message.seconds).then(stretch => tell({ kind: 'talked', stretch }))
})
tell({ kind: 'ready', url: `http://${http}` })
// Until the measuring process ends.
await sleep(2 ** 30, undefined, { signal: stopped.signal }).catch(() => {})
