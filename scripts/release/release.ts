/**
 * `npm run release -- patch|minor|major [--dry-run]`: prepares a release of all packages, and stops before `npm publish`.
 * It compares the public API with the last release, writes the versions and CHANGELOG.md, records the migrations and data, packs,
 * installs the tarballs from a registry on this machine as a user does, commits and tags. After an error, and with --dry-run,
 * the checkout is as before.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { succeeds } from '../command.ts'
import { pack } from '../pack.ts'
import { type ApiChange, apiChange, apiReports, neededBump } from './api-report.ts'
import { changelogSection, withSection } from './changelog.ts'
import { compatibility, releaseAt } from './compat.ts'
import { freeze, frozenProblems } from './frozen.ts'
import { startRegistry } from './registry.ts'
import { addThree, createBot, meets } from './trial.ts'
import { BUMPS, type Bump, bumped, isCompatible, presentVersion, setVersion } from './versions.ts'

const root = join(import.meta.dirname, '../..')
const git = (...args: string[]) => succeeds(root, 'git', args)

class Refusal extends Error {}

/** One release of a repository at a time, also from its other worktrees. The lock ends with the process. */
async function claimCheckout(): Promise<Disposable> {
  const folder = (await git('rev-parse', '--path-format=absolute', '--git-common-dir')).trim()
  const lock = new DatabaseSync(join(folder, 'kikimimi-release.lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    throw new Refusal('Another release of this repository is being prepared. Wait until it has ended.')
  }
  return { [Symbol.dispose]: () => lock.close() }
}

async function release(bump: Bump, dryRun: boolean): Promise<void> {
  using _ = await claimCheckout()
  if ((await git('status', '--porcelain')).trim() !== '') throw new Refusal('The checkout has changes. Commit them first.')
  const problems = await frozenProblems()
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  const before = await presentVersion()
  // The commit of the last release; '' before the first one, which publishes the version that the packages have.
  const last = (
    await git('log', '-1', '--format=%H', '--extended-regexp', '--grep', '^release: [0-9]+\\.[0-9]+\\.[0-9]+$')
  ).trim()
  const version = last === '' ? before : bumped(before, bump)
  tell(last === '' ? `The first release: ${version}` : `${before} → ${version}`)

  tell('Compare the public API')
  const change = last === '' ? 'none' : apiChange(await reportsAt(last), await apiReports())
  refuseTooSmall(before, version, change)
  try {
    await setVersion(root, version)
    await succeeds(root, 'npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'])
    const subjects = last === '' ? [] : (await git('log', `${last}..HEAD`, '--no-merges', '--format=%s')).trim().split('\n')
    const section =
      last === ''
        ? `## ${version} (${today()})\n\nThe first release.\n`
        : changelogSection(version, today(), subjects.filter(Boolean))
    const file = join(root, 'CHANGELOG.md')
    await writeFile(file, withSection(await readFile(file, 'utf8').catch(() => ''), section))
    await succeeds(root, process.execPath, ['test/upgrade/make.ts', `test/upgrade/${version}.backup`])
    await freeze()
    tell('Pack')
    const packed = await pack(join(root, '.cache/release', version))
    tell('Install from a registry on this machine')
    const tarballs = packed.map(({ file: tarball }) => tarball)
    await tryOut(tarballs)
    if (last !== '' && isCompatible(before, version)) {
      tell(`Try plugins and kernel of ${before} with those of ${version}`)
      await refuseIncompatible(last, before, tarballs)
    }
    if (dryRun) {
      console.log(`\n${section}`)
      return
    }
    await git('add', '--all')
    await git('commit', '--quiet', '--message', `release: ${version}`)
    await git('tag', `v${version}`)
    tell(`Tagged v${version}. Publish it where provenance can be signed (a CI job with an identity):`)
    for (const { file: tarball } of packed) console.log(`npm publish ${tarball} --provenance`)
    console.log('git push --follow-tags')
    const { repository } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    if (!repository) tell('Before that, set "repository" in package.json and pack again: npm checks the provenance against it.')
  } finally {
    // Nothing is left of a release that was not committed. The checkout was clean before.
    await git('reset', '--quiet', '--hard')
    await git('clean', '--quiet', '--force')
  }
}

async function refuseIncompatible(last: string, before: string, tarballs: readonly string[]): Promise<void> {
  await using scope = new AsyncDisposableStack()
  const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-compat-')), path =>
    rm(path, { recursive: true, maxRetries: 3 }),
  )
  const { table, works } = await compatibility(folder, await releaseAt(last, join(folder, 'released')), tarballs)
  console.table(table)
  if (!works) throw new Refusal(`The packages do not work with those of ${before}: the table says what is wrong.`)
}

async function tryOut(tarballs: readonly string[]): Promise<void> {
  await using scope = new AsyncDisposableStack()
  const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-release-')), path =>
    rm(path, { recursive: true, maxRetries: 3 }),
  )
  const registry = scope.use(await startRegistry())
  for (const tarball of tarballs) await registry.publish(tarball)
  const bot = await createBot(folder, registry)
  await meets(bot, 'new bot')
  await addThree(bot)
  await meets(bot, 'with them')
  console.table(bot.steps)
  const several = bot.steps.find(({ kernels }) => kernels !== 1)
  if (several) throw new Error(`${several.step}: ${several.kernels} kernels in one bot`)
}

function refuseTooSmall(before: string, version: string, change: ApiChange): void {
  const needed = neededBump(before, change)
  if (needed === undefined || !isSmaller(before, version, needed)) return
  throw new Refusal(
    `The public API has ${change === 'added' ? 'additions' : 'changes'} since ${before}: it needs a ${needed} release.`,
  )
}

function isSmaller(before: string, version: string, needed: Bump): boolean {
  return bumped(before, needed).localeCompare(version, 'en', { numeric: true }) > 0
}

async function reportsAt(last: string): Promise<ReadonlyMap<string, string>> {
  const names = (await git('ls-tree', '--name-only', last, 'docs/api/')).trim().split('\n').filter(Boolean)
  const texts = names.map(async name => [name.replace('docs/api/', ''), await git('show', `${last}:${name}`)] as const)
  return new Map(await Promise.all(texts))
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function tell(line: string): void {
  console.log(`== ${line}`)
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } })
const [bump = ''] = positionals
if (!BUMPS.includes(bump)) {
  console.error(`Usage: npm run release -- ${BUMPS.join('|')} [--dry-run]`)
  process.exitCode = 2
} else {
  await release(bump as Bump, values['dry-run'] ?? false).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  })
}
