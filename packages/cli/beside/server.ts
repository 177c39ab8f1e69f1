/** Runs commands of other processes inside the bot, whose data folder no other process can open. */
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { spooled } from '@kikimimi/backup'
import { type Bot, type Clock, KikimimiError, type Logger } from 'kikimimi'
import { reason } from 'kikimimi/host'
import type { ReadBot } from '../read-bot.ts'
import { report } from '../report.ts'
import type { Session } from '../session.ts'
import { encode, framesOf, type Kind, type Request, readRequest, VERSION } from './protocol.ts'
import { claimSocket, removeSocket } from './socket-path.ts'

export interface BesideOptions {
  /** The data folder, as `dataFolder` gives it. The bot has its lock. */
  readonly folder: string
  readonly bot: Bot
  /** The bot.config.ts that the bot runs with now. */
  current(): ReadBot
  readonly clock: Clock
  readonly log: Logger
  /** Runs a command line. */
  run(args: readonly string[], session: Session): Promise<void>
}

export interface BesideServer extends AsyncDisposable {
  /** Cancels running commands and refuses new ones: the bot stops. */
  refuse(): Promise<void>
}

/** Milliseconds in which a connection has to send its request. */
const REQUEST_MS = 5_000

/** Disposed: the socket is gone. A bot that cannot have a socket runs without one, and the log says so. */
export async function serveBeside(options: BesideOptions): Promise<BesideServer> {
  const { folder, log } = options
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const server = createServer(socket => {
    const answered = answer(socket, options, stopping.signal).finally(() => running.delete(answered))
    running.add(answered)
  })
  // Connections are accepted one by one; one that fails is the matter of its command.
  try {
    await listen(server, claimSocket(folder))
  } catch (error) {
    log.warn(
      `Commands such as kikimimi why do not work while the bot runs: there is no socket beside ${folder} (${reason(error)}).`,
    )
  }
  const settled = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  return {
    async refuse() {
      stopping.abort()
      await settled()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      const closed = server.listening ? once(server, 'close') : undefined
      server.close()
      await settled()
      await closed
      removeSocket(folder)
    },
  }
}

async function listen(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  // The socket is made before `listen` returns: no other user can open it, not even for a moment.
  const before = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
  await once(server, 'listening')
  chmodSync(path, 0o600)
}

async function answer(socket: Socket, options: BesideOptions, stopping: AbortSignal): Promise<void> {
  const { clock } = options
  // A command that ends early closes the connection; what fails then is no news.
  socket.on('error', () => {})
  using closing = new DisposableStack()
  closing.defer(() => socket.destroy())
  const send = async (kind: Kind, payload: Buffer) => {
    if (!socket.writable) return
    if (!socket.write(encode(kind, payload)) && socket.writable) await Promise.race([once(socket, 'drain'), closedOf(socket)])
  }
  const end = async (code: number) => {
    await send('exit', Buffer.of(code))
    socket.end()
    await closedOf(socket)
  }
  const timer = clock.setTimeout(() => socket.destroy(), REQUEST_MS)
  const request = await readRequest(socket.iterator({ destroyOnReturn: false })).catch(() => undefined)
  clock.clearTimeout(timer)
  const input = new PassThrough()
  // From here on the only news of the command are its input, and that it has gone.
  void readInput(socket, input)
  const refusal = stopping.aborted ? STOPS : request ? undefined : OTHER_VERSION
  if (!request || refusal !== undefined) {
    await send('stderr', Buffer.from(`${refusal}\n`))
    return end(1)
  }
  const code = await perform(request, { ...options, socket, input, stopping, send })
  if (stopping.aborted && code !== 0) await send('stderr', Buffer.from(`${STOPS}\n`))
  await end(code)
}

const STOPS = 'The bot stops. Run the command again when it has stopped, or when it has started again.'
const OTHER_VERSION = `The running bot has another version of kikimimi (protocol ${VERSION}). Restart it, or stop it for this command.`

interface Work extends BesideOptions {
  readonly socket: Socket
  /** What the command sends of its standard input. */
  readonly input: PassThrough
  readonly stopping: AbortSignal
  send(kind: Kind, payload: Buffer): Promise<void>
}

async function perform({ args, cwd, terminal }: Request, work: Work): Promise<number> {
  const { folder, bot, socket, input, stopping, send, run } = work
  const over = new AbortController()
  socket.once('close', () => over.abort())
  const signal = AbortSignal.any([over.signal, stopping])
  const stdout = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: terminal })
  signal.addEventListener('abort', () => {
    stdout.destroy()
    input.end()
  })
  // Writing to a command that has gone fails without harm.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  let code = 0
  const session: Session = {
    end(ended) {
      code = ended
    },
    stdout,
    stderr,
    input() {
      void send('input', Buffer.alloc(0))
      return input
    },
    cwd,
    signal,
    readBot: async () => work.current(),
    open: async () => {
      const { db } = bot
      if (!db) throw new KikimimiError('DATABASE_NONE', 'This bot has no database and keeps nothing.')
      return { ...work.current(), db, [Symbol.asyncDispose]: async () => {} }
    },
    setUp: async () => bot.running(),
    startBot: async () => ({ command: bot.command, forget: bot.forget, [Symbol.asyncDispose]: async () => {} }),
  }
  // Through a file: a reader that waits must not hold up the bot, which waits for the transaction of a backup.
  const printing = copy(spooled(stdout, `${folder}.spool`), chunk => send('stdout', chunk)).catch(error => error)
  const telling = copy(stderr, chunk => send('stderr', chunk))
  try {
    await run(args, session)
  } catch (error) {
    // An error of a command that was cancelled says nothing.
    code = signal.aborted ? 1 : report(error, args, stderr)
  }
  stdout.end()
  const failed = await printing
  if (failed !== undefined && !signal.aborted) {
    stderr.write(`Could not write the output: ${reason(failed)}\n`)
    code = 1
  }
  stderr.end()
  await telling
  return code
}

/** Reads the input of a command. When the command has gone, it ends. */
async function readInput(socket: Socket, input: PassThrough): Promise<void> {
  try {
    for await (const { kind, payload } of framesOf(socket.iterator({ destroyOnReturn: false }))) {
      if (kind !== 'stdin') continue
      if (payload.length === 0) break
      // A command that does not read holds up its own input alone.
      if (!input.write(payload)) await Promise.race([once(input, 'drain'), closedOf(socket)])
    }
  } catch {
    // The connection has failed.
  }
  if (!input.writableEnded) input.end()
  socket.resume()
}

async function copy(chunks: AsyncIterable<Buffer>, send: (chunk: Buffer) => Promise<void>): Promise<void> {
  for await (const chunk of chunks) await send(chunk)
}

async function closedOf(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}
