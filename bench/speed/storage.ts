/**
 * A large log on the server of DATABASE_URL: the start, the pages of the dashboard, the commands of the chat, catch-up, recall, an erasure,
 * retention of a month. `--database URL` uses a filled database and keeps it.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import attention from '@kikimimi/attention'
import dashboard from '@kikimimi/dashboard'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import { offline } from '@kikimimi/offline'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import { type Bot, conversationId, type Database, definePlugin, startBot, systemClock } from 'kikimimi'
import { ChatCommands, definePlatform, type PlatformContext } from 'kikimimi/platform'
import { createLogger } from '../../core/base/log.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { migrate } from '../../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../../core/storage/kernel-migrations.ts'
import { createSqlStore } from '../../core/storage/store/sql.ts'
import { detachMonths } from '../../core/storage/store/sweep.ts'
import { freePort } from '../../core/testing/free-port.ts'
import { onServer } from '../base/databases.ts'
import { latency, machine, progress, round } from '../base/measure.ts'
import { benchLog, deafPlatform } from '../base/talk.ts'
import { askAll } from '../quality/recall/scale.ts'
import { timedCommands } from './storage/commands.ts'
import { addPastMonths, fill, PERSON, type Size } from './storage/fill.ts'
import { fillPlugins } from './storage/fill-plugins.ts'
import { timedRequests } from './storage/requests.ts'
import { fillTurns } from './storage/turns.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '20000000' },
    channels: { type: 'string', default: '30000' },
    people: { type: 'string', default: '100000' },
    months: { type: 'string', default: '22' },
    facts: { type: 'string', default: '500000' },
    turns: { type: 'string', default: '600000' },
    /** Requests to each address, and calls of each command, besides the first. */
    requests: { type: 'string', default: '20' },
    database: { type: 'string' },
    /** Leaves out the erasure and retention, which change the database. */
    'without-erasure': { type: 'boolean', default: false },
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
const rounds = Number(values.requests)

/** The busiest channel, which has a thirtieth of all messages. */
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
    await fillTurns(db, { turns: Math.min(size.messages, Number(values.turns)), messages: size.messages })
    await fillPlugins(db, Number(values.facts))
  } finally {
    await db.close()
  }
  const fillSeconds = round((performance.now() - start) / 1_000)
  return { fillSeconds, ...(await measure(target)) }
}

async function measure(target: string) {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase(target, { clock: systemClock, log: benchLog }), opened => opened.close())
  const { rows } = await db.query<{ last: string; conversations: number }>(
    `select (select id from kikimimi_v1.message where conversation = $1 and not own order by seq desc limit 1) as last,
       (select count(*) from kikimimi_v1.conversation) as conversations`,
    [PLACE.id],
  )
  const { last: message = '', conversations = 0 } = rows[0] ?? {}
  // The first start makes the tables of the plugins.
  const first = await started(db)
  await first.bot.stop()
  const begun = performance.now()
  const running = scope.use(await started(db))
  const startMs = round(performance.now() - begun)
  const catchUp = await caughtUp(running)
  progress(JSON.stringify({ conversations, startMs, catchUp }))
  const pages = inOrder(await timedRequests(running.url, PLACE.id, rounds))
  const commands = inOrder(await timedCommands(running.commands(), PLACE, { person: 'u7', message }, rounds))
  // A command that fails still has an answer, and a line in the log.
  const problems = [...running.problems]
  if (problems.length > 0) process.exitCode = 1
  const recall = await askAll(db, 20)
  const read = { conversations, startMs, catchUp, pages, commands, recall, problems }
  if (values['without-erasure']) return read
  const seconds = async (run: () => Promise<unknown>) => round((await timed(run)) / 1_000, 2)
  const forgetSeconds = await seconds(() => running.bot.forget({ platform: 'bench', id: PERSON }))
  const retentionSeconds = {
    leavesTheLog: await seconds(() => detachMonth(db)),
    // Beside the running bot.
    deleted: await seconds(() => createSqlStore(db, benchLog, systemClock).sweep(new Date(0), new Date(0))),
  }
  return { ...read, forgetSeconds, retentionSeconds }
}

interface Running extends AsyncDisposable {
  readonly bot: Bot
  readonly url: string
  /** Lines of the log that say that something went wrong. */
  readonly problems: readonly string[]
  commands(): ChatCommands
  /** Reads what was missed. Returns how many times the platform was asked. */
  catchUp(): Promise<number>
}

async function started(db: Awaited<ReturnType<typeof openDatabase>>): Promise<Running> {
  const http = `127.0.0.1:${await freePort()}`
  let chat: ChatCommands | undefined
  const asking = definePlugin({
    name: 'asking',
    needs: [ChatCommands],
    setup(ctx) {
      chat = ctx.use(ChatCommands)
      return {}
    },
  })
  let lent: PlatformContext | undefined
  let asked = 0
  const platform = definePlatform({
    name: 'bench',
    setup(ctx) {
      lent = ctx
      const history = async () => {
        asked++
        return []
      }
      return { platform: { ...deafPlatform(), history } }
    },
  })
  const problems: string[] = []
  const log = createLogger({ level: 'warn', format: 'lines', write: line => void problems.push(line), clock: systemClock })
  const bot = await startBot(
    {
      persona: { name: 'kiki' },
      models: { chat: offline() },
      http,
      plugins: [
        ...[
          dashboard(),
          replay(),
          platform,
          quiet(),
          remember(),
          proactive(),
          addressing(),
          attention(),
          judgeRules(),
          judgeLlm(),
        ],
        ...[memorySummary(), profiles(), facts(), reflection(), asking, reply()],
      ],
    },
    { db, env: {}, log },
  )
  return {
    bot,
    url: `http://${http}`,
    problems,
    commands() {
      if (!chat) throw new Error('The bot has no commands.')
      return chat
    },
    async catchUp() {
      const before = asked
      const position = await lent?.trackPosition('bench')
      await position?.()
      return asked - before
    },
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

/** From the moment at which a platform is connected again to the end of reading, where nothing was missed. */
async function caughtUp({ catchUp }: Running) {
  const begun = performance.now()
  const conversationsRead = await catchUp()
  return { conversationsRead, ms: round(performance.now() - begun) }
}

/** The slowest first. They are told at once: what follows can take long. */
function inOrder(times: ReadonlyMap<string, readonly number[]>): Readonly<Record<string, unknown>> {
  const figures = [...times].map(([what, [first = 0, ...taken]]) => [what, { first: round(first), ...latency(taken) }] as const)
  const sorted = Object.fromEntries(figures.toSorted(([, one], [, other]) => other.p95 - one.p95))
  progress(JSON.stringify(sorted, null, 2))
  return sorted
}

/** Takes the oldest month out of the log. */
async function detachMonth(db: Database): Promise<void> {
  const { rows } = await db.query<{ upper: Date }>(
    `select upper from kikimimi.partitions_of('kikimimi.message') where lower > '-infinity' order by lower limit 1`,
  )
  const [oldest] = rows
  if (oldest) await detachMonths(db, 'message', oldest.upper)
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
