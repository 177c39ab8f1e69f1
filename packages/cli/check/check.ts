/**
 * Checks what a start needs, and yields each finding as soon as it is known. Nothing is started, and no table is created or changed.
 * A problem hides only the checks that depend on it.
 */
import { offline } from '@kikimimi/offline'
import { type BotConfig, type Clock, type Finding, type Logger, withTimeout } from 'kikimimi'
import {
  checkConfig,
  conceal,
  createBudget,
  DEFAULT_ADDRESS,
  isFree,
  type LoadedPlugin,
  loadConfig,
  loadPlugins,
  memoryLedger,
  namesOf,
  partsOf,
  type Settings,
  secretsOf,
  setupOrder,
  withPrompts,
} from 'kikimimi/host'
import manifest from '../package.json' with { type: 'json' }
import { checkCommandNames, namesMissing, vectorsMissing } from '../read-bot.ts'
import { checkDatabase } from './database.ts'
import { checkModels } from './models.ts'
import { probe } from './probe.ts'

export interface CheckDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
}

/** Milliseconds for the check of a plugin. */
const DEADLINE = 60_000

/** Does not throw: a check that fails is a finding. */
export async function* check(file: string, { clock, log, env }: CheckDeps): AsyncGenerator<Finding> {
  yield node(process.versions.node)
  const loaded = await probe(file, () => load(file, clock))
  yield concealed(loaded.finding, secretsOf(env))
  if (!loaded.value) return
  const { config, settings, project } = loaded.value

  const fitting = await probe('plugins', () => fit(config, project))
  const plugins = fitting.value ?? []
  const secrets = [...secretsOf(env), ...plugins.flatMap(({ options }) => secretsOf(textsIn(options)))]
  yield concealed(fitting.finding, secrets)

  const findings = [
    () => checkDatabase(settings.database, plugins, { clock, log }),
    () => checkModels({ ...config.models, chat: config.models?.chat ?? offline() }, { clock, log }),
    () => vectors(config),
    () => names(config),
    () => unused(config, plugins),
    () => http(settings.http ?? env.KIKIMIMI_HTTP, plugins),
    ...plugins.map(plugin => () => askPlugin(plugin, clock)),
  ]
  for (const find of findings) for (const finding of await find()) yield concealed(finding, secrets)
}

function node(version: string): Finding {
  const [needed = 0, has = 0] = [manifest.engines.node, version].map(one => Number.parseInt(one.replace(/^\D+/, ''), 10))
  if (has >= needed) return { what: `Node ${version}` }
  return {
    what: `Node ${version}`,
    problem: `kikimimi needs Node ${needed}. Start it with npm start, which installs that version.`,
  }
}

/** A configuration that is valid. */
export interface Read {
  readonly config: BotConfig
  readonly settings: Settings
  readonly project: URL
}

/** @throws CONFIG_NOT_FOUND, CONFIG_BROKEN or CONFIG_INVALID */
export async function load(file: string, clock: Clock): Promise<Read> {
  const { config, project } = await loadConfig(file)
  const settings = checkConfig(config)
  const models = namesOf({ ...config.models, chat: config.models?.chat ?? offline() })
  // With a limit on money, every model needs a price.
  if (settings.budget)
    createBudget({ config: settings.budget, models, ledger: memoryLedger(), clock, currentTurn: () => undefined })
  return { config, settings, project }
}

/** The plugins of a configuration. @throws what they refuse */
export async function fit(config: BotConfig, project: URL): Promise<readonly LoadedPlugin[]> {
  checkCommandNames(config)
  const loaded = await loadPlugins(config.plugins)
  for (const plugin of setupOrder(loaded)) await withPrompts(plugin, project)
  return loaded
}

function vectors(config: BotConfig): readonly Finding[] {
  const missing = vectorsMissing(config)
  return missing === undefined ? [] : [{ what: `model for vectors: none. ${missing}` }]
}

function names(config: BotConfig): readonly Finding[] {
  const missing = namesMissing(config)
  return missing === undefined ? [] : [{ what: `names: none. ${missing}` }]
}

/** No mistake: a plugin that needs a token is not listed without it. */
function unused(config: BotConfig, plugins: readonly LoadedPlugin[]): readonly Finding[] {
  const settings = partsOf(config)?.file.plugins ?? {}
  const isListed = (name: string) => settings[name]?.enabled === false || plugins.some(plugin => plugin.name === name)
  const names = Object.keys(settings).filter(name => !isListed(name))
  if (names.length === 0) return []
  return [{ what: `bot.settings.json: has values for ${names.join(', ')}, which bot.config.ts does not list now` }]
}

async function http(given: string | undefined, plugins: readonly LoadedPlugin[]): Promise<readonly Finding[]> {
  const isServed = plugins.some(({ definition, options }) => definition.servesHttp?.(options))
  const address = given || (isServed ? DEFAULT_ADDRESS : undefined)
  if (!address) return [{ what: 'HTTP: no address is set' }]
  const { value, finding } = await probe('HTTP', () => isFree(address))
  if (value === undefined) return [finding]
  return [{ what: `HTTP: ${address} ${value ? 'is free' : 'is in use by a running bot'}` }]
}

/** The findings of a plugin. */
export async function askPlugin({ name, definition, options }: LoadedPlugin, clock: Clock): Promise<readonly Finding[]> {
  if (!definition.check) return []
  const late = () => new Error(`no answer within ${DEADLINE / 1_000} s. Is the service that it connects to reachable?`)
  const { value, finding } = await probe(name, () =>
    withTimeout({ clock, ms: DEADLINE, late }, async () => (await definition.check?.(options)) ?? []),
  )
  return value?.map(one => ({ ...one, what: `${name}: ${one.what}` })) ?? [finding]
}

function concealed({ what, problem }: Finding, secrets: readonly string[]): Finding {
  return { what: conceal(what, secrets), ...(problem !== undefined && { problem: conceal(problem, secrets) }) }
}

export function textsIn(options: unknown): Record<string, string> {
  const entries = typeof options === 'object' && options !== null ? Object.entries(options) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}
