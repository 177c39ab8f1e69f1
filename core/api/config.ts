import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Duration } from '../base/duration.ts'
import { DURATION_FORM } from '../base/duration.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import type { Locale } from '../base/locale.ts'
import type { ChatModel } from './chat-model.ts'
import type { Plugin, PluginFactory } from './define-plugin.ts'
import { duration } from './duration-option.ts'
import type { LangChainEmbeddings, LangChainModel } from './langchain-model.ts'
import { invalidOptions } from './option-errors.ts'

/** What stands in `plugins`: falsy entries are ignored, arrays flattened, an uncalled plugin runs with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: a list of factories with different options has no other common type.
export type PluginEntry = Plugin | PluginFactory<any> | false | null | undefined | '' | 0 | readonly PluginEntry[]

/** A model for each role; what is missing falls back to `chat`, and that to the offline model. */
export interface ModelConfig {
  readonly chat?: ChatModel | LangChainModel | undefined
  readonly judge?: ChatModel | LangChainModel | undefined
  readonly summary?: ChatModel | LangChainModel | undefined
  readonly reflection?: ChatModel | LangChainModel | undefined
  readonly embeddings?: LangChainEmbeddings | undefined
}

/** Whom and where the bot listens to at all. What is not listened to is never recorded. */
export interface Listen {
  /** Only these channels, by name or id. Default: all. */
  readonly channels?: readonly string[]
  /** Never these channels, by name or id. */
  readonly except?: readonly string[]
  /** Direct messages. Default: yes. */
  readonly direct?: boolean
  /** Who addressed the bot while it was away is answered when that is not longer ago. Default `'10m'`; 0: nobody. */
  readonly missed?: Duration
  /** Other bots. Default: no. Where they are heard, the bot answers them five times in a row, and no more until a person speaks. */
  readonly bots?: boolean
}

export interface Limits {
  /** Tokens, read and written together. */
  readonly tokens?: number | undefined
  /** In the currency of `prices`. */
  readonly money?: number | undefined
}

export interface Allowance {
  /** In an hour. */
  readonly hour?: Limits | undefined
  /** In a day. */
  readonly day?: Limits | undefined
}

/** By the clock of UTC. */
export interface BudgetConfig extends Allowance {
  /** What each channel may cost, its threads included. */
  readonly channel?: Allowance | undefined
  /** Of a million tokens, by the name of the model. A limit in money needs the price of every model. */
  readonly prices?: Readonly<Record<string, { readonly input: number; readonly output: number }>> | undefined
}

export interface PaceConfig {
  /**
   * How long a conversation must be quiet before it is judged. Default `'4s'`; `0` judges at once; `'auto'` waits as long
   * as the pauses last in which people of this conversation send one thought.
   */
  readonly minWait?: Duration | 'auto'
  /** The share by which the wait varies. Default 0.3. */
  readonly jitter?: number
  /** After this long it is judged even when it never becomes quiet. Default `'2m'`. */
  readonly maxWait?: Duration
}

/** What bot.config.ts exports. */
export interface BotConfig {
  /** Who the bot is. */
  readonly persona: {
    /** What it is called. */
    readonly name: string
    /** What else people call the bot. */
    readonly names?: readonly string[]
    /** Who the bot is, in its own prompt. Default: a considerate participant. */
    readonly prompt?: string
  }
  /** The language of prompts and of the bot's own messages. Default `en`. */
  readonly locale?: Locale
  /** A LangChain chat model for each role. What is missing falls back to `chat`; without that the offline model answers. */
  readonly models?: ModelConfig
  /** A folder (`./data`, the default), `postgres://…`, `memory`, or `false` for no database at all. */
  readonly database?: string | false
  /** What the bot consists of. In this order the plugins are asked. */
  readonly plugins: readonly PluginEntry[]
  /** Whom and where it listens to. Default: everything, but other bots. */
  readonly listen?: Listen
  /** How long a talk must be quiet before it is judged. */
  readonly pacing?: PaceConfig & {
    /** Channels with a pace of their own, by name or id. */
    readonly channels?: Readonly<Record<string, PaceConfig>>
  }
  /** Working memory: what a turn sees of the talk before it. */
  readonly memory?: {
    /** Messages at most. Default 50. */
    readonly size?: number
    /** How far back it goes. Default `'30m'`. */
    readonly ttl?: Duration
  }
  /** Said when answering somebody who addressed the bot fails; `false` for silence. */
  readonly apology?: string | false
  /** Tokens that all sections of a prompt may take together. Default 6000. */
  readonly contextTokens?: number
  /** Turns of different conversations that run side by side in one process. Default 8. */
  readonly concurrency?: number
  /** What models may cost. Default: whatever it takes. Judging is cut first, answering who calls last. */
  readonly budget?: BudgetConfig
  /** What is deleted when it is older. */
  readonly retention?: {
    /** How long messages are kept. Default `'90d'`. */
    readonly messages?: Duration
    /** How long traces are kept. Default `'30d'`. */
    readonly traces?: Duration
  }
  /** `host:port` of `/healthz`, `/readyz` and `/metrics`. Default: none, or `KIKIMIMI_HTTP`. */
  readonly http?: string
}

/** The slow pace: a talk is judged after five quiet minutes. `pacing: calm` */
export const calm = { minWait: '300s', maxWait: '30m' } as const satisfies PaceConfig

/** Types bot.config.ts. */
export function defineBot(config: BotConfig): BotConfig {
  return config
}

const count = z.int().min(1)
const share = z.number().min(0).max(1)
const wait = z.union([z.literal('auto'), duration], {
  error: ({ input }) => `expected ${DURATION_FORM}, or 'auto', got ${JSON.stringify(input)}`,
})

const limits = z.strictObject({ tokens: count.optional(), money: z.number().positive().optional() }).optional()
const allowance = { hour: limits, day: limits }
const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })

/** What bot.config.ts may say, as {@link BotConfig} tells. */
export const settings = z.strictObject({
  persona: z.strictObject({
    name: z.string().trim().min(1),
    names: z.array(z.string().trim().min(1)).default([]),
    prompt: z.string().trim().min(1).optional(),
  }),
  locale: z.enum(['en', 'ja']).default('en'),
  models: z
    .partialRecord(
      z.enum(['chat', 'judge', 'summary', 'reflection', 'embeddings']),
      z.custom<object>(isObject, 'expected a model').meta({ title: 'LangChain model' }),
    )
    .optional(),
  database: z.union([z.string().trim().min(1), z.literal(false)]).default('./data'),
  plugins: z.array(z.unknown().meta({ title: 'plugin' })),
  listen: z
    .strictObject({
      channels: z.array(z.string()).optional(),
      except: z.array(z.string()).optional(),
      direct: z.boolean().optional(),
      bots: z.boolean().optional(),
      missed: duration.optional(),
    })
    .prefault({}),
  pacing: z
    .strictObject({
      minWait: wait.prefault('4s'),
      jitter: share.default(0.3),
      maxWait: duration.prefault('2m'),
      channels: z
        .record(z.string(), z.strictObject({ minWait: wait.optional(), jitter: share.optional(), maxWait: duration.optional() }))
        .default({}),
    })
    .prefault({}),
  memory: z.strictObject({ size: count.max(1_000).default(50), ttl: duration.prefault('30m') }).prefault({}),
  apology: z.union([z.string().trim().min(1), z.literal(false)]).optional(),
  contextTokens: count.default(6_000),
  concurrency: count.default(8),
  budget: z
    .strictObject({ ...allowance, channel: z.strictObject(allowance).optional(), prices: z.record(z.string(), price).optional() })
    .optional(),
  retention: z.strictObject({ messages: duration.prefault('90d'), traces: duration.prefault('30d') }).prefault({}),
  http: z.string().optional(),
})

/** A config that has been checked, its defaults filled in, its durations in milliseconds. */
export interface Settings extends Omit<z.output<typeof settings>, 'plugins' | 'models' | 'listen'> {
  readonly models: ModelConfig | undefined
  readonly listen: Listen
}

/** Throws CONFIG_INVALID with every mistake. */
export function checkConfig(config: BotConfig): Settings {
  const checked = settings.safeParse(config)
  if (!checked.success) {
    throw new KikimimiError('CONFIG_INVALID', invalidOptions('bot.config.ts is invalid:', checked.error.issues, config))
  }
  const { plugins: _, ...rest } = checked.data
  return { ...rest, models: config.models, listen: config.listen ?? {} }
}

/** Loads bot.config.ts. Throws CONFIG_NOT_FOUND, CONFIG_BROKEN or CONFIG_INVALID. */
export async function loadConfig(file: string): Promise<{ readonly config: BotConfig; readonly project: URL }> {
  const path = resolve(file)
  if (!existsSync(path)) {
    throw new KikimimiError(
      'CONFIG_NOT_FOUND',
      `There is no ${path}. Run this in the folder of your bot, or name the file with --config.`,
    )
  }
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof KikimimiError && error.code !== 'ARGUMENT_INVALID') throw error
    throw new KikimimiError('CONFIG_BROKEN', `${file} does not load: ${reason(error)}${placeIn(error, path)}`, { cause: error })
  }
  if (!isObject(module.default)) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `${file} must export a bot: export default defineBot({ persona: { name: 'kiki' }, plugins: [] })`,
    )
  }
  return { config: module.default as BotConfig, project: pathToFileURL(`${dirname(path)}/`) }
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
