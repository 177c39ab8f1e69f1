/**
 * A Postgres server of the test, which it can stop and start. Its programs are those of the server of TEST_DATABASE_URL.
 */

import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, testServer } from 'kikimimi/testing'
import pg from 'pg'

const run = promisify(execFile)

export interface OwnServer extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  /** At once, like a power failure. */
  stop(): Promise<void>
}

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
dynamic_shared_memory_type = mmap
jit = off
fsync = off
`

export async function startOwnServer(): Promise<OwnServer> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-postgres-')))
  const data = join(folder.path, 'data')
  const [programs, port] = [await programsOf(testServer()), await freePort()]
  await chmod(folder.path, 0o755)
  await mkdir(data, { mode: 0o700 })
  // Postgres refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: await idOf('-u'), gid: await idOf('-g') } : {}
  if (nobody.uid !== undefined) await chown(data, nobody.uid, nobody.gid)
  const program = (name: string, ...args: string[]) => run(join(programs, name), args, { cwd: '/', ...nobody })
  await program('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync')
  await appendFile(join(data, 'postgresql.conf'), `${SETTINGS}port = ${port}\n`)
  const start = async () => void (await program('pg_ctl', '-D', data, '-l', join(data, 'log'), '-w', 'start'))
  const stop = async () => void (await program('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop'))
  await start()
  opened.defer(() => stop().catch(() => {}))
  const scope = opened.move()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

async function programsOf(url: string | undefined): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select setting from pg_config where name = 'BINDIR'`)
    return String(rows[0].setting)
  } finally {
    await client.end()
  }
}

async function idOf(which: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [which, 'nobody'])).stdout)
}
