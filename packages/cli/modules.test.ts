import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Prints the number of loaded modules on standard error at the end, without those of Node. */
const COUNTER = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
  process.on('exit', () => process.stderr.write(String([...loaded].filter(url => url.startsWith('file:')).length)))
`

async function modulesOf(args: readonly string[], cwd: string): Promise<number> {
  const counter = ['--import', `data:text/javascript,${encodeURIComponent(COUNTER)}`]
  const cli = join(root, 'packages/cli/cli.ts')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...counter, cli, ...args], { cwd })
  expect(stdout).not.toBe('')
  return Number(stderr)
}

test('help and version load only the command line itself, in the folder of a bot and outside', async () => {
  await using outside = await mkdtempDisposable(join(tmpdir(), 'kikimimi-modules-'))
  for (const args of [['--help'], ['--version'], ['help', 'start']]) {
    for (const folder of [outside.path, root])
      expect(await modulesOf(args, folder), `${args} in ${folder}`).toBeLessThanOrEqual(20)
  }
})
