/** The packages of a bot that have the version of kikimimi: which are installed, which version comes next, and its installation. */
import { existsSync, lstatSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { gt } from 'semver'
import { isOurs } from '../plugin-packages.ts'
import { agentOf } from '../plugins/project.ts'
import { packageFrom } from '../plugins/registry.ts'
import { type Ended, ended, npm, npmProblem } from '../processes.ts'

const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

type Manifest = { readonly workspaces?: readonly string[]; readonly name?: string } & {
  readonly [group in (typeof GROUPS)[number]]?: Readonly<Record<string, string>>
}

export function refused(message: string): KikimimiError {
  return new KikimimiError('UPGRADE_REFUSED', `${message}\nThe installed version and the files of the bot are as before.`)
}

/** The installed packages of kikimimi with their versions. @throws UPGRADE_REFUSED if npm has not installed them in this folder */
export async function installedIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const packages = join(folder, 'node_modules')
  if (process.env.KIKIMIMI_PACKAGES) {
    throw refused('The packages of this bot are in the image of the container. Take an image of the new version instead.')
  }
  if (!existsSync(join(folder, 'package.json')) || !existsSync(join(packages, 'kikimimi'))) {
    throw refused(`${folder} has no package.json with an installed kikimimi. Run npm install in the folder of the bot.`)
  }
  const agent = await agentOf(folder)
  if (agent !== 'npm') {
    throw refused(
      `The packages of this bot are installed with ${agent}, and kikimimi upgrade uses npm. Make a backup, and update all packages of kikimimi with ${agent}.`,
    )
  }
  if (lstatSync(join(packages, 'kikimimi')).isSymbolicLink()) {
    throw refused('This bot runs from a checkout of kikimimi, which git upgrades.')
  }
  const scoped = await readdir(join(packages, '@kikimimi')).catch(() => [])
  const names = ['kikimimi', ...scoped.sort().map(name => `@kikimimi/${name}`)]
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [name, (await read(join(packages, name, 'package.json'))).version]),
    ),
  )
}

/**
 * The version to upgrade to. Nothing: it is installed.
 *
 * @param wanted a version, a range or a tag. Default: the latest
 * @throws UPGRADE_REFUSED if the registry does not have it, and for an earlier one; REGISTRY_UNAVAILABLE
 */
export async function versionFor(folder: string, installed: string, wanted?: string): Promise<string | undefined> {
  const found = await packageFrom(`kikimimi@${wanted ?? 'latest'}`, folder)
  if (!found)
    throw refused(`The registry does not have ${wanted === undefined ? 'kikimimi' : `a version "${wanted}" of kikimimi`}.`)
  const { version } = found
  if (version === installed) return undefined
  if (gt(version, installed)) return version
  throw refused(`${version} is older than ${installed}. The way back is the backup from before the upgrade.`)
}

/** The package.json of a bot and of its own plugins, by path relative to the folder. */
export async function manifestsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const { workspaces = [] }: Manifest = await read(join(folder, 'package.json'))
  const own = await Array.fromAsync(
    glob(
      workspaces.map(one => `${one}/package.json`),
      { cwd: folder },
    ),
  )
  const paths = ['package.json', ...own.sort()]
  return new Map(await Promise.all(paths.map(async path => [path, await readFile(join(folder, path), 'utf8')] as const)))
}

/**
 * A package.json that asks for exactly this version of kikimimi: of a range, npm would take a later one, which may be published in part.
 *
 * @throws UPGRADE_REFUSED for packages from elsewhere than a registry
 */
export function askingFor(text: string, version: string): string {
  const manifest: Manifest = JSON.parse(text)
  const groups = GROUPS.flatMap(group => {
    const asked = Object.entries(manifest[group] ?? {})
    if (asked.length === 0) return []
    // A plugin of the bot can be a package for others, too.
    const kept = group === 'peerDependencies' ? '^' : ''
    const ranges = asked.map(([name, range]) => [name, isOurs(name) ? `${kept}${exactly(name, range, version)}` : range])
    return [[group, Object.fromEntries(ranges)]]
  })
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return `${JSON.stringify({ ...manifest, ...Object.fromEntries(groups) }, undefined, indent)}\n`
}

function exactly(name: string, range: string, version: string): string {
  if (/^(?:[~^>=<*\d]|latest|next)/.test(range)) return version
  throw refused(`package.json takes ${name} from "${range}", which is no version in a registry.`)
}

/**
 * A package-lock.json without packages of kikimimi and what is inside of them: npm takes these in their new version. The versions of all
 * others stay.
 */
export function lockOfOthers(text: string): string {
  const lock = JSON.parse(text)
  const others = Object.entries(lock.packages ?? {}).filter(([path]) => !path.split(/\/?node_modules\//).some(isOurs))
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(others) }, undefined, 2)}\n`
}

/** @throws UPGRADE_REFUSED with what npm says */
export async function install(folder: string, version: string): Promise<void> {
  const { code, err } = await npm(['install', '--no-audit', '--no-fund'], folder)
  if (code === 0) return
  const isMissing = /\bETARGET\b|\bE404\b/.test(err)
  const isPeer = /\bERESOLVE\b/.test(err)
  const advice = isMissing
    ? `The registry does not have all packages of ${version} yet. Try again later.`
    : isPeer
      ? `A package of this bot does not accept kikimimi ${version}. Upgrade it too, or wait for its next version.`
      : `npm could not install ${version}.`
  throw refused([advice, ...npmProblem(err).slice(0, 12)].join('\n'))
}

/** Runs the command line of the version that is installed in a folder. */
export async function kikimimiIn(folder: string, args: readonly string[]): Promise<Ended> {
  const home = join(folder, 'node_modules/@kikimimi/cli')
  const { bin } = await read(join(home, 'package.json'))
  return ended(process.execPath, [join(home, bin.kikimimi), ...args], folder)
}

async function read(path: string) {
  return JSON.parse(await readFile(path, 'utf8'))
}
