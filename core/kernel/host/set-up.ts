/** Sets up plugins one by one and connects platforms. It checks what they return before other code uses it. */
import { type CliOutput, HOOKS, type Platform, type PlatformHooks, type Service } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { type ErrorCode, KikimimiError, reason } from '../../base/errors.ts'
import { nearest } from '../../base/text/nearest.ts'
import { withTimeout } from '../../base/timeout.ts'
import { STAGES } from '../pipeline/stages.ts'
import { createContext, type ReadyPlugin, type Shared } from './plugin-context.ts'

/** Milliseconds a plugin has to set up, and a platform to connect. */
const DEADLINE = 60_000

/** A plugin that is set up. Disposing it closes its resources. */
export interface RunningPlugin extends AsyncDisposable {
  readonly plugin: ReadyPlugin
  readonly hooks: PlatformHooks
  /** Aborts when the plugin is disposed, or when the bot takes no more messages. */
  readonly leaving: AbortSignal
  /** Runs one of the CLI commands of the plugin. */
  command(name: string, args: readonly string[], out: CliOutput): Promise<void>
}

/** Sets up one plugin. After an error it closes the resources of the plugin. */
export async function setUp(plugin: ReadyPlugin, shared: Shared, signal: AbortSignal | undefined): Promise<RunningPlugin> {
  const { name, definition, options } = plugin
  await using opened = new AsyncDisposableStack()
  const scope = opened.use(new AsyncDisposableStack())
  let settingUp = true
  const ctx = createContext(shared, { plugin, scope, settingUp: () => settingUp })
  const late = () => tooSlow(name, 'set up')
  const hooks =
    (await orRefuse('SETUP_FAILED', `[${name}] failed to set up`, () =>
      withTimeout({ clock: shared.clock, ms: DEADLINE, late, signal }, async () => definition.setup(ctx, options)),
    )) ?? {}
  settingUp = false
  checkHooks(name, hooks)
  checkRoutes(plugin, hooks)
  for (const service of definition.provides ?? []) checkProvided(name, service, shared.services)
  if (hooks.platform) checkPlatform(plugin, hooks.platform)
  const left = opened.adopt(new AbortController(), one => one.abort())
  const closed = opened.move()
  return {
    plugin,
    hooks,
    leaving: AbortSignal.any([shared.closing, left.signal]),
    command: async (command, args, out) => definition.cli?.find(one => one.name === command)?.run(ctx, args, out),
    [Symbol.asyncDispose]: () => closed.disposeAsync(),
  }
}

/** Refuses an unknown hook: a mistyped stage would never run. */
function checkHooks(plugin: string, hooks: PlatformHooks): void {
  const known = [...Object.keys(STAGES), ...HOOKS]
  for (const [name, hook] of Object.entries(hooks)) {
    if (!known.includes(name)) {
      const meant = nearest(name, known)
      const hint = meant === undefined ? `The hooks are ${known.join(', ')}.` : `Did you mean "${meant}"?`
      throw new KikimimiError('HOOK_UNKNOWN', `[${plugin}] returns "${name}" from setup, which is not a hook. ${hint}`)
    }
    if (Object.hasOwn(STAGES, name) && hook !== undefined && typeof hook !== 'function') {
      throw new KikimimiError(
        'PLUGIN_INVALID',
        `[${plugin}] returns "${name}" from setup: expected a function, got ${typeof hook}.`,
      )
    }
  }
}

/** `kikimimi check` and a replay read what the definition says, without `setup`. */
function checkRoutes({ name, definition, options }: ReadyPlugin, { routes }: PlatformHooks): void {
  if (!routes || definition.servesHttp?.(options)) return
  throw new KikimimiError(
    'PLUGIN_INVALID',
    `[${name}] returns "routes" from setup, and its definition does not say so. Add servesHttp: () => true to the definition.`,
  )
}

function checkProvided(plugin: string, service: Service<unknown>, services: ReadonlyMap<string, unknown>): void {
  if (services.has(service.name)) return
  throw new KikimimiError(
    'SETUP_FAILED',
    `[${plugin}] declares that it provides "${service.name}", and does not: call ctx.provide in its setup.`,
  )
}

/** Checks a platform that JavaScript made: it is better to find a mistake now than while the bot answers. */
function checkPlatform({ name: plugin, definition }: ReadyPlugin, { name, me, limits, send }: Partial<Platform>): void {
  const invalid = (why: string) => new KikimimiError('PLUGIN_INVALID', `[${plugin}] returns a platform ${why}`)
  if (!definition.platform) throw invalid('and is made by definePlugin. Use definePlatform.')
  if (typeof name !== 'string' || name === '') throw invalid('without "name".')
  if (typeof me !== 'object') throw invalid('without "me".')
  if (typeof send !== 'function') throw invalid('without "send".')
  if (!limits || !(limits.textLength >= 2)) throw invalid('without limits.textLength, the longest text of one message.')
}

/** Connects a platform. Throws PLATFORM_START_FAILED or SETUP_TIMEOUT, or what the platform itself throws with a code. */
export async function connect(platform: Platform, clock: Clock, signal: AbortSignal): Promise<void> {
  const late = () => tooSlow(platform.name, 'connect')
  await orRefuse('PLATFORM_START_FAILED', `[${platform.name}] could not connect`, () =>
    withTimeout({ clock, ms: DEADLINE, late, signal }, async () => platform.start?.(signal)),
  )
}

/** Codes that say nothing about the start: those of one call. */
const OF_CALLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ARGUMENT_INVALID',
  'PLATFORM_REFUSED',
  'PLATFORM_UNAVAILABLE',
  'PLATFORM_LOST',
])

/** An error with another code already says what to do. Any other gets the name of the plugin. */
async function orRefuse<T>(code: ErrorCode, head: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof KikimimiError && !OF_CALLS.has(error.code)) throw error
    throw new KikimimiError(code, `${head}: ${reason(error)}`, { cause: error })
  }
}

function tooSlow(name: string, what: string): KikimimiError {
  const seconds = DEADLINE / 1_000
  return new KikimimiError('SETUP_TIMEOUT', `[${name}] did not ${what} within ${seconds} s. Is what it connects to reachable?`)
}
