/** The folder of a bot: its packages, and the package manager that changes them. */
import { spawn } from 'node:child_process'
import { constants, existsSync, lstatSync, readFileSync } from 'node:fs'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { type Agent, detect, resolveCommand } from 'package-manager-detector'
import { z } from 'zod'
import { packageEnv } from '../processes.ts'
import { manifestOf, type PackageJson, type PluginManifest, packageJson } from './manifest.ts'

/** What the package managers write beside package.json. */
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']

const dependencies = z.record(z.string(), z.string()).default({})
const ownJson = z.object({ dependencies, devDependencies: dependencies, optionalDependencies: dependencies })

export interface Project {
  /** With package.json. */
  readonly folder: string
  /** The text of bot.config.ts. */
  readonly text: string
  /** The package.json of a package that the bot can import. */
  packageOf(name: string): PackageJson | undefined
  /** Whether package.json lists the package, or the package is a folder of the project. */
  isListed(name: string): boolean
  /** Whether package.json lists the package. */
  depends(name: string): boolean
  /** Runs the package manager. @throws INSTALL_FAILED; package.json and the lock file are then as before */
  manage(what: 'add' | 'uninstall', spec: string): Promise<void>
}

/** @throws CONFIG_NOT_FOUND without bot.config.ts, INSTALL_FAILED in a container, whose packages belong to its image */
export function openProject(file: string, env: NodeJS.ProcessEnv): Project {
  const path = resolve(file)
  if (!existsSync(path))
    throw new KikimimiError(
      'CONFIG_NOT_FOUND',
      `There is no ${path}. Run this in the folder of your bot, or name the file with --config.`,
    )
  if (env.KIKIMIMI_PACKAGES) {
    throw new KikimimiError(
      'INSTALL_FAILED',
      'The packages of a container belong to its image. Run this command in the folder of the bot outside of the container, then: docker compose up --build --detach --wait',
    )
  }
  const folder = rootOf(dirname(path)) ?? dirname(path)
  const depends = (name: string) => {
    const own = readJson(join(folder, 'package.json'), ownJson)
    return own !== undefined && name in { ...own.optionalDependencies, ...own.devDependencies, ...own.dependencies }
  }
  return {
    folder,
    text: readFileSync(path, 'utf8'),
    packageOf: name => packageIn(folder, name),
    depends,
    isListed: name => {
      const found = folderOf(folder, name)
      return found !== undefined && (depends(name) || lstatSync(found).isSymbolicLink())
    },
    manage: (what, spec) => manage(folder, what, spec),
  }
}

/** The package.json of a package that files in a folder can import. */
export function packageIn(folder: string, name: string): PackageJson | undefined {
  const found = folderOf(folder, name)
  return found === undefined ? undefined : readJson(join(found, 'package.json'), packageJson)
}

/** Nothing for a package that is not a plugin. */
export function manifestIn(project: Project, name: string): PluginManifest | undefined {
  const found = project.packageOf(name)
  try {
    return found && manifestOf(found)
  } catch (error) {
    if (error instanceof KikimimiError) return undefined
    throw error
  }
}

/** Before anything is installed. @throws CHANGE_REFUSED for a file that cannot be written, or that another program has changed */
export async function checkFile(file: string, text: string): Promise<void> {
  await access(file, constants.W_OK).catch(error => {
    throw new KikimimiError('CHANGE_REFUSED', `${file} cannot be written. Nothing is changed.`, { cause: error })
  })
  if ((await readFile(file, 'utf8')) === text) return
  throw new KikimimiError('CHANGE_REFUSED', `${file} has changed meanwhile. Nothing is changed; repeat the command.`)
}

/** The nearest folder with a package.json. */
function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(folder) === folder ? undefined : rootOf(dirname(folder))
}

/** Where Node finds a package. */
function folderOf(from: string, name: string): string | undefined {
  const found = join(from, 'node_modules', name)
  if (existsSync(join(found, 'package.json'))) return found
  return dirname(from) === from ? undefined : folderOf(dirname(from), name)
}

function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : reason(error)
    throw new KikimimiError('PLUGIN_PACKAGE', `${path} cannot be read: ${why}`, { cause: error })
  }
}

/** The package manager of a folder: `npm`, `pnpm`, `yarn@berry`. */
export async function agentOf(folder: string): Promise<Agent> {
  const { agent } = (await detect({ cwd: folder })) ?? { agent: 'npm' }
  // Only a field of package.json would tell the version of yarn; its lock file tells it too.
  const lock = agent === 'yarn' ? await readFile(join(folder, 'yarn.lock'), 'utf8').catch(() => '') : ''
  return /^__metadata:/m.test(lock) ? 'yarn@berry' : agent
}

/** A new bot has workspaces for its own plugins, and some managers ask whether its root is meant. */
const OWN_OPTIONS: Partial<Record<Agent, (what: 'add' | 'uninstall') => readonly string[]>> = {
  npm: () => ['--no-audit', '--no-fund', '--loglevel=error'],
  yarn: () => ['--ignore-workspace-root-check'],
  pnpm: what => (what === 'add' ? ['--ignore-workspace-root-check'] : []),
}

async function manage(folder: string, what: 'add' | 'uninstall', spec: string): Promise<void> {
  const agent = await agentOf(folder)
  const command = resolveCommand(agent, what, [spec, ...(OWN_OPTIONS[agent]?.(what) ?? [])])
  if (!command)
    throw new KikimimiError('INSTALL_FAILED', `${agent} has no command for this. Change the packages with ${agent} itself.`)
  const files = ['package.json', ...LOCK_FILES].map(name => join(folder, name))
  const before = await Promise.all(files.map(file => readFile(file).catch(() => undefined)))
  const line = [command.command, ...command.args].join(' ')
  const problem = await failureOf(command.command, command.args, folder)
  if (problem === undefined) return
  await Promise.all(
    files.map(async (file, index) => {
      const content = before[index]
      if (content) await writeFile(file, content)
      else await rm(file, { force: true })
    }),
  )
  throw new KikimimiError(
    'INSTALL_FAILED',
    `${line} ${problem}. Nothing is changed: correct the error above, then repeat the command.`,
  )
}

/** Its output goes to standard error, so that a pipe gets that of kikimimi alone. */
function failureOf(command: string, args: readonly string[], cwd: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const child = spawn(command, args, { cwd, env: packageEnv(), shell: process.platform === 'win32', stdio: ['ignore', 2, 2] })
  child.once('error', ({ message }) => resolve(`did not start: ${message}`))
  child.once('close', code => resolve(code === 0 ? undefined : `ended with ${code}`))
  return promise
}
