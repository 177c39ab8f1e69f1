/**
 * A platform with several processes of one bot: each message goes to one of them, like behind a load balancer, sometimes to
 * a second one as well, and again to others when none has acknowledged it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import manifest from '../../../package.json' with { type: 'json' }
import type { FromBot, Said, Settings, ToBot } from './messages.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** One message in this many is delivered to two processes. */
const TOLD_TWICE = 50
/** Milliseconds that a post takes. People see it after half of them. */
const POSTING_MS = 20
const AGAIN_MS = 500
const KILL_GRACE_MS = 30_000

/** The result of a message that mentions the bot. Times are those of `performance.now()`. */
export interface Question {
  readonly id: string
  readonly channel: string
  readonly askedAt: number
  /** The latest process that has made an answer. */
  thinker?: number
  /** When that process was killed, if that was before people saw the answer. */
  orphanedAt?: number
  /** One entry for each answer that people see. */
  readonly answeredAt: number[]
}

/** A message until a process acknowledges it. Times are those of `performance.now()`. */
export interface Recording {
  readonly saidAt: number
  takenAt?: number
}

/** A process that is connected. */
export interface Running {
  /** It gets no more messages, and ends as by an operator. Resolves when it has ended. */
  stop(): Promise<void>
}

export interface PlaceOptions extends Settings {
  /** The bot.config.ts of each process, in the folder of its version. */
  readonly config: string
}

export interface Place extends AsyncDisposable {
  readonly questions: ReadonlyMap<string, Question>
  readonly recordings: ReadonlyMap<string, Recording>
  /** Messages that no process has acknowledged yet. */
  readonly untaken: number
  /** How often a message was delivered, and how often a post was a double. */
  readonly counts: { readonly told: number; readonly repeated: number; readonly unasked: number }
  /**
   * One more process. Resolves when it is connected.
   * @param root the folder of its version. Default: this one
   */
  start(root?: string): Promise<Running>
  say(said: Said): void
  /** Kills one of the processes with SIGKILL. Resolves with the time. */
  kill(): Promise<number>
}

interface Process {
  readonly number: number
  readonly child: ChildProcess
  readonly pending: Map<string, Said>
}

export function openPlace({ config, ...settings }: PlaceOptions): Place {
  const env = { ...process.env, LOG_LEVEL: 'error', BENCH_SETTINGS: JSON.stringify(settings) }
  const processes: Process[] = []
  const waiting: Said[] = []
  const questions = new Map<string, Question>()
  const recordings = new Map<string, Recording>()
  const posts = new Map<string, string>()
  const counts = { told: 0, repeated: 0, unasked: 0 }
  let started = 0

  function deliver(said: Said, to = processes[Math.floor(Math.random() * processes.length)]): void {
    if (!to) return void waiting.push(said)
    to.pending.set(said.id, said)
    counts.told++
    to.child.send({ kind: 'said', ...said } satisfies ToBot, () => {})
  }

  async function post({ child }: Process, { nonce, answers }: FromBot & { kind: 'post' }): Promise<void> {
    await pause(POSTING_MS / 2)
    const known = settings.idempotent ? posts.get(nonce) : undefined
    const id = known ?? `post-${posts.size}-${nonce}`
    if (known !== undefined) counts.repeated++
    else {
      const question = questions.get(answers ?? '')
      if (question) question.answeredAt.push(performance.now())
      else counts.unasked++
    }
    posts.set(nonce, id)
    await pause(POSTING_MS / 2)
    child.send({ kind: 'posted', nonce, id } satisfies ToBot, () => {})
  }

  function hear(from: Process, message: FromBot): void {
    if (message.kind === 'post') return void post(from, message)
    if (message.kind === 'ready') return
    const { kind, id } = message
    if (kind === 'thinking') {
      const question = questions.get(id)
      if (question) question.thinker = from.number
      return
    }
    const said = from.pending.get(id)
    from.pending.delete(id)
    const recording = recordings.get(id)
    if (kind === 'taken' && recording) recording.takenAt ??= performance.now()
    if (kind === 'refused' && said) setTimeout(() => deliver(said), AGAIN_MS)
  }

  /** Unacknowledged messages are delivered to the others. */
  function gone(dead: Process): void {
    const at = processes.indexOf(dead)
    if (at >= 0) processes.splice(at, 1)
    for (const said of dead.pending.values()) deliver(said)
    dead.pending.clear()
  }

  async function stop({ child }: Process): Promise<void> {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), KILL_GRACE_MS)
    await exited
    clearTimeout(late)
  }

  return {
    questions,
    recordings,
    counts,

    get untaken() {
      return waiting.length + processes.reduce((sum, { pending }) => sum + pending.size, 0)
    },

    async start(root = ROOT) {
      const child = fork(join(root, 'packages/cli/cli.ts'), ['start', '--config', join(root, config)], {
        ...{ env, cwd: root },
        execArgv: manifest.kikimimi.flags,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const one: Process = { number: started++, child, pending: new Map() }
      const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
      child.on('message', (message: FromBot) => {
        if (message.kind === 'ready') resolve()
        hear(one, message)
      })
      child.once('exit', code => {
        reject(new Error(`a bot ended with code ${code}`))
        gone(one)
      })
      await ready
      processes.push(one)
      for (const said of waiting.splice(0)) deliver(said, one)
      return {
        async stop() {
          processes.splice(processes.indexOf(one), 1)
          await stop(one)
        },
      }
    },

    say(said) {
      recordings.set(said.id, { saidAt: performance.now() })
      if (said.asks) questions.set(said.id, { id: said.id, channel: said.channel, askedAt: performance.now(), answeredAt: [] })
      deliver(said)
      if (Math.random() * TOLD_TWICE < 1) deliver(said)
    },

    async kill() {
      const victim = processes[Math.floor(Math.random() * processes.length)]
      if (!victim) throw new Error('no process is left to kill')
      const exited = once(victim.child, 'exit')
      const at = performance.now()
      victim.child.kill('SIGKILL')
      await exited
      for (const question of questions.values()) {
        if (question.thinker === victim.number && question.answeredAt.length === 0) question.orphanedAt ??= at
      }
      return at
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...processes].map(stop))
    },
  }
}
