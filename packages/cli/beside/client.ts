/** Lets the running bot of a data folder run a command, because no other process can open its database. */
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { encode, framesOf, type Request, VERSION } from './protocol.ts'
import { dataFolder, socketOf } from './socket-path.ts'

/**
 * @returns the exit code; undefined if no bot runs on the database, or if the database is no folder
 * @throws BOT_UNREACHABLE if the bot belongs to another user or ends before the command
 */
export async function runBeside(database: string | false, args: readonly string[]): Promise<number | undefined> {
  const folder = dataFolder(database)
  const socket = folder === undefined ? undefined : await connect(folder)
  if (!socket) return undefined
  using closing = new DisposableStack()
  closing.defer(() => socket.destroy())
  const request: Request = { version: VERSION, args, cwd: process.cwd(), terminal: process.stderr.isTTY }
  socket.write(`${JSON.stringify(request)}\n`)
  try {
    for await (const { kind, payload } of framesOf(socket)) {
      if (kind === 'exit') return payload.readUInt8()
      if (kind === 'input') void sendInput(socket)
      else if (kind !== 'stdin') await write(process[kind], payload)
    }
  } catch (error) {
    throw gone(reason(error))
  }
  throw gone('it has ended')
}

async function connect(folder: string): Promise<Socket | undefined> {
  try {
    const socket = createConnection(socketOf(folder))
    await once(socket, 'connect')
    return socket
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // No bot, or the file of a bot that was killed.
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw new KikimimiError(
      'BOT_UNREACHABLE',
      `The bot that uses ${folder} cannot be asked: ${reason(error)}. Run the command as the user of the bot, or stop the bot.`,
      { cause: error },
    )
  }
}

/** Sends standard input until the connection ends. */
async function sendInput(socket: Socket): Promise<void> {
  // An input that stays open would keep the process.
  socket.once('close', () => process.stdin.destroy())
  try {
    for await (const chunk of process.stdin) if (!socket.write(encode('stdin', Buffer.from(chunk)))) await once(socket, 'drain')
    socket.write(encode('stdin', Buffer.alloc(0)))
  } catch {
    // The command has ended.
  }
}

async function write(stream: NodeJS.WriteStream, payload: Buffer): Promise<void> {
  // The reader of a pipe may close it early, such as head.
  if (stream.listenerCount('error') === 0) stream.on('error', () => process.exit())
  if (!stream.write(payload)) await once(stream, 'drain')
}

function gone(why: string): KikimimiError {
  return new KikimimiError(
    'BOT_UNREACHABLE',
    `The bot that ran the command is gone: ${why}. Check what the command has done, and run it again.`,
  )
}
