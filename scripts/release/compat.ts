/**
 * `npm run compat [-- REF]`: whether plugins of the last release work with the present kernel. The table also tells what the present
 * plugins do with the kernel of the last release. Npm does not install these together: each plugin asks for the kernel of its release, or
 * a later one. REF is the tag or the commit of the last release. Default: the last tag. Both versions are packed, published to a
 * registry on this machine and installed in a bot, once for each combination.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { PLUGIN_PACKAGES, variableOf } from '../../packages/cli/plugin-packages.ts'
import { run, succeeds } from '../command.ts'
import { pack, workspaces } from '../pack.ts'
import { type Registry, startRegistry } from './registry.ts'
import { repacked } from './repack.ts'
import { createBot, meets, type Trial } from './trial.ts'
import { bumped } from './versions.ts'

const root = join(import.meta.dirname, '../..')

/** A release that can be installed. */
export interface Release {
  readonly version: string
  /** The tarballs, by package. */
  readonly packages: ReadonlyMap<string, string>
}

export interface Compatibility {
  /** By plugin: `works`, or what is wrong. The last row is a bot that talks and remembers. */
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly works: boolean
}

/** Options without which a plugin does not start. */
const OPTIONS: Readonly<Record<string, string>> = {
  '@kikimimi/backup': "{ to: './backups' }",
  '@kikimimi/irc': "{ host: '127.0.0.1' }",
}

/** The file of the bot with all plugins. */
const CONFIG = 'compat.config.ts'

/** Nothing answers there: what a plugin finds out from its platform is the same with both kernels. */
const AWAY = 'http://127.0.0.1:9'
const ENV = {
  ...{ DISCORD_TOKEN: 'no-token', DISCORD_API_URL: AWAY, SLACK_BOT_TOKEN: 'xoxb-no-token', SLACK_APP_TOKEN: 'xapp-no-token' },
  ...{ SLACK_API_URL: `${AWAY}/`, TELEGRAM_TOKEN: '1:no-token' },
}

/** The packages of a tag or a commit, packed by its own script. */
export async function releaseAt(ref: string, into: string): Promise<Release> {
  const checkout = join(into, 'checkout')
  await succeeds(root, 'git', ['worktree', 'add', '--quiet', '--detach', checkout, ref])
  try {
    await succeeds(checkout, 'npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
    await succeeds(checkout, process.execPath, ['scripts/pack.ts', join(into, 'packages')])
    const all = await workspaces(checkout)
    const [{ version = '' } = {}] = all.map(({ manifest }) => manifest)
    const fileOf = (name: string) => join(into, 'packages', `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    return { version, packages: new Map(all.map(({ manifest: { name } }) => [name, fileOf(name)])) }
  } finally {
    await succeeds(root, 'git', ['worktree', 'remove', '--force', checkout])
  }
}

/** @param folder an empty folder @param released the last release @param present the tarballs of this checkout */
export async function compatibility(folder: string, released: Release, present: readonly string[]): Promise<Compatibility> {
  const { version } = released
  await using registry = await startRegistry()
  for (const file of released.packages.values()) await registry.publish(file)
  const { files, fileOf } = await presentAs(version, present, join(folder, 'present'))
  // For what they ask of each other.
  for (const file of files) await registry.publish(file, 'present')

  const names = [...released.packages.keys()].filter(name => name !== 'create-kikimimi')
  const plugins = PLUGIN_PACKAGES.filter(name => names.includes(name))
  const bot = await createBot(folder, registry)
  const tried = async (step: string, isPresent: (name: string) => boolean) => {
    const packages = names.map(name => (isPresent(name) ? fileOf(name) : `${name}@${version}`))
    await bot.install(step, ...packages, '--save-exact')
    const kernels = bot.steps.at(-1)?.kernels ?? 0
    const several = kernels === 1 ? [] : [`${kernels} kernels in one bot`]
    return { found: [...several, ...(await problemsOf(bot, registry, plugins))], talk: await talks(bot) }
  }
  const own = [await tried('the last release', () => false), await tried('this checkout', () => true)]
  const mixed = {
    [OLD_PLUGINS]: await tried(OLD_PLUGINS, name => name === 'kikimimi'),
    [NEW_PLUGINS]: await tried(NEW_PLUGINS, name => name !== 'kikimimi'),
  }
  console.table(bot.steps)
  const failing = own.find(one => one.talk !== WORKS)
  if (failing) throw new Error(`A bot of one version does not talk: ${failing.talk}`)
  const known = new Set(own.flatMap(({ found }) => found))
  const rows = [...plugins, 'all together'].map(name => {
    const results = Object.entries(mixed).map(([column, { found }]) => [column, resultOf(name, plugins, found, known)])
    return [name, Object.fromEntries(results)]
  })
  const talk = Object.fromEntries(Object.entries(mixed).map(([column, one]) => [column, one.talk]))
  const all: Compatibility['table'] = Object.fromEntries([...rows, ['a bot that talks', talk]])
  return {
    table: Object.fromEntries(
      Object.entries(all).map(([name, { [NEW_PLUGINS]: result, ...row }]) => [
        name,
        { ...row, [NEW_PLUGINS]: result === WORKS ? result : `needs this kernel, and asks for it (${result})` },
      ]),
    ),
    works: Object.values(all).every(row => row[OLD_PLUGINS] === WORKS),
  }
}

const OLD_PLUGINS = 'plugins of the last release, this kernel'
const NEW_PLUGINS = 'these plugins, kernel of the last release'

/** The packages of this checkout as the next release that says that it is compatible. */
async function presentAs(version: string, present: readonly string[], into: string) {
  const names: string[] = []
  const files = await repacked(present, into, bumped(version, 'patch'), {
    asks: version,
    change: async (_folder, name) => void names.push(name),
  })
  return { files, fileOf: (name: string) => files[names.indexOf(name)] ?? name }
}

const WORKS = 'works'

function configOf(plugins: readonly string[], imported = plugins): string {
  const imports = imported.map(name => `import ${variableOf(name)} from '${name}'`)
  const calls = plugins.map(name => `    ${variableOf(name)}(${OPTIONS[name] ?? ''}),`)
  const bot = `export default defineBot({\n  persona: { name: 'kiki' },\n  database: 'memory',\n  plugins: [\n${calls.join('\n')}\n  ],\n})\n`
  return `${imports.join('\n')}\nimport { defineBot } from 'kikimimi'\n\n${bot}`
}

/** What `kikimimi check` finds, with all plugins set up. If they do not load together: which do not load, and what it finds with the others. */
async function problemsOf(bot: Trial, registry: Registry, plugins: readonly string[]): Promise<readonly string[]> {
  const together = await checked(bot, registry, configOf(plugins))
  if (loads(together)) return together
  const failing: string[] = []
  const others: string[] = []
  for (const plugin of plugins) {
    const alone = await checked(bot, registry, configOf([], [plugin]))
    if (loads(alone)) others.push(plugin)
    else failing.push(...alone.map(problem => `${nameOf(plugin)}: ${problem}`))
  }
  return [...together, ...failing, ...(await checked(bot, registry, configOf(others)))]
}

function loads(problems: readonly string[]): boolean {
  return !problems.some(one => one.startsWith(`${CONFIG}: `) || one.startsWith('check: '))
}

async function checked({ folder }: Trial, { env }: Registry, config: string): Promise<readonly string[]> {
  await writeFile(join(folder, CONFIG), config)
  const args = ['run', '--silent', 'kikimimi', '--', 'check', '--json', '--config', CONFIG]
  const { out, err } = await run(folder, 'npm', args, { env: { ...env, ...ENV } })
  const lines = out.split('\n').filter(line => line.startsWith('{'))
  if (lines.length === 0) return [`check: ${reasonIn(err)}`]
  const findings: { what: string; problem?: string }[] = lines.map(line => JSON.parse(line))
  return findings.flatMap(({ what, problem }) => (problem === undefined ? [] : [`${what}: ${problem}`]))
}

function resultOf(name: string, plugins: readonly string[], found: readonly string[], known: ReadonlySet<string>): string {
  const isOf = (plugin: string, problem: string) =>
    problem.startsWith(`${nameOf(plugin)}: `) || problem.includes(`[${nameOf(plugin)}]`)
  const fresh = found.filter(one => !known.has(one))
  const own = plugins.includes(name)
    ? fresh.filter(one => isOf(name, one))
    : fresh.filter(one => !plugins.some(plugin => isOf(plugin, one)))
  return own.join('; ') || WORKS
}

function nameOf(plugin: string): string {
  return basename(plugin)
}

async function talks(bot: Trial): Promise<string> {
  await rm(join(bot.folder, 'data'), { recursive: true, force: true })
  return meets(bot, 'talk').then(
    () => WORKS,
    (error: Error) => reasonIn(error.message),
  )
}

/** Of the output of a command that failed: the first line of its error, without the stack; of other output, the last line. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  return lines.find(line => /^\w*Error\b.*: /.test(line)) ?? (lines.at(-1) || 'no output')
}

if (import.meta.main) {
  const [given] = process.argv.slice(2)
  const tag = (await run(root, 'git', ['describe', '--tags', '--abbrev=0', '--match=v*'])).out.trim()
  const ref = given ?? tag
  if (ref === '') {
    console.error('There is no release yet. Name a commit: npm run compat -- COMMIT')
    process.exitCode = 2
  } else {
    await using scope = new AsyncDisposableStack()
    const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-compat-')), path =>
      rm(path, { recursive: true, maxRetries: 3 }),
    )
    console.log(`== Pack ${ref}`)
    const released = await releaseAt(ref, join(folder, 'released'))
    console.log('== Pack this checkout')
    const present = (await pack(join(folder, 'packed'))).map(({ file }) => file)
    console.log('== Install each combination')
    const { table, works } = await compatibility(folder, released, present)
    console.table(table)
    if (!works) process.exitCode = 1
  }
}
