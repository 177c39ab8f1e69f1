/** A bot of the packed packages, as a user installs it, in its own process. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../core/testing/free-port.ts'
import { pack } from './pack.ts'

const root = join(import.meta.dirname, '..')

export interface PackedBot extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/** @param config the text of its bot.config.mjs */
export async function startPackedBot(config: string): Promise<PackedBot> {
  await using scope = new AsyncDisposableStack()
  await mkdir(join(root, '.cache'), { recursive: true })
  // Inside of the repository: what the packages depend on is found in its node_modules.
  const folder = scope.adopt(await mkdtemp(join(root, '.cache/packed-bot-')), path =>
    rm(path, { recursive: true, maxRetries: 3 }),
  )
  for (const { name, file } of await pack(join(folder, 'packages'))) {
    const target = join(folder, 'node_modules', name)
    await mkdir(target, { recursive: true })
    await promisify(execFile)('tar', ['xf', file, '--strip-components=1', '-C', target])
  }
  await writeFile(join(folder, 'bot.config.mjs'), config)
  const http = `127.0.0.1:${await freePort()}`
  const bin = join(folder, 'node_modules/@kikimimi/cli/bin.js')
  const child = spawn(process.execPath, [bin, 'start', '--config', 'bot.config.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, KIKIMIMI_HTTP: http, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  scope.defer(async () => {
    child.kill('SIGTERM')
    await exited
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      log += chunk
      if (log.includes('"listening"')) resolve()
    })
    exited.then(([code]) => reject(new Error(`The packed bot ended with ${code}:\n${log}`)), reject)
  })
  const open = scope.move()
  return { url: `http://${http}`, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
