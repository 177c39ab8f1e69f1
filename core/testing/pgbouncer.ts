/** A PgBouncer in transaction mode, in front of the server of TEST_DATABASE_URL. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

export interface PgBouncer extends AsyncDisposable {
  /** The URL of a database of the server, through the pooler. */
  through(url: string): string
}

/** The program, if this machine has it. */
export function pgBouncerProgram(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map(folder => join(folder, 'pgbouncer')).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Fewer connections than a bot opens, so that transactions of one client use several. */
const POOL = 4

export async function startPgBouncer(program: string, server: string): Promise<PgBouncer> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-pgbouncer-')))
  await chmod(folder.path, 0o755)
  const { hostname, port, username, password } = new URL(server)
  const [own, users, config] = [await freePort(), join(folder.path, 'users'), join(folder.path, 'pgbouncer.ini')]
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${POOL}
max_client_conn = 200
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...user, config], { stdio: ['ignore', 'ignore', 'inherit'] })
  opened.defer(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  while (!(await accepts(own))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`)
    await pause(50)
  }
  const scope = opened.move()
  return {
    through: url => Object.assign(new URL(url), { host: `127.0.0.1:${own}` }).href,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
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
