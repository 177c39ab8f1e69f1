/**
 * Checks what a start needs, and yields each finding as soon as it is known. Nothing is started, and no table is created or changed.
 * A problem hides only the checks that depend on it.
 */
import { readFile } from 'node:fs/promises'
import { offline } from '@kikimimi/offline'
import { type Clock, type Finding, type Logger, withTimeout } from 'kikimimi'
import {
  type ConfiguredBot,
  conceal,
  configuredFor,
  DEFAULT_ADDRESSES,
  inspect,
  isFree,
  type LoadedPlugin,
  type Plan,
  secretsOf,
  warningsOf,
} from 'kikimimi/host'
import { toldOf } from '../config-source/tell.ts'
import manifest from '../package.json' with { type: 'json' }
import { readBot } from '../read-bot.ts'
import { setUpAlone } from '../set-up-alone.ts'
import { checkDatabase, type Lend, lendOnce } from './database.ts'
import { checkModels } from './models.ts'
import { probe } from './probe.ts'

export interface CheckDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
  /** Lends the database of the bot for one check. Default: opens it, and closes it afterwards. */
  readonly lend?: Lend
}

/** Milliseconds for the check of a plugin. */
const DEADLINE = 60_000

/** Does not throw: a check that fails is a finding. */
export async function* check(
  file: string,
  { clock, log, env, lend = lendOnce({ clock, log }) }: CheckDeps,
): AsyncGenerator<Finding> {
  yield node(process.versions.node)
  const read = await probe(file, () => readBot(file))
  yield concealed(read.finding, secretsOf(env))
  if (!read.value) return
  yield* withoutValue(await readFile(file, 'utf8'), env)
  const { config, project } = read.value
  const { settings, plugins, plan, mistakes } = await inspect(config, project)
  const secrets = [...secretsOf(env), ...plugins.flatMap(({ options }) => secretsOf(textsIn(options)))]
  const told = await toldOf(file, mistakes)
  for (const { where, message } of told) yield concealed({ what: where, problem: message }, secrets)
  if (!settings) return
  if (plan) yield* linted(file, plan, { log, env, secrets })

  const findings = [
    () => checkDatabase(settings.database, plugins, lend),
    () => checkModels({ ...config.models, chat: config.models?.chat ?? offline() }, { clock, log }),
    () => http(settings.http ?? env.KIKIMIMI_HTTP, plugins),
    ...plugins.map(plugin => () => askPlugin(plugin, { plugins, models: config.models, persona: config.persona }, clock)),
  ]
  for (const find of findings) for (const finding of await find()) yield concealed(finding, secrets)
}

/** The variables of bot.config.ts that are there and empty, as `DISCORD_TOKEN=` in a new .env: the bot then starts without the plugin. */
function withoutValue(source: string, env: NodeJS.ProcessEnv): readonly Finding[] {
  const read = new Set(source.match(/\b[A-Z][A-Z\d_]+\b/g))
  const empty = Object.keys(env).filter(name => env[name] === '' && read.has(name))
  return empty.map(name => ({ what: `${name} has no value yet. Put it into .env after ${name}=.`, warning: true }))
}

/** Sets the plugins up in memory, to see what they do, and tells what cannot work. */
async function* linted(
  file: string,
  plan: Plan,
  { secrets, ...deps }: Pick<CheckDeps, 'log' | 'env'> & { readonly secrets: readonly string[] },
): AsyncGenerator<Finding> {
  const { value, finding } = await probe('plugins', () => setUpAlone(plan, deps))
  yield concealed(finding, secrets)
  if (!value) return
  for (const { where, message } of await toldOf(file, warningsOf(plan, value)))
    yield concealed({ what: `${where}  ${message}`, warning: true }, secrets)
}

function node(version: string): Finding {
  const [needed = 0, has = 0] = [manifest.engines.node, version].map(one => Number.parseInt(one.replace(/^\D+/, ''), 10))
  if (has >= needed) return { what: `Node ${version}` }
  return {
    what: `Node ${version}`,
    problem: `kikimimi needs Node ${needed}. Start it with npm start, which installs that version.`,
  }
}

async function http(given: string | undefined, plugins: readonly LoadedPlugin[]): Promise<readonly Finding[]> {
  const isServed = plugins.some(({ definition, options }) => definition.servesHttp?.(options))
  let wrong: Finding | undefined
  for (const address of given ? [given] : isServed ? DEFAULT_ADDRESSES : []) {
    const { value, finding } = await probe('HTTP', () => isFree(address))
    if (value !== undefined) return [{ what: `HTTP: ${address} ${value ? 'is free' : 'is in use by a running bot'}` }]
    wrong ??= finding
  }
  return [wrong ?? { what: 'HTTP: no address is set' }]
}

/** The findings of a plugin. */
export async function askPlugin(
  { name, definition, options }: LoadedPlugin,
  bot: ConfiguredBot,
  clock: Clock,
): Promise<readonly Finding[]> {
  if (!definition.check) return []
  const late = () => new Error(`no answer within ${DEADLINE / 1_000} s. Is the service that it connects to reachable?`)
  const { value, finding } = await probe(name, () =>
    withTimeout({ clock, ms: DEADLINE, late }, async () => (await definition.check?.(options, configuredFor(name, bot))) ?? []),
  )
  return value?.map(one => ({ ...one, what: `${name}: ${one.what}` })) ?? [finding]
}

function concealed({ what, problem, ...rest }: Finding, secrets: readonly string[]): Finding {
  return { ...rest, what: conceal(what, secrets), ...(problem !== undefined && { problem: conceal(problem, secrets) }) }
}

export function textsIn(options: unknown): Record<string, string> {
  const entries = typeof options === 'object' && options !== null ? Object.entries(options) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}
