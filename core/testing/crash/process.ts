import { fork } from 'node:child_process'
import { once } from 'node:events'
import { systemClock } from '../../base/clock.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Command, Heard, Orders, Report } from './victim.ts'

/** A bot in another process. */
export interface Victim {
  /** Resolves when the bot is connected. All methods reject when the process ends without a kill. */
  readonly ready: Promise<void>
  /** Sends messages as fast as they are acknowledged, a few at once, until all are sent or the process is killed. */
  hear(messages: readonly Heard[], acknowledged: (id: string) => void): Promise<void>
  /** Waits until no work is left. */
  settle(): Promise<void>
  /** Waits until no work is left, and ends the process. */
  finish(): Promise<void>
  /** SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>
  /** The end of the log of the bot. */
  lastWords(): string
}

/** Largest number of unacknowledged messages. */
const WINDOW = 16

/** Milliseconds for each wait: the work of a dead process is taken over after 15 s at the latest. */
const PATIENCE = 90_000

export function spawnVictim(orders: Orders): Victim {
  const child = fork(new URL('./victim.ts', import.meta.url), [JSON.stringify(orders)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', chunk => {
    log = `${log}${chunk}`.slice(-4_000)
  })
  let ending = false
  const exited = once(child, 'exit')
  const gone = exited.then(([code, signal]) => {
    if (!ending) throw new Error(`the bot ended by itself: ${signal ?? code}`)
  })
  gone.catch(() => {})
  const orGone = (done: Promise<void>, what: string) => {
    const late = () => new Error(`the bot has not ${what} after ${PATIENCE / 1_000} s`)
    return withTimeout({ clock: systemClock, ms: PATIENCE, late }, () => Promise.race([done, gone]))
  }
  const reported = (wanted: Report) =>
    new Promise<void>(resolve => {
      child.on('message', (report: Report) => {
        if (report === wanted) resolve()
      })
    })
  // A write to a killed process fails, which is no error here.
  const tell = (command: Command) => void child.send(command, () => {})

  return {
    ready: orGone(reported('ready'), 'started'),

    async hear(messages, acknowledged) {
      const waiting = [...messages]
      const all = Promise.withResolvers<void>()
      let open = 0
      const say = () => {
        for (; open < WINDOW && waiting.length > 0; open++) tell({ hear: waiting.shift() as Heard })
        if (open === 0) all.resolve()
      }
      const listen = (report: Report) => {
        if (typeof report !== 'object') return
        open--
        acknowledged(report.recorded)
        say()
      }
      child.on('message', listen)
      say()
      await orGone(all.promise, 'recorded all messages').finally(() => child.off('message', listen))
    },

    async settle() {
      tell('settle')
      await orGone(reported('settled'), 'settled')
    },

    async finish() {
      tell('finish')
      await orGone(reported('settled'), 'settled')
      ending = true
      await orGone(gone, 'ended')
      const [code] = await exited
      if (code !== 0) throw new Error(`the bot ended with ${code}`)
    },

    async kill() {
      ending = true
      child.kill('SIGKILL')
      await exited
    },

    lastWords: () => log,
  }
}
