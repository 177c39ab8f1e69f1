/** The place where people talk, with its bot in another process. It keeps what was said, for the history. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../core/testing/free-port.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { line } from '../../base/talk.ts'
import { type FromBot, lines, type Said, type State, type ToBot } from './messages.ts'

const CLI = fileURLToPath(new URL('../../../packages/cli/cli.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('./bot.config.ts', import.meta.url))
/** A bot that records the rest of a flood may take a while to stop. */
const KILL_GRACE_MS = 60_000

export type Fate = 'waiting' | 'taken' | 'shed' | 'refused'
const FATES: readonly Fate[] = ['waiting', 'taken', 'shed', 'refused']

export interface Place extends AsyncDisposable {
  readonly sent: number
  say(channel: number, asks: boolean): void
  fate(id: number): Fate
  channelOf(id: number): number
  /** When each question was asked and answered, in milliseconds since the epoch. */
  readonly questions: ReadonlyMap<number, { readonly at: number; answered?: number }>
  /** Answers that no question waits for. */
  readonly unasked: number
  /** Megabytes that the bot has not read yet. */
  readonly unreadMb: number
  readonly exited: boolean
  state(): Promise<State>
  /** Stops the process of the bot for a while, as a machine does that gives its processor to others. */
  standStill(ms: number): Promise<void>
}

export async function openPlace(database: string): Promise<Place> {
  const at: number[] = []
  const channels: number[] = []
  const asking: boolean[] = []
  const fates: number[] = []
  const byChannel = new Map<number, number[]>()
  const questions = new Map<number, { at: number; answered?: number }>()
  const states: ((state: State) => void)[] = []
  let unasked = 0
  let socket: Socket | undefined
  let exited = false

  const server = createServer(connected => {
    socket = connected.setEncoding('utf8')
    connected.on('data', lines<FromBot>(hear))
    connected.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const send = (message: ToBot) => void socket?.write(`${JSON.stringify(message)}\n`)
  // No question: a line of the talk would count as its answer, which withdraws the call.
  const textOf = (id: number) => (asking[id] ? `@kiki tell me about number ${id}` : line(id))
  const said = (id: number): Said => ({
    ...{ id, channel: channels[id] ?? 0, asks: asking[id] === true, at: at[id] ?? 0, text: textOf(id) },
  })

  function hear(message: FromBot): void {
    if (message[0] === 'state') states.shift()?.(message[1])
    else if (message[0] === 'post') {
      const question = questions.get(Number(message[1]))
      if (!question || question.answered !== undefined) unasked++
      else question.answered = Date.now()
    } else if (message[0] === 'history') {
      const [, request, channel, after = -1, limit] = message
      const there = byChannel.get(channel) ?? []
      send([
        'history',
        request,
        there
          .filter(id => id > after)
          .slice(0, limit)
          .map(said),
      ])
    } else for (const id of message[1]) fates[id] = FATES.indexOf(message[0])
  }

  const child = fork(CLI, ['start', '--config', CONFIG], {
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      KIKIMIMI_HTTP: `127.0.0.1:${await freePort()}`,
      BENCH_SETTINGS: JSON.stringify({ database, port }),
    },
    execArgv: manifest.kikimimi.flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.once('exit', () => {
    exited = true
  })
  await Promise.race([once(child, 'message'), once(child, 'exit')])

  return {
    questions,
    get sent() {
      return at.length
    },
    get unasked() {
      return unasked
    },
    get unreadMb() {
      return Math.round((socket?.writableLength ?? 0) / 2 ** 20)
    },
    get exited() {
      return exited
    },
    fate: id => FATES[fates[id] ?? 0] ?? 'waiting',
    channelOf: id => channels[id] ?? 0,

    say(channel, asks) {
      const id = at.length
      at.push(Date.now())
      channels.push(channel)
      asking.push(asks)
      fates.push(0)
      const there = byChannel.get(channel) ?? []
      byChannel.set(channel, there)
      there.push(id)
      if (asks) questions.set(id, { at: Date.now() })
      send(['said', id, channel, asks ? 1 : 0, at[id] ?? 0, textOf(id)])
    },

    async standStill(ms) {
      child.kill('SIGSTOP')
      await pause(ms)
      child.kill('SIGCONT')
    },

    async state() {
      const { promise, resolve } = Promise.withResolvers<State>()
      states.push(resolve)
      send(['state'])
      return promise
    },

    async [Symbol.asyncDispose]() {
      const late = setTimeout(() => child.kill('SIGKILL'), KILL_GRACE_MS)
      if (!exited) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      clearTimeout(late)
      socket?.destroy()
      server.close()
      await pause(0)
    },
  }
}
