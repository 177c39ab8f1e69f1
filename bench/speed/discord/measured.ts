import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { type DiscordEmulator, startDiscord } from '../../../plugins/discord/testing/index.ts'
import { latency, progress } from '../../base/measure.ts'

export interface Load {
  /** Of a Postgres server. */
  readonly database: string
  readonly guilds: number
  readonly shards: number
  readonly processes: number
  /** Questions a second. */
  readonly perSecond: number
  readonly seconds: number
}

/** Discord's limit of all calls, and its usual limit of messages in a channel. */
const ALL = { calls: 50, ms: 1_000 }
const MESSAGES = { calls: 5, ms: 5_000 }
/** After this time an answer counts as lost. */
const PATIENCE_MS = 120_000
const CLI = fileURLToPath(new URL('../../../packages/cli/cli.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('./bot.config.ts', import.meta.url))

/** When each question was asked and answered. */
type Questions = Map<string, { readonly at: number; readonly answeredAt: number[] }>

/** The answers of several processes of a bot in many servers, before and while it divides itself into more shards. */
export async function measured(load: Load) {
  const { guilds, shards, processes, perSecond, seconds } = load
  const names = Array.from({ length: guilds }, (_, index) => `guild-${index}`)
  await using scope = new AsyncDisposableStack()
  const discord = scope.use(
    await startDiscord({ shards, maxConcurrency: shards, guilds: names.map(name => ({ name, channels: [name] })) }),
  )
  const channels = names.map(name => discord.id(name))
  discord.limitAll(ALL)
  discord.limit('POST /channels/:id/messages', MESSAGES)
  discord.limit('GET /channels/:id/messages', MESSAGES)
  discord.limit('POST /channels/:id/typing', MESSAGES)
  progress(`${guilds} servers, ${shards} shards, ${processes} processes`)
  // The first process creates the tables.
  scope.use(startProcess(discord, load.database))
  await until(() => discord.online === shards)
  for (let index = 1; index < processes; index++) scope.use(startProcess(discord, load.database))
  await until(() => discord.online === shards && loggedIn(discord) >= processes)
  // Until each process knows its part.
  await pause(15_000)

  const steady = await talk(discord, channels, { perSecond, seconds })
  progress('more shards')
  const before = Date.now()
  const resharding = talk(discord, channels, { perSecond: Math.ceil(perSecond / 2), seconds: 30 })
  discord.reshard(shards + 2, { required: true })
  await until(() => discord.online === shards + 2)
  const connectedMs = Date.now() - before
  return {
    ...{ guilds, shards, processes, perSecond, seconds },
    calls: discord.calls.filter(({ path }) => path !== '/gateway').length,
    refused: discord.calls.filter(({ status }) => status === 429).length,
    steady,
    resharding: { connectedMs, ...(await resharding) },
  }
}

/** Each process asks for its account once. */
function loggedIn({ calls }: DiscordEmulator): number {
  return calls.filter(({ method, path }) => method === 'GET' && path === '/users/@me').length
}

function startProcess({ token, apiUrl }: DiscordEmulator, database: string): AsyncDisposable {
  const child = fork(CLI, ['start', '--config', CONFIG], {
    env: { ...process.env, LOG_LEVEL: 'warn', BENCH_DATABASE: database, BENCH_TOKEN: token, BENCH_URL: apiUrl },
    execArgv: manifest.kikimimi.flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function talk(
  discord: DiscordEmulator,
  channels: readonly string[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
) {
  const questions: Questions = new Map()
  const count = perSecond * seconds
  const begun = Date.now()
  let read = discord.calls.length
  const note = () => {
    for (; read < discord.calls.length; read++) {
      const { body, method, status } = discord.calls[read] ?? {}
      // The status is written when the call is answered.
      if (status === 0) return
      const [, id = ''] = /^re (\d+)$/.exec((body as { content?: string } | undefined)?.content ?? '') ?? []
      if (method === 'POST' && status === 200) questions.get(id)?.answeredAt.push(Date.now())
    }
  }
  for (let index = 0; index < count; index++) {
    // A prime, so that questions of one shard do not follow each other.
    const channel = channels[(index * 7_919) % channels.length] ?? ''
    questions.set(discord.say({ author: `person-${index % 100}`, channel, text: '@kiki hello' }), {
      at: Date.now(),
      answeredAt: [],
    })
    while (Date.now() < begun + ((index + 1) * 1_000) / perSecond) {
      await pause(2)
      note()
    }
  }
  const all = () => [...questions.values()]
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end && all().some(({ answeredAt }) => answeredAt.length === 0)) {
    await pause(5)
    note()
  }
  const answered = all().filter(({ answeredAt }) => answeredAt.length > 0)
  return {
    asked: questions.size,
    answered: answered.length,
    answeredTwice: all().filter(({ answeredAt }) => answeredAt.length > 1).length,
    latencyMs: latency(answered.map(({ at, answeredAt: [first = at] }) => first - at)),
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(50)
}
