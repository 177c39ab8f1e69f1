/** An IRC server on loopback, and people who are connected to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/** A program, if this machine has it. */
export function programAt(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map(folder => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Ircd extends AsyncDisposable {
  readonly port: number
  /** A person connects, and joins the channels. */
  enter(nick: string, channels?: readonly string[]): Promise<Visitor>
}

/** A person with a plain client. */
export interface Visitor {
  /** Sends lines. Resolves when the server has handled them. */
  send(...lines: readonly string[]): Promise<void>
  /** All lines that the person has received. */
  readonly heard: readonly string[]
  /** The messages of a sender, in a channel or to the person: their texts. */
  texts(from: string, target: string, command?: 'PRIVMSG' | 'NOTICE'): string[]
  leave(): void
}

/** Starts a server. @param config its configuration @param args its arguments for the path of that */
export async function startIrcd(
  { program, port }: { readonly program: string; readonly port: number },
  config: (folder: string) => string,
  args: (path: string) => readonly string[],
): Promise<Ircd> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-ircd-')))
  const path = join(folder.path, 'ircd.conf')
  await writeFile(path, config(folder.path))
  const child: ChildProcess = spawn(program, args(path), { stdio: ['ignore', 'ignore', 'ignore'] })
  opened.defer(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`)
    await pause(20)
  }
  const visitors = new Set<Visitor>()
  opened.defer(() => visitors.forEach(visitor => void visitor.leave()))
  const scope = opened.move()
  return {
    port,
    async enter(nick, channels = ['#general']) {
      const visitor = await visit(port, nick)
      visitors.add(visitor)
      await visitor.send(...channels.map(channel => `JOIN ${channel}`))
      return visitor
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

async function visit(port: number, nick: string): Promise<Visitor> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  socket.on('error', () => socket.destroy())
  const heard: string[] = []
  const pongs = new Map<string, () => void>()
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line => {
    if (line.startsWith('PING ')) socket.write(`PONG ${line.slice(5)}\r\n`)
    const [, token = ''] = / PONG \S+ :?(\S+)$/.exec(line) ?? []
    pongs.get(token)?.()
    heard.push(line)
  })
  const visitor: Visitor = {
    heard,
    async send(...lines) {
      const token = randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      pongs.set(token, resolve)
      socket.once('close', () => reject(new Error(`${nick} is not connected`)))
      for (const line of [...lines, `PING ${token}`]) socket.write(`${line}\r\n`)
      await promise
    },
    texts: (from, target, command = 'PRIVMSG') =>
      heard.flatMap(line => {
        const [, sender, kind, to, text] = /^:([^!\s]+)!\S+ (\S+) (\S+) :?(.*)$/.exec(line) ?? []
        return sender === from && kind === command && to === target && text !== undefined ? [text] : []
      }),
    leave: () => leave(socket),
  }
  socket.write(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\n`)
  while (!heard.some(line => / 001 /.test(line))) {
    if (socket.destroyed) throw new Error(`${nick} was refused:\n${heard.join('\n')}`)
    await pause(5)
  }
  return visitor
}

function leave(socket: Socket): void {
  socket.destroy()
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
