/**
 * `npm run docs`: builds the site of the documents into `.cache/site`, and fails on a link that leads nowhere. Each release stands
 * below its version, such as `/0.1.0/`, as it was released. `npm run docs -- dev` shows the pages while they are written.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run, succeeds } from './command.ts'

const root = join(import.meta.dirname, '..')
const site = join(root, '.cache/site')

const { positionals } = parseArgs({ allowPositionals: true })
await install(root)
if (positionals[0] === 'dev') {
  await vitepress(root, ['dev', 'docs'])
} else {
  const releases = (await run(root, 'git', ['tag', '--list', 'v*', '--sort=-v:refname'])).out.trim().split('\n').filter(Boolean)
  const versions = JSON.stringify(releases.map(tag => tag.slice(1)))
  await vitepress(root, ['build', 'docs'], { KIKIMIMI_DOCS_VERSIONS: versions })
  for (const tag of releases) await buildRelease(tag, versions)
}

async function buildRelease(tag: string, versions: string): Promise<void> {
  const version = tag.slice(1)
  const folder = await mkdtemp(join(tmpdir(), 'kikimimi-docs-'))
  try {
    await succeeds(root, 'git', ['worktree', 'add', '--detach', folder, tag])
    await install(folder)
    await vitepress(folder, ['build', 'docs', '--outDir', join(site, version)], {
      KIKIMIMI_DOCS_BASE: `/${version}/`,
      KIKIMIMI_DOCS_VERSIONS: versions,
    })
  } finally {
    await run(root, 'git', ['worktree', 'remove', '--force', folder])
    await rm(folder, { recursive: true, force: true })
  }
}

async function install(folder: string): Promise<void> {
  if (existsSync(join(folder, 'docs/node_modules/vitepress'))) return
  await succeeds(join(folder, 'docs'), 'npm', ['ci', '--ignore-scripts', '--loglevel=error'])
}

async function vitepress(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const command = [join(folder, 'docs/node_modules/vitepress/bin/vitepress.js'), ...args]
  const child = spawn(process.execPath, command, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' })
  const code = await new Promise<number>(resolve => child.on('close', status => resolve(status ?? 1)))
  if (code !== 0) process.exit(code)
}
