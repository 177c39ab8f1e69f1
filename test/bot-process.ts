import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')

/** Maximum lifetime of a process. A round of a test on a loaded machine takes minutes. */
const LIFETIME = 10 * 60_000

export interface Ended {
  readonly code: number | null
  readonly out: string
  /** The output without the lines about missing models. */
  readonly err: string
}

/** Runs `kikimimi start` like a supervisor. */
export interface BotProcess extends AsyncDisposable {
  /** Resolves when the bot listens; rejects if it ends before. */
  readonly listening: Promise<void>
  readonly ended: Promise<Ended>
  /** Waits until the condition holds. Rejects if the process ends before, with its log. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>
  stop(): Promise<Ended>
  kill(): Promise<Ended>
}

/** @param env the complete environment of the process */
export function startProcess(env: NodeJS.ProcessEnv, config = 'test/platforms.config.ts'): BotProcess {
  const args = [join(root, 'packages/cli/cli.ts'), 'start', '--config', join(root, config)]
  const child = spawn(process.execPath, args, { cwd: root, env, timeout: LIFETIME, killSignal: 'SIGKILL' })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  listening.catch(() => {})
  child.stderr.on('data', chunk => String(chunk).includes('"listening"') && resolve())

  async function end(): Promise<Ended> {
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    reject(new Error(`It ended with ${code} before it was there:\n${err}`))
    return {
      code,
      out,
      err: stripVTControlCharacters(err).replace(/^(?:This is the offline model|\S+\.ts:\d+:\d+ {2}).*\n/gm, ''),
    }
  }
  const ended = end()
  const signalled = (signal: NodeJS.Signals) => () => {
    child.kill(signal)
    return ended
  }
  const [stop, kill] = [signalled('SIGTERM'), signalled('SIGKILL')]
  let over: Ended | undefined
  void ended.then(end => {
    over = end
  })
  return {
    listening,
    ended,
    async until(holds) {
      while (!(await holds())) {
        if (over) throw new Error(`It ended with ${over.code}:\n${over.err}`)
        await pause(20)
      }
    },
    stop,
    kill,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}
