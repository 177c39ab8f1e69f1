/** Plugins set up one by one, and platforms connected: what they return is checked before anything relies on it. */
import { createApp, type Kernel } from './app.ts'
import type { Loaded } from './assemble.ts'
import { within } from './deadline.ts'
import { type ErrorCode, KikimimiError, reason } from './errors.ts'
import type { Member } from './pipeline.ts'
import type { Platform } from './plugin.ts'
import { loadPrompts, type Prompts } from './prompts.ts'

/** Milliseconds a plugin has to set up, and a platform to connect. */
const DEADLINE = 60_000

/** A plugin with the prompts it reads. */
export interface Ready extends Loaded {
  readonly prompts: Prompts
}

export async function withPrompts(plugin: Loaded, project: URL | undefined): Promise<Ready> {
  return { ...plugin, prompts: await loadPrompts({ plugin: plugin.name, builtIn: plugin.definition.prompts, project }) }
}

/** Sets one plugin up. What it opened is undone before what was opened earlier. */
export async function setUp(
  { name, definition, options, optionsIn, prompts }: Ready,
  kernel: Kernel,
  { opening, platforms }: { opening: AsyncDisposableStack; platforms: boolean },
): Promise<Member> {
  const scope = opening.use(new AsyncDisposableStack())
  const app = createApp(kernel, definition, { optionsIn, prompts, scope })
  const made = await orRefuse('SETUP_FAILED', `[${name}] failed to set up`, () =>
    within({ clock: kernel.clock, ms: DEADLINE, late: () => tooSlow(name, 'set up') }, async () =>
      definition.setup(app, options),
    ),
  )
  const { platform, tools = [], routes, forget, ...stages } = made ?? {}
  for (const service of definition.provides ?? []) {
    if (kernel.services.has(service.name)) continue
    throw new KikimimiError(
      'SETUP_FAILED',
      `[${name}] says that it provides "${service.name}", and did not: app.provide is missing in its setup.`,
    )
  }
  if (platform && !platforms) return { name, stages: {} }
  if (platform) {
    if (kernel.platforms.has(platform.name)) {
      throw new KikimimiError(
        'PLATFORM_DUPLICATE',
        `Two plugins provide the platform "${platform.name}". Keep one of them in bot.config.ts.`,
      )
    }
    checkPlatform(name, platform)
    kernel.platforms.set(platform.name, platform)
  }
  for (const tool of tools) {
    if (kernel.tools.some(other => other.name === tool.name)) {
      throw new KikimimiError(
        'TOOL_DUPLICATE',
        `[${name}] has a tool "${tool.name}", and so has another plugin. Rename one of them.`,
      )
    }
    kernel.tools.push(tool)
  }
  if (forget) kernel.forgetters.push({ plugin: name, forget })
  if (routes) kernel.routes.push(routes)
  for (const one of definition.cli ?? []) kernel.commands.set(one.name, (args, out) => one.run(app, args, out))
  return { name, stages }
}

/** Authors write JavaScript too: better now than in the middle of an answer. */
function checkPlatform(plugin: string, { name, me, limits, send }: Partial<Platform>): void {
  const wrong =
    typeof name !== 'string' || name === ''
      ? 'name'
      : typeof me !== 'object'
        ? 'me'
        : typeof send !== 'function'
          ? 'send'
          : undefined
  if (wrong) throw new KikimimiError('PLUGIN_INVALID', `[${plugin}] returns a platform without "${wrong}".`)
  if (!limits || !(limits.textLength >= 2)) {
    throw new KikimimiError(
      'PLUGIN_INVALID',
      `[${plugin}] returns a platform without limits.textLength, the longest text of one message.`,
    )
  }
}

/** Connects a platform. Throws PLATFORM_START_FAILED or SETUP_TIMEOUT, or what the platform says itself. */
export async function connect(platform: Platform, { clock, closing }: Kernel): Promise<void> {
  await orRefuse('PLATFORM_START_FAILED', `[${platform.name}] could not connect`, () =>
    within({ clock, ms: DEADLINE, late: () => tooSlow(platform.name, 'connect') }, async () => platform.start?.(closing)),
  )
}

/** A coded error already says what to do; anything else is told by whom it was thrown. */
async function orRefuse<T>(code: ErrorCode, head: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError(code, `${head}: ${reason(error)}`, { cause: error })
  }
}

function tooSlow(name: string, what: string): KikimimiError {
  return new KikimimiError(
    'SETUP_TIMEOUT',
    `[${name}] did not ${what} within ${DEADLINE / 1_000} s. Is what it connects to reachable?`,
  )
}
