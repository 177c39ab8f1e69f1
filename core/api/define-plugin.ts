/** A plugin: its definition, the hooks that `setup` returns, and `definePlugin`. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { FastifyInstance } from 'fastify'
import type { Awaitable } from '../base/awaitable.ts'
import type { ChatCommand, CommandCall } from './commands.ts'
import type { PluginContext } from './context.ts'
import type { ForgottenPerson } from './erasure.ts'
import type { Tool } from './models.ts'
import type { Overrides } from './options.ts'
import type { Platform, PlatformContext } from './platform.ts'
import type { Service } from './service.ts'
import type { Stages } from './stages.ts'

/** What `setup` returns: the stages of the plugin and everything else that it adds to the bot. Every hook is optional. */
export interface PluginHooks extends Stages {
  /** Tools for models. Names are unique in a bot. */
  readonly tools?: readonly Tool[]
  /** Chat commands, `/kiki NAME`. Names are unique in a bot. */
  readonly commands?: readonly ChatCommand[]
  /** A line of `/kiki status`: how this plugin stands in a conversation. Nothing when there is nothing to tell. */
  status?(call: CommandCall): Awaitable<string | void>
  /**
   * Adds routes to the bot's HTTP server, which then runs: by default on 127.0.0.1:8787. Called again, with another server, when
   * plugins restart. A plugin with routes says so in `servesHttp`.
   */
  routes?(server: FastifyInstance): Awaitable<void>
  /**
   * Deletes what this plugin keeps of a person: their words, what was made of them, and their names. The message log still
   * has all of it: the kernel deletes that last. Called again until it succeeds, so a part can be done already.
   */
  forget?(person: ForgottenPerson, signal: AbortSignal): Awaitable<void>
}

/** What `setup` of a platform returns. */
export interface PlatformHooks extends PluginHooks {
  /** The platform that this plugin connects. */
  readonly platform?: Platform
}

/** The names of hooks that are no stages. */
export const HOOKS = ['platform', 'tools', 'commands', 'status', 'routes', 'forget'] as const satisfies readonly Exclude<
  keyof PlatformHooks,
  keyof Stages
>[]

/** A command of `kikimimi`, beside the kernel's own. The bot is set up for it, with its database and services, and does not listen. */
export interface CliCommand {
  /** One lower-case word: `kikimimi NAME …`. */
  readonly name: string
  /** For `--help`: each way to call it, and what that does. */
  readonly usage: readonly { readonly call: string; readonly does: string }[]
  /** Throws a KikimimiError with code USAGE when it is called in another way. */
  run(ctx: PluginContext, args: readonly string[], out: CliOutput): Awaitable<void>
}

/** The output of a CLI command. */
export interface CliOutput {
  /** One line on standard output. */
  print(line: string): void
  /** `--json` was given: print one JSON value a line. */
  readonly json: boolean
}

/** A result of `kikimimi check`. */
export interface Finding {
  /** What was checked, and its state. */
  readonly what: string
  /** What is wrong, and what to do. Never a secret. Absent: nothing is wrong. */
  readonly problem?: string
}

/** The definition of a plugin: data that is known before the start, and `setup` for everything that needs a running bot. */
export interface PluginDefinition<S extends StandardSchemaV1 = StandardSchemaV1, K extends string = string> {
  /** Lower-case words with hyphens, unique in a bot. Also its Postgres schema, with underscores. */
  readonly name: string
  /** Any Standard Schema (zod, valibot, arktype). The bot reports all mistakes together before it starts. Default: no options. */
  readonly options?: S
  /** Services that must be provided before `setup`. Default: none. */
  readonly needs?: readonly Service<unknown>[]
  /** Services that `setup` provides with `ctx.provide`. */
  readonly provides?: readonly Service<unknown>[]
  /** A folder of plain SQL files `001-name.sql`, run once each, in order. `new URL('../storage/migrations/', import.meta.url)` */
  readonly migrations?: URL
  /** Keeps what was said for later. A replay leaves it out, and who needs a service of it. */
  readonly remembers?: boolean
  /**
   * Whether it cannot do without its tables, with these options. Default: it cannot. With `database: false` the bot refuses to start
   * with such a plugin. Where no plugin needs a database, a replay opens none.
   */
  needsDatabase?(options: StandardSchemaV1.InferOutput<S>): boolean
  /** Whether it has routes, with these options: see `PluginHooks.routes`. For `kikimimi check`, and for replays, which leave it out. Default: it has none. */
  servesHttp?(options: StandardSchemaV1.InferOutput<S>): boolean
  /** A folder `en/`, `ja/` of Markdown files. `new URL('./prompts/', import.meta.url)` */
  readonly prompts?: URL
  /** How the bot is brought to where people talk, for `kikimimi invite`: a link with a sentence. Nothing is running then. */
  invite?(options: StandardSchemaV1.InferOutput<S>): Awaitable<string>
  /** Whether it could do its work, for `kikimimi check`: are the tokens accepted, may they do enough? Nothing is running then. */
  check?(options: StandardSchemaV1.InferOutput<S>): Awaitable<readonly Finding[]>
  /** Commands for the command line, `kikimimi NAME`. */
  readonly cli?: readonly CliCommand[]
  /** Options that may differ from place to place: those that the plugin reads with `ctx.optionsFor`. */
  readonly scoped?: readonly K[]
  /** True for what `definePlatform` makes. */
  readonly platform?: boolean
  /**
   * Called once at the start, and again when a reload restarts the plugin. Returns the stages and other hooks that it fills.
   *
   * @throws HOOK_UNKNOWN at the start, when it returns a name that is no hook
   */
  setup(
    ctx: PluginContext<StandardSchemaV1.InferOutput<S>>,
    options: StandardSchemaV1.InferOutput<S>,
  ): Awaitable<PlatformHooks | void>
}

/** A plugin with the options that bot.config.ts gave it. */
export interface Plugin {
  /** What `definePlugin` was given. */
  readonly definition: PluginDefinition
  /** The options of bot.config.ts, not checked yet. `undefined`: the defaults. */
  readonly options: unknown
  /** The options for single workspaces, channels and threads. */
  readonly overrides?: Overrides<Readonly<Record<string, unknown>>>
}

/** Calling it gives it options; left uncalled in `plugins` it runs with its defaults. */
export interface PluginFactory<In, K extends string = never> {
  (...options: undefined extends In ? [options?: In, places?: Places<In, K>] : [options: In, places?: Places<In, K>]): Plugin
  /** What `definePlugin` was given. */
  readonly definition: PluginDefinition
}

type Places<In, K extends string> = Overrides<Partial<Pick<NonNullable<In>, K & keyof NonNullable<In>>>>

/** Hooks without a name that is not in `All`: a mistyped stage does not compile. */
type Exact<H, All> = H & { readonly [N in Exclude<keyof H, keyof All>]: never }

type Defined<S extends StandardSchemaV1, K extends string, H, All, C> = Omit<PluginDefinition<S, K>, 'setup' | 'platform'> & {
  setup(ctx: C, options: StandardSchemaV1.InferOutput<S>): Awaitable<Exact<H, All> | void>
}

/**
 * Defines a plugin.
 *
 * @example
 * export default definePlugin({
 *   name: 'question',
 *   options: z.object({ points: z.number().min(0).max(100).default(20) }).prefault({}),
 *   setup: (_ctx, { points }) => ({
 *     score: ({ messages }) =>
 *       messages.some(m => /[?？]\s*$/u.test(m.text)) ? { points, why: 'asks a question' } : undefined,
 *   }),
 * })
 */
export function definePlugin<
  S extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  const K extends keyof NonNullable<StandardSchemaV1.InferInput<S>> & string = never,
  H extends PluginHooks = PluginHooks,
>(
  definition: Defined<S, K, H, PluginHooks, PluginContext<StandardSchemaV1.InferOutput<S>>>,
): PluginFactory<StandardSchemaV1.InferInput<S>, K> {
  return factoryOf(definition)
}

/** Defines a plugin that provides a platform: its `setup` gets a {@link PlatformContext} and returns `platform`. */
export function definePlatform<
  S extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  const K extends keyof NonNullable<StandardSchemaV1.InferInput<S>> & string = never,
  H extends PlatformHooks = PlatformHooks,
>(
  definition: Defined<S, K, H, PlatformHooks, PlatformContext<StandardSchemaV1.InferOutput<S>>>,
): PluginFactory<StandardSchemaV1.InferInput<S>, K> {
  return factoryOf({ ...definition, platform: true })
}

/** The schema's types have done their work at the caller; the kernel goes by what the schema validates. */
function factoryOf<In, K extends string>(definition: unknown): PluginFactory<In, K> {
  const erased = definition as PluginDefinition
  const make = (options?: unknown, overrides?: NonNullable<Plugin['overrides']>): Plugin => ({
    definition: erased,
    options,
    ...(overrides && { overrides }),
  })
  return Object.assign(make, { definition: erased })
}
