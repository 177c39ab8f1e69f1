/** A plugin: its definition, the hooks that `setup` returns, and `definePlugin`. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Awaitable } from '../base/awaitable.ts'
import type { ChatCommand, CommandCall } from './commands.ts'
import type { PluginContext } from './context.ts'
import type { Database } from './database.ts'
import type { ForgottenPerson } from './erasure.ts'
import type { Role, Tool } from './models.ts'
import type { Overrides } from './options.ts'
import type { Platform, PlatformContext } from './platform.ts'
import type { Service } from './service.ts'
import type { Stage, Stages } from './stages.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True: everybody may call the route. See {@link PluginHooks.guard}. */
    readonly public?: boolean
    /** The role that a person needs, if a guard such as the dashboard knows people. Each role may do what the one before it may. */
    readonly role?: 'viewer' | 'moderator' | 'owner'
  }
}

/** What else is in bot.config.ts, for `unused`, `invite` and `check`. */
export interface Configured {
  /** The general options of another plugin. Absent: the bot does not have it. */
  optionsOf(plugin: string): Readonly<Record<string, unknown>> | undefined
  /**
   * The names of the models that fill a role for the plugin, those of single channels included. `offline`: no model is configured.
   * `transcribe` and `speak` have one, or none.
   */
  modelsFor(role: Role | 'transcribe' | 'speak'): readonly string[]
  /** The names under which the bot speaks in some places, besides its own: those of `persona.workspaces` and `persona.channels`. */
  readonly otherNames: readonly string[]
}

/** What `setup` returns: the stages of the plugin and everything else that it adds to the bot. Every hook is optional. */
export interface PluginHooks extends Stages {
  /** Tools for models. Names are unique in a bot. */
  readonly tools?: readonly Tool[]
  /** Chat commands, `/kiki NAME`. Names are unique in a bot. */
  readonly commands?: readonly ChatCommand[]
  /**
   * A line of `/kiki status`: the state of this plugin in a conversation. Returns nothing when there is nothing to report.
   */
  status?(call: CommandCall): Awaitable<string | void>
  /**
   * Adds routes to the bot's HTTP server. The server then runs, by default on 127.0.0.1:8787. The bot calls it again, with
   * another server, when plugins restart. A plugin with routes sets `servesHttp`. Guards of other plugins stand before them. A
   * route that everybody may call, such as a webhook that checks a signature, has `config: { public: true }`; any other route
   * names a role, `config: { role: 'viewer' }`. With neither, the dashboard closes it for everybody once it has a password.
   */
  routes?(server: FastifyInstance): Awaitable<void>
  /**
   * Runs before a request to a route of another plugin that is not public. It sends an answer to a request that may not pass, or
   * throws.
   */
  guard?(request: FastifyRequest, reply: FastifyReply): Awaitable<unknown>
  /** The state of the plugin, for `/metrics` and the page Health. It is read often, so it answers from memory. */
  health?(): PluginHealth
  /**
   * Deletes what this plugin keeps of a person: their words, data derived from them, and their names. The message log still
   * has all of it: the kernel deletes that last. The bot calls it again until it succeeds, so a part can be deleted
   * already.
   */
  forget?(person: ForgottenPerson, signal: AbortSignal): Awaitable<void>
}

/** The state of what a plugin does on its own, such as backups. */
export interface PluginHealth {
  /** One sentence for the page Health. */
  readonly state: string
  /** What is wrong, and what to do. A warning: `/readyz` does not depend on it. Absent: nothing is wrong. */
  readonly problem?: string
  /** Numbers for `/metrics`. A `name` of lower-case words with underscores becomes `kikimimi_PLUGIN_NAME`. */
  readonly gauges: readonly { readonly name: string; readonly help: string; readonly value: number }[]
}

/** What `setup` of a platform returns. */
export interface PlatformHooks extends PluginHooks {
  /** The platform that this plugin connects. */
  readonly platform?: Platform
}

/** The names of hooks that are not stages. */
export const HOOKS = [
  'platform',
  'tools',
  'commands',
  'status',
  'routes',
  'guard',
  'health',
  'forget',
] as const satisfies readonly Exclude<keyof PlatformHooks, keyof Stages>[]

/**
 * A command of `kikimimi`, beside the built-in ones. The bot is set up for it, with its database and services, and receives
 * no messages.
 */
export interface CliCommand {
  /** One lower-case word: `kikimimi NAME …`. */
  readonly name: string
  /** For `--help`: each usage, and what it does. Empty: people cannot call it, only another command, as `kikimimi eval rated` does. */
  readonly usage: readonly { readonly call: string; readonly does: string }[]
  /** Runs the command. Throws a KikimimiError with code USAGE for wrong arguments. */
  run(ctx: PluginContext, args: readonly string[], out: CliOutput): Awaitable<void>
}

/** The output of a CLI command, and its input. */
export interface CliOutput {
  /** Standard input. It ends when the person gives up the command, and when the bot that runs it stops. Absent: none. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Writes one line to standard output. */
  print(line: string): void
  /** True: `--json` was given. Print one JSON value per line. */
  readonly json: boolean
}

/** A result of `kikimimi check` and `kikimimi doctor`. */
export interface Finding {
  /** What was checked, and its state. */
  readonly what: string
  /** What is wrong, and what to do. Never a secret. Absent: nothing is wrong. */
  readonly problem?: string
  /** True: it works, and hardly as it is meant. `what` says why, and what to do. */
  readonly warning?: boolean
}

/** The definition of a plugin: data that is known before the start, and `setup`, which needs a running bot. */
export interface PluginDefinition<S extends StandardSchemaV1 = StandardSchemaV1, K extends string = string> {
  /** Lower-case words with hyphens, unique in a bot. Also its Postgres schema, with underscores. */
  readonly name: string
  /**
   * The schema of the options: any Standard Schema (zod, valibot, arktype). The bot reports all mistakes together before it
   * starts. When each option has a default, bot.config.ts can call the plugin without options. Default: no options.
   */
  readonly options?: S
  /** Services that must be provided before `setup`. Default: none. */
  readonly needs?: readonly Service<unknown>[]
  /** Services that `setup` provides with `ctx.provide`. */
  readonly provides?: readonly Service<unknown>[]
  /**
   * Names of plugins that stand behind this one in every stage, wherever bot.config.ts lists it. Names that the bot does not have
   * are ignored.
   */
  readonly before?: readonly string[]
  /** Names of plugins that stand before this one in every stage. */
  readonly after?: readonly string[]
  /**
   * Stages of the kind `first` in which this plugin returns a value for every turn, unless it fails. `kikimimi check` warns of
   * plugins behind it, which are not asked there.
   */
  readonly always?: readonly Stage[]
  /**
   * A folder of plain SQL files `001-name.sql`. Each runs once, in order. `new URL('../storage/migrations/',
   * import.meta.url)`
   */
  readonly migrations?: URL
  /**
   * True: it keeps for later what people say. A replay leaves out such a plugin, and the plugins that need its services.
   */
  readonly remembers?: boolean
  /**
   * Whether the plugin needs its tables, with these options. Default: it does. With `database: false` the bot refuses to
   * start with such a plugin. When no plugin needs tables, a replay opens no database.
   */
  needsDatabase?(options: StandardSchemaV1.InferOutput<S>): boolean
  /**
   * Whether the plugin has routes, with these options: see `PluginHooks.routes`. `kikimimi check` reads it, and a replay
   * leaves out such a plugin. Default: no.
   */
  servesHttp?(options: StandardSchemaV1.InferOutput<S>): boolean
  /**
   * A folder of prompts with a folder for each language (`en/`, `ja/`) of Markdown files. `new URL('./prompts/',
   * import.meta.url)`
   */
  readonly prompts?: URL
  /**
   * The options that have no effect with these values of the others and in this bot, each with the reason in one sentence. For
   * `kikimimi check`, `kikimimi replay` and the dashboard. Default: each has an effect.
   */
  unused?(options: StandardSchemaV1.InferOutput<S>, bot: Configured): Readonly<Record<string, string>>
  /** How to add the bot to a platform, for `kikimimi invite`: a link with a sentence. The bot does not run then. */
  invite?(options: StandardSchemaV1.InferOutput<S>, bot: Configured): Awaitable<string>
  /**
   * Checks whether the plugin can work, for `kikimimi check`: valid tokens, sufficient permissions. The bot does not run
   * then.
   */
  check?(options: StandardSchemaV1.InferOutput<S>, bot: Configured): Awaitable<readonly Finding[]>
  /** Examines the tables of the plugin, for `kikimimi doctor`. The bot does not run then, or in another process. */
  examine?(db: Database): Awaitable<readonly Finding[]>
  /** Commands for the command line, `kikimimi NAME`. */
  readonly cli?: readonly CliCommand[]
  /** Options that can differ for each workspace, channel and thread. The plugin reads them with `ctx.optionsFor`. */
  readonly scoped?: readonly K[]
  /** True for a plugin made by `definePlatform`. */
  readonly platform?: boolean
  /**
   * Sets the plugin up. Runs once at the start, and again when a reload restarts the plugin. Returns the hooks of the
   * plugin.
   * @throws HOOK_UNKNOWN at the start, when it returns a name that is not a hook
   */
  setup(
    ctx: PluginContext<StandardSchemaV1.InferOutput<S>>,
    options: StandardSchemaV1.InferOutput<S>,
  ): Awaitable<PlatformHooks | void>
}

/** A plugin with the options that bot.config.ts gave it. */
export interface Plugin {
  /** The definition of the plugin. */
  readonly definition: PluginDefinition
  /** The options of bot.config.ts, not checked yet. `undefined`: the defaults. */
  readonly options: unknown
  /** The options for single workspaces, channels and threads. */
  readonly overrides?: Overrides<Readonly<Record<string, unknown>>>
  /** The names of the options that bot.settings.json gives. */
  readonly fromSettingsFile?: readonly string[]
  /** The lines of prompts that bot.settings.json gives, by name and locale. */
  readonly prompts?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

/** A plugin in bot.config.ts. Call it with options, or list it without a call to use its defaults. */
export interface PluginFactory<In, K extends string = never> {
  (
    ...options: CanBeEmpty<In> extends true ? [options?: In, places?: Places<In, K>] : [options: In, places?: Places<In, K>]
  ): Plugin
  /** The definition of the plugin. */
  readonly definition: PluginDefinition
}

/** Whether each option has a default. */
type CanBeEmpty<In> = undefined extends In ? true : Record<string, never> extends In ? true : false

type Places<In, K extends string> = Overrides<Partial<Pick<NonNullable<In>, K & keyof NonNullable<In>>>>

/** Hooks without a name that is not in `All`: a mistyped stage does not compile. */
type Exact<H, All> = H & { readonly [N in Exclude<keyof H, keyof All>]: never }

type Services = readonly Service<unknown>[]

/** A context with the services that the definition lists in `needs`: the use of another one does not compile. */
type Needing<C extends PluginContext, N extends Services> = Omit<C, 'use'> & {
  use<V extends N[number]>(service: V): V extends Service<infer T> ? T : never
  use<T>(service: Service<T>, need: 'optional'): T | undefined
}

type Defined<S extends StandardSchemaV1, K extends string, N extends Services, H, All, C extends PluginContext> = Omit<
  PluginDefinition<S, K>,
  'setup' | 'platform' | 'needs'
> & {
  readonly needs?: N
  setup(ctx: Needing<C, N>, options: StandardSchemaV1.InferOutput<S>): Awaitable<Exact<H, All> | void>
}

/**
 * Defines a plugin.
 *
 * @example
 * export default definePlugin({
 *   name: 'question',
 *   options: z.object({ points: z.number().min(0).max(100).default(20) }),
 *   setup: (_ctx, { points }) => ({
 *     score: ({ messages }) =>
 *       messages.some(m => /[?？]\s*$/u.test(m.text)) ? { points, why: 'asks a question' } : undefined,
 *   }),
 * })
 */
export function definePlugin<
  S extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  const K extends keyof NonNullable<StandardSchemaV1.InferInput<S>> & string = never,
  const N extends Services = readonly [],
  H extends PluginHooks = PluginHooks,
>(
  definition: Defined<S, K, N, H, PluginHooks, PluginContext<StandardSchemaV1.InferOutput<S>>>,
): PluginFactory<StandardSchemaV1.InferInput<S>, K> {
  return factoryOf(definition)
}

/** Defines a plugin that provides a platform: its `setup` gets a {@link PlatformContext} and returns `platform`. */
export function definePlatform<
  S extends StandardSchemaV1 = StandardSchemaV1<undefined>,
  const K extends keyof NonNullable<StandardSchemaV1.InferInput<S>> & string = never,
  const N extends Services = readonly [],
  H extends PlatformHooks = PlatformHooks,
>(
  definition: Defined<S, K, N, H, PlatformHooks, PlatformContext<StandardSchemaV1.InferOutput<S>>>,
): PluginFactory<StandardSchemaV1.InferInput<S>, K> {
  return factoryOf({ ...definition, platform: true })
}

/** The schema's types matter only to the caller. The kernel relies on what the schema validates. */
function factoryOf<In, K extends string>(definition: unknown): PluginFactory<In, K> {
  const erased = definition as PluginDefinition
  const make = (options?: unknown, overrides?: NonNullable<Plugin['overrides']>): Plugin => ({
    definition: erased,
    options,
    ...(overrides && { overrides }),
  })
  return Object.assign(make, { definition: erased })
}
