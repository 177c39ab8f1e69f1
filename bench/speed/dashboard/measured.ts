import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import { type HeapStep, progress, spread } from '../../base/measure.ts'
import type { FromBot, FromWatchers, PageHeap, Stretch, ToBot, ToWatchers, Watching } from './messages.ts'
import { inRealTime } from './real-time.ts'

export interface Load {
  /** The place of the data: a folder, or a Postgres server. */
  readonly database: string
  readonly perMinute: number
  /** Seconds of each stretch, and of the last one with open pages. */
  readonly seconds: number
  readonly rounds: number
  readonly hold: number
}

/** Stretches before the measurement: modules are loaded, functions compiled. */
const WARM_UP = 10

/** Seconds between two readings of the memory of open pages. */
const LOOK = 10

/** The same talk without watchers, with streams and with pages, one after the other and in rounds. */
export async function measured({ database, perMinute, seconds, rounds, hold }: Load) {
  await using scope = new AsyncDisposableStack()
  const bot = scope.use(child<ToBot, FromBot>('bot.ts', { database, perMinute }, manifest.kikimimi.flags))
  const { url } = await bot.hears('ready')
  const realTime = inRealTime(bot.pid)
  const watchers = scope.use(child<ToWatchers, FromWatchers>('watchers.ts', {}, []))
  await watchers.hears('ready')

  async function talk(of: number): Promise<Stretch> {
    bot.tell({ kind: 'talk', seconds: of })
    return (await bot.hears('talked')).stretch
  }
  async function watch(how: Watching): Promise<void> {
    watchers.tell({ kind: 'watch', url, how })
    await watchers.hears('watching')
  }
  async function look(): Promise<FromWatchers & { kind: 'seen' }> {
    watchers.tell({ kind: 'look' })
    return watchers.hears('seen')
  }
  async function heap(): Promise<HeapStep> {
    bot.tell({ kind: 'heap' })
    return (await bot.hears('heap')).step
  }

  await talk(WARM_UP)
  const stretches: Record<Watching, Stretch[]> = { noViewer: [], streams: [], pages: [] }
  const botHeap = [await heap()]
  for (let round = 0; round < rounds; round++) {
    for (const how of ['noViewer', 'streams', 'pages'] as const) {
      progress(`round ${round + 1}: ${how === 'noViewer' ? 'no viewer' : `five ${how} watch`}`)
      await watch(how)
      stretches[how].push(await talk(seconds))
    }
    botHeap.push(await heap())
  }

  progress(`five pages stay open for ${hold} s`)
  await watch('pages')
  const { events } = await look()
  const held: { after: number; pages: readonly PageHeap[] }[] = []
  for (let after = 0; after < hold; after += LOOK) {
    await talk(LOOK)
    held.push({ after: after + LOOK, pages: (await look()).pages })
  }
  botHeap.push(await heap())
  const rounded = {
    noViewer: overRounds(stretches.noViewer),
    streams: overRounds(stretches.streams),
    pages: overRounds(stretches.pages),
  }
  return { realTime, rounds: rounded, stretches, streamedEvents: events, botHeap, pages: held }
}

/** Medians over the rounds, each with its minimum and maximum. */
function overRounds(stretches: readonly Stretch[]) {
  const of = (figure: (stretch: Stretch) => number) => spread(stretches.map(figure))
  return {
    silentMs: { p50: of(({ silentMs }) => silentMs.p50), p95: of(({ silentMs }) => silentMs.p95) },
    answeredMs: { p50: of(({ answeredMs }) => answeredMs.p50), p95: of(({ answeredMs }) => answeredMs.p95) },
    cpuMs: of(({ cpuMs }) => cpuMs),
    statements: of(({ statements }) => statements),
  }
}

interface Child<To, From extends { readonly kind: string }> extends AsyncDisposable {
  readonly pid: number
  tell(message: To): void
  hears<K extends From['kind']>(kind: K): Promise<From & { kind: K }>
}

function child<To extends object, From extends { readonly kind: string }>(
  file: string,
  settings: object,
  execArgv: readonly string[],
): Child<To, From> {
  const one: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) },
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(one, 'exit')
  const isOf = <K extends From['kind']>(message: From, kind: K): message is From & { kind: K } => message.kind === kind
  return {
    pid: one.pid ?? 0,
    tell: message => void one.send(message),
    hears: kind =>
      new Promise((resolve, reject) => {
        const gone = (code: number) => reject(new Error(`${file} ended with code ${code}`))
        one.once('exit', gone)
        one.on('message', function hear(message: From) {
          if (!isOf(message, kind)) return
          one.off('message', hear).off('exit', gone)
          resolve(message)
        })
      }),
    async [Symbol.asyncDispose]() {
      if (one.connected) one.disconnect()
      await exited
    },
  }
}
