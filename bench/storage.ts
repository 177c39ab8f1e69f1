/**
 * A large log on the server of DATABASE_URL: the pages of the dashboard, the start, recall, an erasure, retention of a month.
 * `--database URL` uses a filled database and keeps it.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import facts, { Facts } from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import profiles from '@kikimimi/profiles'
import reply from '@kikimimi/reply'
import { type Bot, conversationId, type Database, definePlatform, definePlugin, startBot, systemClock } from 'kikimimi'
import { openDatabase } from '../core/storage/database/database.ts'
import { migrate } from '../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../core/storage/kernel-migrations.ts'
import { createSqlStore } from '../core/storage/store/sql.ts'
import { onServer } from './base/databases.ts'
import { latency, machine, progress, round } from './base/measure.ts'
import { benchLog, deafPlatform } from './base/talk.ts'
import { addPastMonths, fill, PERSON, type Size } from './storage/fill.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000000' },
    channels: { type: 'string', default: '30000' },
    people: { type: 'string', default: '100000' },
    months: { type: 'string', default: '22' },
    /** Requests to each address. */
    requests: { type: 'string', default: '20' },
    database: { type: 'string' },
  },
})
const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  progress('Which server? DATABASE_URL=postgres://… npm run bench:storage -- [--messages 20000000]')
  process.exit(2)
}
const size: Size = {
  messages: Number(values.messages),
  channels: Number(values.channels),
  people: Number(values.people),
  months: Number(values.months),
}

const place = { platform: 'bench', workspace: 'w0', channel: 'c0', name: 'channel 0', visibility: 'public' } as const
const PLACE = { ...place, id: conversationId(place) }

const begin = machine()
const results = values.database ? await measure(values.database) : await onServer(DATABASE_URL, filledAndMeasured)
process.stdout.write(`${JSON.stringify({ machine: begin, size, ...results, loadAtEnd: machine().load }, null, 2)}\n`)

async function filledAndMeasured(target: string) {
  const db = await openDatabase(target, { clock: systemClock, log: benchLog })
  const start = performance.now()
  try {
    await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
    await addPastMonths(db, size.months)
    await fill(db, size)
  } finally {
    await db.close()
  }
  const fillSeconds = round((performance.now() - start) / 1_000)
  return { fillSeconds, ...(await measure(target)) }
}

async function measure(target: string) {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase(target, { clock: systemClock, log: benchLog }), opened => opened.close())
  // The first start makes the tables of the plugins, and skips the log that is there.
  for (const { definition } of [facts, profiles])
    if (definition.migrations) await migrate(db, definition.name, definition.migrations, systemClock)
  for (const plugin of ['facts', 'profiles'])
    await db.query(`update ${plugin}.watermark set seq = (select max(seq) from kikimimi_v1.message)`)
  const first = await started(db)
  await first.bot.stop()
  const begun = performance.now()
  const { bot, url, search } = scope.use(await started(db))
  const startMs = performance.now() - begun
  const pages = await pagesOf(url)
  const recall = latency(await times(50, n => search(`what goes with message ${n}`)))
  const seconds = async (run: () => Promise<unknown>) => round((await timed(run)) / 1_000, 2)
  const forgetSeconds = await seconds(() => bot.forget({ platform: 'bench', id: PERSON }))
  const retentionSeconds = await seconds(() => dropMonth(db))
  return { startMs: round(startMs), pages, recallMs: recall, forgetSeconds, retentionSeconds }
}

async function started(
  db: Awaited<ReturnType<typeof openDatabase>>,
): Promise<{ bot: Bot; url: string; search(text: string): Promise<unknown> } & AsyncDisposable> {
  const http = `127.0.0.1:${await freePort()}`
  let search = async (_text: string): Promise<unknown> => undefined
  const searching = definePlugin({
    name: 'searching',
    needs: [Facts],
    setup: ctx => {
      search = text => ctx.use(Facts).search({ conversation: PLACE, text, limit: 10 })
      return {}
    },
  })
  const platform = definePlatform({ name: 'bench', setup: () => ({ platform: deafPlatform() }) })
  const bot = await startBot(
    {
      persona: { name: 'kiki' },
      http,
      plugins: [dashboard(), platform, addressing(), judgeRules(), facts(), profiles(), searching, reply()],
    },
    { db, env: {}, log: benchLog },
  )
  return { bot, url: `http://${http}`, search: text => search(text), [Symbol.asyncDispose]: () => bot.stop() }
}

async function pagesOf(url: string) {
  const at = encodeURIComponent(PLACE.id)
  const paths = [
    'channels',
    `channel?conversation=${at}`,
    `channel/upcoming?conversation=${at}`,
    'health',
    'turns',
    `turns?conversation=${at}`,
  ]
  const others = ['drops', 'places', 'facts', 'people', 'bot', 'playground', 'playground/messages?room=general', 'tuning']
  const figures: Record<string, unknown> = {}
  for (const path of [...paths, ...others]) {
    let status = 0
    const taken = await times(Number(values.requests), async () => {
      const response = await fetch(`${url}/api/${path}`)
      await response.text()
      status = response.status
    })
    const { p50, p95, max } = latency(taken)
    figures[path.split('?')[0] + (path.includes('?') ? '?' : '')] = { status, p50, p95, max }
  }
  return figures
}

/** The oldest month. */
async function dropMonth(db: Database): Promise<void> {
  const { rows } = await db.query<{ upper: Date }>(
    `select upper from kikimimi.partitions_of('kikimimi.message') where lower > '-infinity' order by lower limit 1`,
  )
  const [oldest] = rows
  if (oldest) await db.query('select kikimimi.detach_months($1, $2)', ['message', oldest.upper])
  await createSqlStore(db, benchLog, systemClock).sweep(new Date(0), new Date(0))
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

async function times(count: number, run: (n: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n++) taken.push(await timed(() => run(n)))
  return taken
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
