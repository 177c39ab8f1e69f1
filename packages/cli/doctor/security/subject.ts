/** What the checks of the security read. */
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { offline } from '@kikimimi/offline'
import type { BotConfig, Logger, Tool } from 'kikimimi'
import { DEFAULT_ADDRESSES, type LoadedPlugin, type Plan, planOf, type Settings } from 'kikimimi/host'
import { readBot } from '../../read-bot.ts'
import { type SetUpAloneDeps, setUpAlone } from '../../set-up-alone.ts'

export interface Subject {
  readonly config: BotConfig
  readonly settings: Settings
  readonly plugins: readonly LoadedPlugin[]
  readonly env: NodeJS.ProcessEnv
  /** The path of bot.config.ts as it was given, and its text. */
  readonly file: string
  readonly text: string
  /** Files beside it that can hold secrets. */
  readonly envFiles: readonly string[]
  /** The host of the HTTP server. Absent: no server. */
  readonly host?: string
  /** The tools of all plugins, which are set up for it in a bot of their own that connects to nothing. */
  tools(): Promise<readonly OwnedTool[]>
}

export interface OwnedTool extends Pick<Tool, 'name' | 'isOrder'> {
  readonly plugin: string
}

export interface SubjectDeps {
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
}

export async function readSubject(file: string, { log, env }: SubjectDeps): Promise<Subject> {
  const { config, project } = await readBot(file)
  const plan = await planOf(config, project)
  const { settings, order: plugins } = plan
  const isServed = plugins.some(({ definition, options }) => definition.servesHttp?.(options))
  const address = settings.http ?? (env.KIKIMIMI_HTTP || (isServed ? DEFAULT_ADDRESSES[0] : undefined))
  const home = dirname(resolve(file))
  return {
    ...{ config, settings, plugins, env, file, text: await readFile(file, 'utf8') },
    envFiles: ['.env', '.env.local', '.env.production'].map(name => join(home, name)),
    ...(address !== undefined && { host: hostOf(address) }),
    tools: () => toolsOf(plan, { log, env }),
  }
}

async function toolsOf(plan: Plan, deps: SetUpAloneDeps): Promise<readonly OwnedTool[]> {
  return (await setUpAlone(plan, deps)).flatMap(({ plugin, hooks }) =>
    (hooks.tools ?? []).map(({ name, isOrder = false }) => ({ plugin: plugin.name, name, isOrder })),
  )
}

/** `[::1]:8787`, `0.0.0.0:8787`, or a port alone on this machine. */
function hostOf(address: string): string {
  return address.includes(':') ? address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '') : '127.0.0.1'
}

export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host === ''
}

/** `bot.config.ts:12`, the first line that matches. The file alone if none does. */
export function placeOf({ file, text }: Pick<Subject, 'file' | 'text'>, pattern: RegExp): string {
  const at = text.split('\n').findIndex(line => pattern.test(line))
  return at < 0 ? file : `${file}:${at + 1}`
}

/** The chat models, with the one that answers without others. */
export function modelsOf({ models }: BotConfig): NonNullable<BotConfig['models']> {
  return { ...models, chat: models?.chat ?? offline() }
}
