/**
 * The settings of bot.config.ts: one schema, and the types of what it takes and gives. Its doc comments are the only description of a
 * setting: editors, the reference and the dashboard show them. After a change of one: `npm run reference`.
 */
import { z } from 'zod'
import { DURATION_FORM } from '../base/duration.ts'
import { LOCALES } from '../base/text/core-texts.ts'
import { FALLBACK } from '../base/text/texts.ts'
import type { ChatModel, LangChainEmbeddings, LangChainModel, Reranker, Speaker, Transcriber } from './chat-model.ts'
import { accessRules, placeRules } from './checks/access-rules.ts'
import { ConfigError, type ConfigMistake } from './checks/config-error.ts'
import { optionMistakes } from './checks/option-errors.ts'
import type { Plugin, PluginFactory } from './define-plugin.ts'
import { duration, timeZone } from './time-options.ts'

/** An entry of `plugins`. False values are ignored, lists are flattened, and a plugin that is not called runs with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: a list of factories with different options has no other common type.
export type PluginEntry = Plugin | PluginFactory<any> | false | null | undefined | '' | 0 | readonly PluginEntry[]

// ---------------------------------------------------------------- parts of the schema

const text = z.string().trim().min(1)
const count = z.int().min(1)
const share = z.number().min(0).max(1)
const wait = z.union([z.literal('auto'), duration], {
  error: ({ input }) => `expected ${DURATION_FORM}, or 'auto', got ${JSON.stringify(input)}`,
})

const model = <Model extends object>() =>
  z.custom<Model>(isObject, 'expected a model').meta({ title: 'LangChain model' }).optional()

const roleModels = z.strictObject({
  /** Writes replies. */
  chat: model<ChatModel | LangChainModel>(),
  /** Judges whether to speak. */
  judge: model<ChatModel | LangChainModel>(),
  /** Writes summaries. */
  summary: model<ChatModel | LangChainModel>(),
  /** Extracts facts. */
  reflection: model<ChatModel | LangChainModel>(),
})

const models = z.strictObject({
  ...roleModels.shape,
  /** Makes vectors, by which memory finds what a question means. Default: memory finds shared words only. */
  embeddings: model<LangChainEmbeddings>(),
  /** Orders what memory has found by how well it answers. Default: the order of the search. */
  rerank: model<Reranker>(),
  /** Writes down recordings for a chat model that takes no audio, and what people say in voice channels. Default: neither is read. */
  transcribe: model<Transcriber>(),
  /** Reads out the answers of the bot in voice channels. Default: they are only written. */
  speak: model<Speaker>(),
  /** Other models for the calls of a plugin, by its name: `{ eavesdrop: { judge: cheap } }`. */
  plugins: z.record(z.string(), roleModels).optional(),
  /** Other models for the turns of a channel, by its name or id, threads included: `{ dev: { chat: strong } }`. They come before `plugins`. */
  channels: z.record(z.string(), roleModels).optional(),
})

const limits = z.strictObject({
  /** Input and output tokens together. */
  tokens: count.optional(),
  /** Money, in the currency of `prices`. */
  money: z.number().positive().optional(),
})

const allowance = z.strictObject({
  /** Limits per hour. */
  hour: limits.optional(),
  /** Limits per day. */
  day: limits.optional(),
})

const channelAllowance = z.strictObject({
  ...allowance.shape,
  /** Largest share of the limits that the calls of one person may use, 0…1. Default 0.1. */
  share: share.default(0.1),
})

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })

const budget = z.strictObject({
  ...allowance.shape,
  /** Limits for each channel, its threads included. */
  channel: channelAllowance.optional(),
  /** Prices of a million tokens, by the name of the model. A limit of money needs the price of every model. */
  prices: z.record(z.string(), price).optional(),
})

/**
 * What the bot is in a place. With a `name` it is another persona, which takes nothing from the wider place. Without a name it is the
 * persona of the wider place, with other names or another prompt.
 */
const placePersona = z
  .strictObject({
    /** Its name. Default: the persona of the wider place. */
    name: text.optional(),
    /** Other names that people use for it there. */
    names: z.array(text).optional(),
    /** Its description for prompts. */
    prompt: text.optional(),
    /** The time zone of the place, such as `Asia/Tokyo`. Default: that of the wider place. */
    timeZone: timeZone.optional(),
    /** The address of its picture, where the platform can show one: https. Needs a `name`. Default: the picture of the bot's account. */
    picture: z.url({ protocol: /^https$/, error: 'expected an address that begins with https://' }).optional(),
    /**
     * True: it shares the memory of the bot itself. Needs a `name`. Default: a persona remembers only what was said in the places of its
     * name.
     */
    sharesMemory: z.boolean().optional(),
  })
  .superRefine(({ name, picture, sharesMemory }, context) => {
    if (name !== undefined) return
    for (const [key, value] of Object.entries({ picture, sharesMemory }))
      if (value !== undefined) context.addIssue({ code: 'custom', path: [key], message: 'belongs to a persona: add its name' })
  })

const persona = z.strictObject({
  /** The name of the bot. */
  name: text,
  /** Other names that people use for the bot. */
  names: z.array(text).default([]),
  /** Description of the bot for prompts. Default: a considerate participant. */
  prompt: text.optional(),
  /** Personas of workspaces, by id. */
  workspaces: z.record(z.string(), placePersona).optional(),
  /** Personas of channels, by name or id, their threads included. */
  channels: z.record(z.string(), placePersona).optional(),
})

const postgres = z.strictObject({
  /** Largest number of connections for statements of one process. One more connection listens. Default: `DATABASE_CONNECTIONS`; without it 10. */
  connections: z.int().min(2).max(1_000).optional(),
  /** The same database past a pooler such as PgBouncer, for notifications. Default: `DATABASE_DIRECT_URL`; without it `database`. */
  directUrl: text.optional(),
})

const listen = z.strictObject({
  /** Only these channels, by name or id. Default: all. */
  channels: z.array(z.string()).optional(),
  /** Never these channels, by name or id. */
  except: z.array(z.string()).optional(),
  /** Direct messages. Default: yes. */
  direct: z.boolean().optional(),
  /** Messages of other bots. The bot answers them five times in a row, then not until a person writes. Default: no. */
  bots: z.boolean().optional(),
  /** Maximum age of mentions received while the bot was offline that it still answers; 0 answers none. Default `'10m'`. */
  missed: duration.optional(),
})

const pace = z.strictObject({ minWait: wait.optional(), jitter: share.optional(), maxWait: duration.optional() })

const pacing = z.strictObject({
  /**
   * How long a conversation must be quiet before it is judged. `0` judges at once. `'auto'`: 4 s after a message of a person who talks
   * with the bot; three times as long as the pauses within a thought there after others; at least 10 s after an unfinished sentence. Default `'4s'`.
   */
  minWait: wait.prefault('4s'),
  /** Share by which the wait varies: 0.3 is ±30 %. Default 0.3. */
  jitter: share.default(0.3),
  /** Longest wait: after it a conversation is judged even if it is never quiet. Default `'2m'`. */
  maxWait: duration.default('2m'),
  /** Pacing of single channels, by name or id. */
  channels: z.record(z.string(), pace).default({}),
})

const memory = z.strictObject({
  /** Largest number of messages. Default 50. */
  size: count.max(1_000).default(50),
  /** Largest age of messages. Default `'30m'`. */
  ttl: duration.default('30m'),
  /** Records the messages that the bot reads from the history of a platform to answer a call. Default: no, they are only used once. */
  keepHistory: z.boolean().default(false),
})

const access = z.strictObject({
  ...accessRules.shape,
  /** Rules of workspaces, by id. */
  workspaces: z.record(z.string(), placeRules).optional(),
  /** Rules of channels, by name or id, their threads included. */
  channels: z.record(z.string(), placeRules).optional(),
  /** Rules of threads, by id. */
  threads: z.record(z.string(), placeRules).optional(),
})

const alerts = z.strictObject({
  /** Channels to post in: `PLATFORM/NAME`, or the id of a channel. Default: none. */
  channels: z.array(text).default([]),
  /** Share of a limit of `budget` from which it counts as nearly used, 0…1. Default 0.8. */
  budget: share.default(0.8),
})

const capture = z.strictObject({
  /** In these channels, by name or id, threads included. A direct conversation counts only by its id. */
  channels: z.array(z.string()).default([]),
})

const retention = z.strictObject({
  /** Age at which messages are deleted. Default `'90d'`. */
  messages: duration.default('90d'),
  /** Age at which traces are deleted. Default `'30d'`. */
  traces: duration.default('30d'),
  /** Age at which captured prompts are deleted. Default `'3d'`. */
  prompts: duration.default('3d'),
})

// ---------------------------------------------------------------- the schema

/** The schema of bot.config.ts. Its input is {@link BotConfig}. */
export const settings = z.strictObject({
  /** The name and the character of the bot, everywhere and in single places. */
  persona,
  /** Language of prompts and of the bot's own messages. Default `en`. */
  locale: z.enum(LOCALES).default(FALLBACK),
  /**
   * Time zone of the bot, such as `Asia/Tokyo`: of the times in prompts, of what people say, of digests and of quiet hours. Default: `TZ`;
   * without it that of the machine.
   */
  timeZone: timeZone.optional(),
  /**
   * A LangChain chat model for each role. A missing role uses `chat`; without `chat` the offline model answers. `transcribe`,
   * `speak` and `rerank` are objects with a `name` and a function of that name.
   */
  models: models.optional(),
  /** A folder for the embedded database, `postgres://…`, `memory`, or `false` for no database. Default `./data`. */
  database: z.union([text, z.literal(false)]).default('./data'),
  /** Connections to a Postgres server. */
  postgres: postgres.prefault({}),
  /** The plugins of the bot, in the order in which stages ask them. */
  plugins: z.array(z.custom<PluginEntry>().meta({ title: 'plugin' })),
  /** Which channels and authors the bot listens to. Default: all except other bots. */
  listen: listen.prefault({}),
  /** How long a conversation must be quiet before it is judged. */
  pacing: pacing.prefault({}),
  /** Working memory: the earlier messages that a turn sees. */
  memory: memory.prefault({}),
  /** Text that the bot sends when it was addressed and could not answer; `false` for silence. Default: a sentence in the language of the bot. */
  apology: z.union([text, z.literal(false)]).optional(),
  /** Maximum age of an answer that the platform did not take at first, and that the bot still sends. Default `'10m'`. */
  sendWithin: duration.default('10m'),
  /** Largest number of tokens of all sections of a prompt together. Default 6000. */
  contextTokens: count.default(6_000),
  /** Turns of different conversations that run in parallel in one process. Default 8. */
  concurrency: count.default(8),
  /** Limits of what models may cost. Near a limit, judge calls are refused first, replies to mentions last. Default: unlimited. */
  budget: budget.optional(),
  /** Who may call the bot, use its tools and give it orders, and how often. Default: everyone, without a limit. */
  access: access.prefault({}),
  /**
   * Tells the operator when something is wrong, and when it is over. `ALERT_WEBHOOK_URL` in the environment names a webhook, and
   * `ALERT_SECRET` the key of its signature.
   */
  alerts: alerts.prefault({}),
  /** Keeps the prompts of turns and the raw output of models, which the dashboard shows beside the turn. Default: nowhere. */
  capture: capture.prefault({}),
  /** How long data is kept. */
  retention: retention.prefault({}),
  /** Address of the HTTP server, `host:port`. Default: `KIKIMIMI_HTTP`; without it `127.0.0.1:8787`, or the next free port, if a plugin has routes, otherwise no server. */
  http: z.string().optional(),
})

// ---------------------------------------------------------------- the types

/** What people write: a schema takes lists that it could change. */
type Written<Value> = Value extends Model | ((...given: never) => unknown)
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Written<Value[Key]> }
      : Value

type Model = ChatModel | LangChainModel | LangChainEmbeddings | Reranker | Speaker | Transcriber

/** The settings of a bot, which bot.config.ts exports. */
export interface BotConfig extends Written<Omit<z.input<typeof settings>, 'plugins'>> {
  /** The plugins of the bot, in the order in which stages ask them. */
  readonly plugins: readonly PluginEntry[]
}

/** Chat models by role. */
export interface RoleModels extends Written<z.input<typeof roleModels>> {}

/** A model for each role. A missing role uses `chat`; without `chat` the offline model answers. */
export interface ModelConfig extends Written<z.input<typeof models>> {}

/** Which channels and authors the bot listens to. Other messages are never recorded. */
export interface Listen extends Written<z.input<typeof listen>> {}

export interface Limits extends Written<z.input<typeof limits>> {}

/** Limits per hour and per day, in UTC. */
export interface Allowance extends Written<z.input<typeof allowance>> {}

/** Limits of what models may cost. */
export interface BudgetConfig extends Written<z.input<typeof budget>> {}

export interface PaceConfig extends Written<z.input<typeof pace>> {}

/** The rules everywhere, and those of single places. The narrower place wins, for each rule. */
export interface AccessConfig extends Written<z.input<typeof access>> {}

/** What the bot is in a place. */
export interface PlacePersona extends Written<z.input<typeof placePersona>> {}

/** The persona everywhere, and those of single places. The narrower place wins. */
export interface PersonaConfig extends Written<z.input<typeof persona>> {}

/** Slow pacing: a conversation is judged after five quiet minutes. `pacing: calm` */
export const calm = { minWait: '300s', maxWait: '30m' } as const satisfies PaceConfig

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

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
