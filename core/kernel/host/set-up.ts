/** Plugins set up one by one, and platforms connected: what they return is checked before anything relies on it. */

import { type ChatCommand, channelOf, type Platform, type PluginContext } from '../../api/index.ts'
import { type ErrorCode, KikimimiError, reason } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import { loadPrompts, type Prompts } from '../../prompt/prompts.ts'
import type { Member } from '../pipeline/pipeline.ts'
import type { Loaded } from './load-plugins.ts'
import { createPluginContext, type Kernel } from './plugin-context.ts'

/** Milliseconds a plugin has to set up, and a platform to connect. */
const DEADLINE = 60_000

/** A plugin with the prompts it reads. */
export interface Ready extends Loaded {
  readonly prompts: Prompts
}

export async function withPrompts(plugin: Loaded, project: URL | undefined): Promise<Ready> {
  return { ...plugin, prompts: await loadPrompts({ plugin: plugin.name, builtIn: plugin.definition.prompts, project }) }
}

/** A plugin that has been set up. Disposing it takes back what it had added to the bot, and closes what it had opened. */
export interface Running extends AsyncDisposable {
  readonly plugin: Ready
  readonly member: Member
  readonly platform?: Platform
  /** Aborted when it is disposed, or the bot takes in no more. */
  readonly leaving: AbortSignal
}

export interface SetUpOptions {
  /** Whether its platform, if it has one, is one of the bot's. */
  readonly platforms: boolean
  /** Gives up. */
  readonly signal?: AbortSignal | undefined
}

/** Sets one plugin up; what it opened is undone when that fails. */
export async function setUp(plugin: Ready, kernel: Kernel, { platforms, signal }: SetUpOptions): Promise<Running> {
  const { name, definition, options, prompts } = plugin
  await using opened = new AsyncDisposableStack()
  const scope = opened.use(new AsyncDisposableStack())
  let settingUp = true
  const ctx = createPluginContext(kernel, definition, {
    optionsFor: inPlace(kernel, plugin),
    prompts,
    scope,
    settingUp: () => settingUp,
  })
  const made = await orRefuse('SETUP_FAILED', `[${name}] failed to set up`, () =>
    withTimeout({ clock: kernel.clock, ms: DEADLINE, late: () => tooSlow(name, 'set up'), signal }, async () =>
      definition.setup(ctx, options),
    ),
  )
  settingUp = false
  kernel.optionsFor.set(name, plugin.optionsFor)
  opened.defer(() => void kernel.optionsFor.delete(name))
  const left = opened.adopt(new AbortController(), one => one.abort())
  const leaving = AbortSignal.any([kernel.closing, left.signal])
  const { platform, tools = [], commands = [], status, routes, forget, ...stages } = made ?? {}
  for (const service of definition.provides ?? []) {
    if (kernel.services.has(service.name)) continue
    throw new KikimimiError(
      'SETUP_FAILED',
      `[${name}] says that it provides "${service.name}", and did not: ctx.provide is missing in its setup.`,
    )
  }
  if (platform && !platforms) return { plugin, member: { name, stages: {} }, leaving, ...disposedWith(opened.move()) }
  // Whatever a plugin adds to the bot is taken back on the next line: a reload disposes it while the bot goes on.
  if (platform) {
    if (kernel.platforms.has(platform.name)) {
      throw new KikimimiError(
        'PLATFORM_DUPLICATE',
        `Two plugins provide the platform "${platform.name}". Keep one of them in bot.config.ts.`,
      )
    }
    checkPlatform(name, platform)
    kernel.platforms.set(platform.name, platform)
    opened.defer(() => void kernel.platforms.delete(platform.name))
  }
  for (const tool of tools) {
    if (kernel.tools.some(other => other.name === tool.name)) {
      throw new KikimimiError(
        'TOOL_DUPLICATE',
        `[${name}] has a tool "${tool.name}", and so has another plugin. Rename one of them.`,
      )
    }
    opened.defer(addTo(kernel.tools, tool))
  }
  for (const command of commands) opened.defer(addCommand(kernel, name, command))
  if (status) opened.defer(addTo(kernel.statuses, status))
  if (forget) opened.defer(addTo(kernel.forgetters, { plugin: name, forget }))
  if (routes) opened.defer(addTo(kernel.routes, routes))
  for (const one of definition.cli ?? []) {
    kernel.commands.set(one.name, (args, out) => one.run(ctx, args, out))
    opened.defer(() => void kernel.commands.delete(one.name))
  }
  return { plugin, member: { name, stages }, leaving, ...(platform && { platform }), ...disposedWith(opened.move()) }
}

/** Returns what takes it back. Throws PLUGIN_INVALID for a name that nobody could type, COMMAND_DUPLICATE for one that is taken. */
function addCommand({ chatCommands }: Kernel, plugin: string, command: ChatCommand): () => void {
  const { name } = command
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new KikimimiError(
      'PLUGIN_INVALID',
      `[${plugin}] has a chat command ${JSON.stringify(name)}: use lower-case words with hyphens, such as "forget-me".`,
    )
  }
  const other = chatCommands.find(one => one.name === name)?.plugin
  if (other !== undefined) {
    throw new KikimimiError(
      'COMMAND_DUPLICATE',
      `[${plugin}] has a chat command "${name}", and so has [${other}]. Give it another name.`,
    )
  }
  return addTo(chatCommands, { ...command, plugin })
}

/** With what was set there in the chat. */
function inPlace({ table, log }: Kernel, { name, optionsFor }: Ready): PluginContext['optionsFor'] {
  const ignored = (problem: string) => log.warn(problem)
  return conversation => optionsFor(conversation, table.in(channelOf(conversation), name), ignored)
}

/** Returns what takes it back. */
function addTo<T>(list: T[], one: T): () => void {
  list.push(one)
  return () => void list.splice(list.indexOf(one), 1)
}

function disposedWith(opened: AsyncDisposableStack): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => opened.disposeAsync() }
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
export async function connect(platform: Platform, { clock }: Kernel, signal: AbortSignal): Promise<void> {
  await orRefuse('PLATFORM_START_FAILED', `[${platform.name}] could not connect`, () =>
    withTimeout({ clock, ms: DEADLINE, late: () => tooSlow(platform.name, 'connect'), signal }, async () =>
      platform.start?.(signal),
    ),
  )
}

/** A coded error already says what to do; anything else is told by whom it was thrown. */
async function orRefuse<T>(code: ErrorCode, head: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof KikimimiError && error.code !== 'ARGUMENT_INVALID') throw error
    throw new KikimimiError(code, `${head}: ${reason(error)}`, { cause: error })
  }
}

function tooSlow(name: string, what: string): KikimimiError {
  return new KikimimiError(
    'SETUP_TIMEOUT',
    `[${name}] did not ${what} within ${DEADLINE / 1_000} s. Is what it connects to reachable?`,
  )
}
