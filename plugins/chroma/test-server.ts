/**
 * A real Chroma server on loopback, for tests: the native binding of the npm package `chromadb`, version 1.0.1. That
 * version
 * runs with glibc 2.34; later ones need 2.39. It takes 400 MB, so tests install it into .cache and package.json does not
 * list it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ChromaClient } from 'chromadb'
import { freePort } from 'kikimimi/testing'

export interface ChromaServer extends AsyncDisposable {
  readonly port: number
  start(): Promise<void>
  /** Ends the server like a crash. Its data stays. */
  kill(): Promise<void>
  /** Deletes its data. The server must not be running. */
  lose(): Promise<void>
}

const VERSION = '1.0.1'
const BINDING = `chromadb-js-bindings-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`
const CACHE = fileURLToPath(new URL(`../../.cache/chroma-${VERSION}`, import.meta.url))

const SERVE = `require(${JSON.stringify(BINDING)}).cli(['chroma', 'run', ...process.argv.slice(1)])`

/** Why no server can run on this machine, printed to the log; undefined if one can. */
export async function whyNoChroma(): Promise<string | undefined> {
  try {
    await install()
    await promisify(execFile)(process.execPath, ['-e', `require(${JSON.stringify(BINDING)})`], { cwd: CACHE })
    return undefined
  } catch (error) {
    const why = `${BINDING} ${VERSION} does not run here: ${String(error).slice(0, 500)}`
    process.stderr.write(`\nSKIPPED: the tests that need a Chroma server. ${why}\n`)
    return why
  }
}

/** Starts a server on a free port with its own data. Call {@link whyNoChroma} first. */
export async function chromaServer(): Promise<ChromaServer> {
  const dir = await mkdtemp(join(tmpdir(), 'kikimimi-chroma-'))
  const data = join(dir, 'data')
  const port = await freePort()
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    // It ignores all other signals.
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  const server: ChromaServer = {
    port,
    kill,
    lose: () => rm(data, { recursive: true, force: true }),
    async start() {
      const args = ['--path', data, '--host', '127.0.0.1', '--port', String(port)]
      child = spawn(process.execPath, ['-e', SERVE, '--', ...args], { cwd: CACHE, stdio: 'ignore' })
      const client = new ChromaClient({ host: '127.0.0.1', port })
      while (!(await client.heartbeat().catch(() => undefined))) {
        if (child.exitCode !== null) throw new Error(`Chroma ended with ${child.exitCode}`)
        await sleep(20)
      }
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** If two test files install at the same time, one of them wins. */
async function install(): Promise<void> {
  if (existsSync(CACHE)) return
  await mkdir(join(CACHE, '..'), { recursive: true })
  const made = await mkdtemp(`${CACHE}.`)
  try {
    await promisify(execFile)('npm', ['install', '--prefix', made, '--no-audit', '--no-fund', `${BINDING}@${VERSION}`], {
      shell: process.platform === 'win32',
    })
    await rename(made, CACHE).catch(error => {
      if (!existsSync(CACHE)) throw error
    })
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
