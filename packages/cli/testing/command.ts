/** Runs commands for tests. */
import { spawn } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { report } from '../report.ts'
import { run } from '../run.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// As `npm start` runs it. Without these flags each start would optimise a Postgres that ends before it gains from that.
const { kikimimi }: { kikimimi: { flags: string[] } } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Arguments of Node for the command line as a process. */
export const cli: readonly string[] = [...kikimimi.flags, `${root}packages/cli/cli.ts`]

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Call {
  /** The folder of the bot. */
  readonly cwd: string
  /** What is typed. Default: nothing. */
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
}

/** As a process of its own: for what only a process shows. */
export async function spawned(args: readonly string[], { cwd, input = '', env = {} }: Call): Promise<Ended> {
  // Those of the one who runs the tests would colour the output.
  const colors = { NO_COLOR: undefined, FORCE_COLOR: undefined }
  const child = spawn(process.execPath, [...cli, ...args], {
    cwd,
    env: { ...process.env, ...colors, LOG_LEVEL: 'warn', ...env },
  })
  child.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection'] as const

/** In this process, which takes a fifth of the time. The process is afterwards as it was. */
export async function called(args: readonly string[], { cwd, input = '', env = {} }: Call): Promise<Ended> {
  using restore = new DisposableStack()
  const [folder, exitCode] = [process.cwd(), process.exitCode]
  process.chdir(cwd)
  restore.defer(() => process.chdir(folder))
  for (const [name, value] of Object.entries({ LOG_LEVEL: 'warn', ...env })) {
    const before = process.env[name]
    process.env[name] = value
    restore.defer(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from(input === '' ? [] : [Buffer.from(input)]) })
  restore.defer(() => Object.defineProperty(process, 'stdin', stdin))
  for (const event of EVENTS) {
    restore.use(withoutNewListeners(process, event))
  }
  const out = captured(process.stdout, restore)
  const err = captured(process.stderr, restore)
  restore.defer(() => {
    process.exitCode = exitCode
  })
  process.exitCode = undefined
  try {
    await run(args)
  } catch (error) {
    process.exitCode = report(error, args)
  }
  return { code: Number(process.exitCode ?? 0), out: out(), err: err() }
}

/** Removes the listeners that were added meanwhile. */
function withoutNewListeners(emitter: EventEmitter, event: string): Disposable {
  const before = new Set(emitter.rawListeners(event))
  return {
    [Symbol.dispose]() {
      for (const listener of emitter.rawListeners(event)) {
        if (!before.has(listener)) emitter.removeListener(event, listener as () => void)
      }
    },
  }
}

/** Keeps what is written. */
function captured(stream: NodeJS.WriteStream, restore: DisposableStack): () => string {
  let written = ''
  const { write } = stream
  restore.use(withoutNewListeners(stream, 'error'))
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    written += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = more.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  restore.defer(() => {
    stream.write = write
  })
  return () => written
}
