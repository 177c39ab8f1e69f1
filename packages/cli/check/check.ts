/**
 * Whether a bot could start, and would be of use: one finding after the other, as soon as it is known. Nothing is started, no
 * table is made or changed, and what is wrong with one thing hides only what cannot be looked at without it.
 */
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
  type Settings,
  secretsOf,
  setupOrder,
  withPrompts,
} from 'kikimimi/host'
import manifest from '../../../core/package.json' with { type: 'json' }
import { offline } from '../../../plugins/offline/index.ts'
import { checkDatabase } from './database.ts'
import { look } from './look.ts'
import { checkModels } from './models.ts'

export interface CheckDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly env: NodeJS.ProcessEnv
}

/** Milliseconds that a plugin has. */
const DEADLINE = 60_000

/** Throws nothing: what cannot be looked at is a finding too. */
export async function* check(file: string, { clock, log, env }: CheckDeps): AsyncGenerator<Finding> {
  yield node(process.versions.node)
  const loaded = await look(file, () => load(file, clock))
  yield concealed(loaded.finding, secretsOf(env))
  if (!loaded.value) return
  const { config, settings, project } = loaded.value

  const fitting = await look('plugins', () => fit(config, project))
  const plugins = fitting.value ?? []
  const secrets = [...secretsOf(env), ...plugins.flatMap(({ options }) => secretsOf(textsIn(options)))]
  yield concealed(fitting.finding, secrets)

  const findings = [
    () => checkDatabase(settings.database, plugins, { clock, log }),
    () => checkModels({ ...config.models, chat: config.models?.chat ?? offline() }, { clock, log }),
    () => http(settings.http ?? env.KIKIMIMI_HTTP, plugins),
    ...plugins.map(plugin => () => askPlugin(plugin, clock)),
  ]
  for (const find of findings) for (const finding of await find()) yield concealed(finding, secrets)
}

function node(version: string): Finding {
  const [needed = 0, has = 0] = [manifest.engines.node, version].map(one => Number.parseInt(one.replace(/^\D+/, ''), 10))
  if (has >= needed) return { what: `Node ${version}` }
  return { what: `Node ${version}`, problem: `kikimimi needs Node ${needed}. Start it with npm start, which sees to that.` }
}

interface Read {
  readonly config: BotConfig
  readonly settings: Settings
  readonly project: URL
}

async function load(file: string, clock: Clock): Promise<Read> {
  const { config, project } = await loadConfig(file)
  const settings = checkConfig(config)
  const models = namesOf({ ...config.models, chat: config.models?.chat ?? offline() })
  // Whether every model has a price, where the money is limited.
  if (settings.budget)
    createBudget({ config: settings.budget, models, ledger: memoryLedger(), clock, currentTurn: () => undefined })
  return { config, settings, project }
}

async function fit({ plugins }: BotConfig, project: URL): Promise<readonly LoadedPlugin[]> {
  const loaded = await loadPlugins(plugins)
  for (const plugin of setupOrder(loaded)) await withPrompts(plugin, project)
  return loaded
}

async function http(given: string | undefined, plugins: readonly LoadedPlugin[]): Promise<readonly Finding[]> {
  const isServed = plugins.some(({ definition, options }) => definition.servesHttp?.(options))
  const address = given || (isServed ? DEFAULT_ADDRESS : undefined)
  if (!address) return [{ what: 'HTTP: no address is set' }]
  const { value, finding } = await look('HTTP', () => isFree(address))
  if (value === undefined) return [finding]
  return [{ what: `HTTP: ${address} ${value ? 'is free' : 'has a bot that runs'}` }]
}

/** What a plugin finds. */
export async function askPlugin({ name, definition, options }: LoadedPlugin, clock: Clock): Promise<readonly Finding[]> {
  if (!definition.check) return []
  const late = () => new Error(`no answer within ${DEADLINE / 1_000} s. Is what it connects to reachable?`)
  const { value, finding } = await look(name, () =>
    withTimeout({ clock, ms: DEADLINE, late }, async () => (await definition.check?.(options)) ?? []),
  )
  return value?.map(one => ({ ...one, what: `${name}: ${one.what}` })) ?? [finding]
}

function concealed({ what, problem }: Finding, secrets: readonly string[]): Finding {
  return { what: conceal(what, secrets), ...(problem !== undefined && { problem: conceal(problem, secrets) }) }
}

function textsIn(options: unknown): Record<string, string> {
  const entries = typeof options === 'object' && options !== null ? Object.entries(options) : []
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
}
