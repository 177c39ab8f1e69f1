import type { Finding, InviteReport, PluginFactory } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import { conceal, secretsOf } from '../base/log.ts'
import { withTimeout } from '../base/timeout.ts'
import { type ConfiguredBot, configuredFor } from '../features/options/unused.ts'
import type { LoadedPlugin } from '../kernel/host/plugin-context.ts'
import { loadPlugins } from './plan.ts'

/** Milliseconds for all questions to a platform. */
const DEADLINE = 60_000

interface InviteOptions {
  /** The bot that is invited. */
  readonly bot: ConfiguredBot
  readonly clock: Clock
  readonly secrets: readonly string[]
}

/** Asks a platform of kikimimi with options that the bot does not have: its plugin is loaded for that, and not set up. */
export async function inviteWith(
  name: string,
  given: Readonly<Record<string, string>>,
  { bot, clock, secrets }: InviteOptions,
): Promise<InviteReport | undefined> {
  const own = [...secrets, ...secretsOf(Object.fromEntries(Object.entries(given).map(([key, value]) => [`${key}_TOKEN`, value])))]
  try {
    const { default: factory } = (await import(`@kikimimi/${name}`)) as { default: PluginFactory<object> }
    const [plugin] = await loadPlugins([factory(given)])
    return plugin && (await inviteReport(plugin, { bot, clock, secrets: own }))
  } catch (error) {
    return { findings: [{ what: name, problem: conceal(reason(error), own) }] }
  }
}

/** Asks the platform of a plugin. See `Operator.invite`. Does not throw: a failure is a finding. */
export async function inviteReport(
  { name, definition, options }: LoadedPlugin,
  { bot, clock, secrets }: InviteOptions,
): Promise<InviteReport | undefined> {
  if (!definition.invite) return undefined
  const configured = configuredFor(name, bot)
  const late = () => new Error(`no answer within ${DEADLINE / 1_000} s. Is the service that it connects to reachable?`)
  const asked = <T>(run: () => T | PromiseLike<T>): Promise<T | Finding> =>
    withTimeout({ clock, ms: DEADLINE, late }, async () => run()).catch(
      (error: unknown): Finding => ({
        what: name,
        problem: error instanceof KikimimiError ? error.message : `[${name}] ${reason(error)}`,
      }),
    )
  const [checked, text] = await Promise.all([
    asked(() => definition.check?.(options, configured) ?? []),
    asked(() => definition.invite?.(options, configured) ?? ''),
  ])
  const failed = [checked, text].filter((one): one is Finding => typeof one === 'object' && 'what' in one)
  const findings = ['what' in checked ? [] : checked, failed].flat()
  const told = findings.map(({ what, problem }) => ({
    what: conceal(what, secrets),
    ...(problem !== undefined && { problem: conceal(problem, secrets) }),
  }))
  const once = told.filter(
    (one, at) => told.findIndex(({ problem, what }) => problem === one.problem && what === one.what) === at,
  )
  return { findings: once, ...(typeof text === 'string' && { text: conceal(text, secrets) }) }
}
