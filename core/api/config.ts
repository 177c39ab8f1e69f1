import { existsSync, readFileSync } from 'node:fs'
import { type LoadHookSync, registerHooks } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { DURATION_FORM, type Duration } from '../base/duration.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import { LOCALES } from '../base/text/core-texts.ts'
import { jsonFault } from '../base/text/json-fault.ts'
import { FALLBACK, type Locale } from '../base/text/texts.ts'
import type { ChatModel, LangChainEmbeddings, LangChainModel, Reranker, Speaker, Transcriber } from './chat-model.ts'
import { accessRules, placeRules } from './checks/access-rules.ts'
import { ConfigError, type ConfigMistake } from './checks/config-error.ts'
import type { Plugin, PluginFactory } from './define-plugin.ts'
import { optionMistakes } from './option-errors.ts'
import { duration } from './time-options.ts'

/** An entry of `plugins`. False values are ignored, lists are flattened, and a plugin that is not called runs with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: a list of factories with different options has no other common type.
export type PluginEntry = Plugin | PluginFactory<any> | false | null | undefined | '' | 0 | readonly PluginEntry[]

/** Chat models by role. */
export interface RoleModels {
  /** Writes replies. */
  readonly chat?: ChatModel | LangChainModel | undefined
  /** Judges whether to speak. */
  readonly judge?: ChatModel | LangChainModel | undefined
  /** Writes summaries. */
  readonly summary?: ChatModel | LangChainModel | undefined
  /** Extracts facts. */
  readonly reflection?: ChatModel | LangChainModel | undefined
}

/** A model for each role. A missing role uses `chat`; without `chat` the offline model answers. */
export interface ModelConfig extends RoleModels {
  /** Other models for the calls of a plugin, by its name: `{ eavesdrop: { judge: cheap } }`. */
  readonly plugins?: Readonly<Record<string, RoleModels>> | undefined
  /** Other models for the turns of a channel, by its name or id, threads included: `{ dev: { chat: strong } }`. They come before `plugins`. */
  readonly channels?: Readonly<Record<string, RoleModels>> | undefined
  /** Makes vectors, by which memory finds what a question means. Default: memory finds shared words only. */
  readonly embeddings?: LangChainEmbeddings | undefined
  /** Orders what memory has found by how well it answers. Default: the order of the search. */
  readonly rerank?: Reranker | undefined
  /** Writes down recordings for a chat model that takes no audio, and what people say in voice channels. Default: neither is read. */
  readonly transcribe?: Transcriber | undefined
  /** Reads out the answers of the bot in voice channels. Default: they are only written. */
  readonly speak?: Speaker | undefined
}

/** Which channels and authors the bot listens to. Other messages are never recorded. */
export interface Listen {
  /** Only these channels, by name or id. Default: all. */
  readonly channels?: readonly string[]
  /** Never these channels, by name or id. */
  readonly except?: readonly string[]
  /** Direct messages. Default: yes. */
  readonly direct?: boolean
  /** Maximum age of mentions received while the bot was offline that it still answers; 0 answers none. Default `'10m'`. */
  readonly missed?: Duration
  /** Messages of other bots. The bot answers them five times in a row, then not until a person writes. Default: no. */
  readonly bots?: boolean
}

export interface Limits {
  /** Input and output tokens together. */
  readonly tokens?: number | undefined
  /** Money, in the currency of `prices`. */
  readonly money?: number | undefined
}

export interface Allowance {
  /** Limits per hour. */
  readonly hour?: Limits | undefined
  /** Limits per day. */
  readonly day?: Limits | undefined
}

/** Limits of a channel. */
export interface ChannelAllowance extends Allowance {
  /** Largest share of the limits that the calls of one person may use, 0…1. Default 0.1. */
  readonly share?: number | undefined
}

/** Limits of what models may cost. Hours and days are in UTC. */
export interface BudgetConfig extends Allowance {
  /** Limits for each channel, its threads included. */
  readonly channel?: ChannelAllowance | undefined
  /** Prices of a million tokens, by the name of the model. A limit of money needs the price of every model. */
  readonly prices?: Readonly<Record<string, { readonly input: number; readonly output: number }>> | undefined
}

export interface PaceConfig {
  /**
   * How long a conversation must be quiet before it is judged. `0` judges at once. `'auto'`: 4 s after a message of a person who talks
   * with the bot; three times as long as the pauses within a thought there after others; at least 10 s after an unfinished sentence. Default `'4s'`.
   */
  readonly minWait?: Duration | 'auto'
  /** Share by which the wait varies: 0.3 is ±30 %. Default 0.3. */
  readonly jitter?: number
  /** Longest wait: after it a conversation is judged even if it is never quiet. Default `'2m'`. */
  readonly maxWait?: Duration
}

/**
 * People: `'everyone'`, `'nobody'`, or a list. An entry of the list is `owners`, `admins` (with the owners), `members` (with both, without
 * guests and other bots), `guests` (with people of other workspaces), `role:NAME` or `role:ID` (a role of Discord, a user group of
 * Slack), or `person:ID`. In the chat the list is written with commas. An empty list is nobody.
 */
export type Who = string | readonly string[]

/** What people may do with the bot in a place. */
export interface AccessRules {
  /** Who may call the bot: by a mention, a reply, its name, a direct message or a command. Default `'everyone'`. */
  readonly call?: Who | undefined
  /** Who may give orders that change what the bot does or remembers: settings, quiet, remember, forget. Default `'everyone'`. */
  readonly orders?: Who | undefined
  /**
   * Whose calls may use tools: of all tools, or for tools by their name (`{ make_poll: ['admins'] }`; `'*'` stands for all others, by
   * default everyone). Default `'everyone'`.
   */
  readonly tools?: Who | Readonly<Record<string, Who>> | undefined
  /** How many calls a person may make in an hour. Default: unlimited. */
  readonly callsPerHour?: number | undefined
  /** How many tokens the calls of a person may use in an hour. Default: unlimited. */
  readonly tokensPerHour?: number | undefined
}

/** The rules everywhere, and those of single places. The narrower place wins, for each rule. */
export interface AccessConfig extends AccessRules {
  /** Rules of workspaces, by id. */
  readonly workspaces?: Readonly<Record<string, AccessRules>>
  /** Rules of channels, by name or id, their threads included. */
  readonly channels?: Readonly<Record<string, AccessRules>>
  /** Rules of threads, by id. */
  readonly threads?: Readonly<Record<string, AccessRules>>
}

/** The name and the character of the bot. */
export interface PersonaRules {
  /** The name of the bot. */
  readonly name: string
  /** Other names that people use for the bot. */
  readonly names?: readonly string[] | undefined
  /** Description of the bot for prompts. Default: a considerate participant. */
  readonly prompt?: string | undefined
}

/**
 * What the bot is in a place. With a `name` it is another persona, which takes nothing from the wider place. Without a name it is the
 * persona of the wider place, with other names or another prompt.
 */
export interface PlacePersona {
  /** Its name. Default: the persona of the wider place. */
  readonly name?: string | undefined
  /** Other names that people use for it there. */
  readonly names?: readonly string[] | undefined
  /** Its description for prompts. */
  readonly prompt?: string | undefined
  /** The address of its picture, where the platform can show one: https. Needs a `name`. Default: the picture of the bot's account. */
  readonly picture?: string | undefined
  /**
   * True: it shares the memory of the bot itself. Needs a `name`. Default: a persona remembers only what was said in the places of its
   * name.
   */
  readonly sharesMemory?: boolean | undefined
}

/** The persona everywhere, and those of single places. The narrower place wins. */
export interface PersonaConfig extends PersonaRules {
  /** Personas of workspaces, by id. */
  readonly workspaces?: Readonly<Record<string, PlacePersona>>
  /** Personas of channels, by name or id, their threads included. */
  readonly channels?: Readonly<Record<string, PlacePersona>>
}

/** The settings of a bot, which bot.config.ts exports. */
export interface BotConfig {
  /** The name and the character of the bot, everywhere and in single places. */
  readonly persona: PersonaConfig
  /** Language of prompts and of the bot's own messages. Default `en`. */
  readonly locale?: Locale
  /**
   * A LangChain chat model for each role. A missing role uses `chat`; without `chat` the offline model answers. `transcribe`,
   * `speak` and `rerank` are objects with a `name` and a function of that name.
   */
  readonly models?: ModelConfig
  /** A folder for the embedded database, `postgres://…`, `memory`, or `false` for no database. Default `./data`. */
  readonly database?: string | false
  /** Connections to a Postgres server. */
  readonly postgres?: {
    /** Largest number of connections for statements of one process. One more connection listens. Default: `DATABASE_CONNECTIONS`; without it 10. */
    readonly connections?: number
    /** The same database past a pooler such as PgBouncer, for notifications. Default: `DATABASE_DIRECT_URL`; without it `database`. */
    readonly directUrl?: string
  }
  /** The plugins of the bot, in the order in which stages ask them. */
  readonly plugins: readonly PluginEntry[]
  /** Which channels and authors the bot listens to. Default: all except other bots. */
  readonly listen?: Listen
  /** How long a conversation must be quiet before it is judged. */
  readonly pacing?: PaceConfig & {
    /** Pacing of single channels, by name or id. */
    readonly channels?: Readonly<Record<string, PaceConfig>>
  }
  /** Working memory: the earlier messages that a turn sees. */
  readonly memory?: {
    /** Largest number of messages. Default 50. */
    readonly size?: number
    /** Largest age of messages. Default `'30m'`. */
    readonly ttl?: Duration
    /** Records the messages that the bot reads from the history of a platform to answer a call. Default: no, they are only used once. */
    readonly keepHistory?: boolean
  }
  /** Text that the bot sends when it was addressed and could not answer; `false` for silence. Default: a sentence in the language of the bot. */
  readonly apology?: string | false
  /** Maximum age of an answer that the platform did not take at first, and that the bot still sends. Default `'10m'`. */
  readonly sendWithin?: Duration
  /** Largest number of tokens of all sections of a prompt together. Default 6000. */
  readonly contextTokens?: number
  /** Turns of different conversations that run in parallel in one process. Default 8. */
  readonly concurrency?: number
  /** Limits of what models may cost. Near a limit, judge calls are refused first, replies to mentions last. Default: unlimited. */
  readonly budget?: BudgetConfig
  /** Who may call the bot, use its tools and give it orders, and how often. Default: everyone, without a limit. */
  readonly access?: AccessConfig
  /**
   * Tells the operator when something is wrong, and when it is over. `ALERT_WEBHOOK_URL` in the environment names a webhook, and
   * `ALERT_SECRET` the key of its signature.
   */
  readonly alerts?: {
    /** Channels to post in: `PLATFORM/NAME`, or the id of a channel. Default: none. */
    readonly channels?: readonly string[]
    /** Share of a limit of `budget` from which it counts as nearly used, 0…1. Default 0.8. */
    readonly budget?: number
  }
  /** Keeps the prompts of turns and the raw output of models, which the dashboard shows beside the turn. Default: nowhere. */
  readonly capture?: {
    /** In these channels, by name or id, threads included. A direct conversation counts only by its id. */
    readonly channels?: readonly string[]
  }
  /** How long data is kept. */
  readonly retention?: {
    /** Age at which messages are deleted. Default `'90d'`. */
    readonly messages?: Duration
    /** Age at which traces are deleted. Default `'30d'`. */
    readonly traces?: Duration
    /** Age at which captured prompts are deleted. Default `'3d'`. */
    readonly prompts?: Duration
  }
  /** Address of the HTTP server, `host:port`. Default: `KIKIMIMI_HTTP`; without it `127.0.0.1:8787`, or the next free port, if a plugin has routes, otherwise no server. */
  readonly http?: string
}

/** Slow pacing: a conversation is judged after five quiet minutes. `pacing: calm` */
export const calm = { minWait: '300s', maxWait: '30m' } as const satisfies PaceConfig

const count = z.int().min(1)
const share = z.number().min(0).max(1)
const wait = z.union([z.literal('auto'), duration], {
  error: ({ input }) => `expected ${DURATION_FORM}, or 'auto', got ${JSON.stringify(input)}`,
})

const limits = z.strictObject({ tokens: count.optional(), money: z.number().positive().optional() }).optional()
const allowance = {
  hour: limits.describe('Limits of tokens and money per hour, in UTC.'),
  day: limits.describe('Limits of tokens and money per day, in UTC.'),
}
const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })

const model = z.custom<object>(isObject, 'expected a model').meta({ title: 'LangChain model' }).optional()
const roles = { chat: model, judge: model, summary: model, reflection: model }

const text = z.string().trim().min(1)
const placePersona = z
  .strictObject({
    name: text.optional(),
    names: z.array(text).optional(),
    prompt: text.optional(),
    picture: z.url({ protocol: /^https$/, error: 'expected an address that begins with https://' }).optional(),
    sharesMemory: z.boolean().optional(),
  })
  .superRefine(({ name, picture, sharesMemory }, context) => {
    if (name !== undefined) return
    for (const [key, value] of Object.entries({ picture, sharesMemory }))
      if (value !== undefined) context.addIssue({ code: 'custom', path: [key], message: 'belongs to a persona: add its name' })
  })

/** The schema of bot.config.ts. Its input is {@link BotConfig}. */
export const settings = z.strictObject({
  persona: z.strictObject({
    name: text.describe('The name of the bot.'),
    names: z.array(text).default([]).describe('Other names that people use for the bot.'),
    prompt: text.optional().describe('Description of the bot for prompts. Default: a considerate participant.'),
    workspaces: z.record(z.string(), placePersona).optional().describe('Personas of workspaces, by id.'),
    channels: z.record(z.string(), placePersona).optional().describe('Personas of channels, by name or id.'),
  }),
  locale: z.enum(LOCALES).default(FALLBACK).describe('Language of prompts and of the bot’s own messages.'),
  models: z
    .strictObject({
      ...roles,
      embeddings: model,
      rerank: model,
      transcribe: model,
      speak: model,
      plugins: z.record(z.string(), z.strictObject(roles)).optional(),
      channels: z.record(z.string(), z.strictObject(roles)).optional(),
    })
    .optional(),
  database: z.union([z.string().trim().min(1), z.literal(false)]).default('./data'),
  postgres: z
    .strictObject({ connections: z.int().min(2).max(1_000).optional(), directUrl: z.string().trim().min(1).optional() })
    .prefault({}),
  plugins: z.array(z.unknown().meta({ title: 'plugin' })),
  listen: z
    .strictObject({
      channels: z.array(z.string()).optional().describe('Only these channels, by name or id. Default: all.'),
      except: z.array(z.string()).optional().describe('Never these channels, by name or id.'),
      direct: z.boolean().optional().describe('Direct messages. Default: yes.'),
      bots: z.boolean().optional().describe('Messages of other bots. Default: no.'),
      missed: duration
        .optional()
        .describe('Maximum age of mentions that were missed while the bot was offline and are still answered. Default `10m`.'),
    })
    .prefault({}),
  pacing: z
    .strictObject({
      minWait: wait
        .prefault('4s')
        .describe('How long a conversation must be quiet before it is judged. `auto` follows the pauses of people.'),
      jitter: share.default(0.3).describe('Share by which the wait varies: 0.3 is ±30 %.'),
      maxWait: duration.default('2m').describe('After this wait a conversation is judged even if it is never quiet.'),
      channels: z
        .record(z.string(), z.strictObject({ minWait: wait.optional(), jitter: share.optional(), maxWait: duration.optional() }))
        .default({})
        .describe('Pacing of single channels, by name or id.'),
    })
    .prefault({}),
  memory: z
    .strictObject({
      size: count.max(1_000).default(50).describe('Largest number of earlier messages that a turn sees.'),
      ttl: duration.default('30m').describe('Largest age of earlier messages that a turn sees.'),
      keepHistory: z
        .boolean()
        .default(false)
        .describe('Records what the bot reads from the history of a platform to answer a call.'),
    })
    .prefault({}),
  apology: z
    .union([z.string().trim().min(1), z.literal(false)])
    .optional()
    .describe('Text that the bot sends when it was addressed and could not answer; `false` for silence.'),
  sendWithin: duration
    .default('10m')
    .describe('Maximum age of an answer that the platform did not take at first, and that the bot still sends.'),
  contextTokens: count.default(6_000).describe('Largest number of tokens of all sections of a prompt together.'),
  concurrency: count.default(8).describe('Turns of different conversations that run in parallel in one process.'),
  budget: z
    .strictObject({
      ...allowance,
      channel: z
        .strictObject({ ...allowance, share: share.default(0.1) })
        .optional()
        .describe('Limits of each channel, its threads included.'),
      prices: z.record(z.string(), price).optional().describe('Prices of a million tokens, by the name of the model.'),
    })
    .optional(),
  access: z
    .strictObject({
      ...accessRules.shape,
      workspaces: z.record(z.string(), placeRules).optional().describe('Rules of workspaces, by id.'),
      channels: z.record(z.string(), placeRules).optional().describe('Rules of channels, by name or id.'),
      threads: z.record(z.string(), placeRules).optional().describe('Rules of threads, by id.'),
    })
    .prefault({}),
  alerts: z
    .strictObject({
      channels: z
        .array(z.string().trim().min(1))
        .default([])
        .describe('Channels to post alerts in: `PLATFORM/NAME`, or the id of a channel.'),
      budget: share.default(0.8).describe('Share of a limit of the budget from which an alert is sent.'),
    })
    .prefault({}),
  capture: z
    .strictObject({
      channels: z
        .array(z.string())
        .default([])
        .describe('Channels whose prompts and raw model output are kept and shown beside the turn.'),
    })
    .prefault({}),
  retention: z
    .strictObject({
      messages: duration.default('90d').describe('Age at which messages are deleted.'),
      traces: duration.default('30d').describe('Age at which traces are deleted.'),
      prompts: duration.default('3d').describe('Age at which captured prompts are deleted.'),
    })
    .prefault({}),
  http: z.string().optional(),
})

/** A checked config: defaults are filled in, durations are in milliseconds. */
export interface Settings extends Omit<z.output<typeof settings>, 'plugins' | 'models' | 'listen'> {
  readonly models: ModelConfig | undefined
  readonly listen: Listen
}

/** The settings of a config, or all mistakes in them. */
export function settingsIn(config: BotConfig): { readonly settings?: Settings; readonly mistakes: readonly ConfigMistake[] } {
  const checked = settings.safeParse(config)
  if (!checked.success) {
    const mistakes = optionMistakes(checked.error.issues, config, settings)
    return { mistakes: mistakes.map(one => ({ code: 'CONFIG_INVALID', ...one })) }
  }
  const { plugins: _, ...rest } = checked.data
  return { settings: { ...rest, models: config.models, listen: config.listen ?? {} }, mistakes: [] }
}

/** Throws CONFIG_INVALID with every mistake. */
export function checkConfig(config: BotConfig): Settings {
  const { settings: checked, mistakes } = settingsIn(config)
  if (!checked) throw new ConfigError(mistakes)
  return checked
}

/** Loads bot.config.ts, with its mistakes. Throws CONFIG_NOT_FOUND, CONFIG_BROKEN or CONFIG_INVALID. */
export async function loadConfig(file: string): Promise<{ readonly config: BotConfig; readonly project: URL }> {
  const path = resolve(file)
  if (!existsSync(path)) {
    throw new KikimimiError(
      'CONFIG_NOT_FOUND',
      `There is no ${path}. Run this in the folder of your bot, or name the file with --config.`,
    )
  }
  let module: { default?: unknown }
  const hooks = registerHooks({ load: loadSettingsFile })
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof KikimimiError && error.code !== 'ARGUMENT_INVALID') throw error
    throw dataProblem(file, error) ?? broken(file, error, path)
  } finally {
    hooks.deregister()
  }
  if (!isObject(module.default)) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `${file} must export a bot: export default defineBot({ persona: { name: 'kiki' }, plugins: [] })`,
    )
  }
  return { config: module.default as BotConfig, project: pathToFileURL(`${dirname(path)}/`) }
}

/** Passes a bot.settings.json that is no JSON to `defineBot` as text, so that bot.config.ts loads and its mistakes are told too. */
const loadSettingsFile: LoadHookSync = (url, context, next) => {
  const loaded = next(url, context)
  if (!SETTINGS_FILE.test(url) || loaded.format !== 'json') return loaded
  const text = readFileSync(new URL(url), 'utf8')
  return jsonFault(text) === undefined ? loaded : { ...loaded, source: JSON.stringify(text) }
}

const SETTINGS_FILE = /\/bot\.settings\.json(?:\?v=\d+)?$/

function broken(file: string, error: unknown, path: string): KikimimiError {
  return new KikimimiError('CONFIG_BROKEN', `${file} does not load: ${reason(error)}${placeIn(error, path)}`, { cause: error })
}

/** What is wrong with an imported JSON file, such as bot.settings.json. The message of Node begins with its path. */
function dataProblem(file: string, error: unknown): KikimimiError | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, missing] = /^Cannot find module '([^']+\.json)'/.exec(message) ?? []
  const [, data] = error instanceof SyntaxError ? (/^(\S.*?\.json): /.exec(message) ?? []) : []
  const fault = data === undefined ? undefined : jsonFault(readFileSync(data, 'utf8'))
  const problem =
    missing !== undefined
      ? `${missing}, which does not exist. Create it with the content {}.`
      : fault && `${data}, which is no JSON: ${fault}. Correct it.`
  return problem ? new KikimimiError('CONFIG_BROKEN', `${file} imports ${problem}`, { cause: error }) : undefined
}

/** The line of the config file that an error's stack names. */
function placeIn(error: unknown, path: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = stack.split(path)[1]?.match(/^(?:\?v=\d+)?:(\d+)/)?.[1]
  return line ? ` (line ${line})` : ''
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
