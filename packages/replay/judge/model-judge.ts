/**
 * A replay with the real model of the judge. The lines of a member are history whatever the bot says, so the prompts do not depend on
 * the verdicts: a first replay collects them, a sample is asked, and a second replay decides with the verdicts.
 */
import {
  type BotConfig,
  type ChatModel,
  type GenerateRequest,
  KikimimiError,
  type Logger,
  systemClock,
  type Turn,
} from 'kikimimi'
import { createModels, namesOf, reason } from 'kikimimi/host'
import { z } from 'zod'
import type { ChatLog } from '../logs/chat-log.ts'
import { mapPlugins } from '../map-plugins.ts'
import { replay } from '../replay.ts'
import type { ReplayOptions } from '../run.ts'
import { type Seating, seatsIn } from '../seats.ts'
import { figuresOf, type JudgedTurn, type JudgeFigures } from './figures.ts'
import { keyOf, VerdictCache, verdictFolder } from './verdicts.ts'

export interface ModelJudgeOptions {
  readonly config: BotConfig
  readonly project: URL | undefined
  readonly seed: number
  readonly log: Logger
  readonly seating: Seating
  /** The most turns for which the model is asked: a random sample, the same in each replay. */
  readonly sample: number
  /** The most tokens of all calls together. Absent: no limit. */
  readonly budget?: number
  /** Tells what happens: before the calls, and at the end of the budget. */
  tell(text: string): void
}

export interface ModelJudged extends JudgeFigures {
  readonly model: string
  /** Turns for which the judge is asked in these logs, and those of the sample. */
  readonly asked: number
  readonly sampled: number
  /** Of the sample: verdicts of earlier replays, calls, calls that failed, and turns that the budget left out. */
  readonly cached: number
  readonly calls: number
  readonly failed: number
  readonly left: number
  readonly tokens: number
}

/** What the replay reads of a verdict. */
const Verdict = z.object({ respond: z.boolean(), confidence: z.number().min(0).max(1) })

/** The verdict of a turn about which no model is asked. */
const NOT_ASKED = { respond: false, reason: 'not asked', confidence: 0.5, delaySeconds: null }

/** Calls at a time. */
const CONCURRENCY = 4
const DEADLINE = 60_000

/** @throws USAGE if the bot has no judge, or no model for it */
export async function judgeByModel(logs: readonly ChatLog[], options: ModelJudgeOptions): Promise<ModelJudged> {
  const { config, sample, tell, log } = options
  const judge = judgeIn(config)
  const chosen = config.models?.plugins?.[judge]?.judge ?? config.models?.judge ?? config.models?.chat
  if (!chosen) {
    throw new KikimimiError(
      'USAGE',
      '--judge model needs a model in bot.config.ts: set GOOGLE_API_KEY, or another provider, in .env. Without one, use --judge oracle or noisy.',
    )
  }
  const models = createModels({
    models: { chat: chosen },
    clock: systemClock,
    log,
    random: Math.random,
    options: { deadlines: { judge: DEADLINE } },
  })
  const model = namesOf({ chat: chosen })[0] ?? ''

  const turns = await collected(logs, options, judge, model)
  const prompts = new Map(turns.flatMap(({ key, request }) => (request ? [[key, request] as const] : [])))
  const chosenKeys = new Set(sampleOf([...prompts.keys()], sample))
  const cache = new VerdictCache(verdictFolder())
  const verdicts = new Map<string, unknown>()
  for (const key of chosenKeys) {
    const known = await cache.get(key)
    // A file with anything else counts as never asked.
    if (Verdict.safeParse(known).success) verdicts.set(key, known)
  }
  const cached = verdicts.size
  const missing = [...chosenKeys].filter(key => !verdicts.has(key))
  tell(
    `${model}: ${turns.length} turns have a judge, ${chosenKeys.size} are sampled, ${cached} verdicts are known: ${missing.length} turns to ask about`,
  )

  let [calls, failed, problem] = [0, 0, '']
  const tokens = () => models.usage().reduce((sum, used) => sum + used.inputTokens + used.outputTokens, 0)
  const isSpent = () => options.budget !== undefined && tokens() >= options.budget
  const queue = [...missing]
  async function work(): Promise<void> {
    for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
      const request = prompts.get(key)
      if (!request?.schema) continue
      if (isSpent()) return void queue.unshift(key)
      calls++
      const { system, messages, maxTokens, schema } = request
      try {
        const asked = messages.flatMap(turn => (turn.role === 'tool' ? [] : [{ role: turn.role, text: turn.text }]))
        const verdict = await models.object('judge', schema, { system, messages: asked, ...(maxTokens && { maxTokens }) })
        verdicts.set(key, verdict)
        await cache.set(key, verdict)
      } catch (error) {
        failed++
        problem = reason(error)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await cache.trim()
  if (queue.length > 0)
    tell(`The budget of ${options.budget} tokens is spent: ${queue.length} turns of the sample were not asked.`)
  if (failed > 0) tell(`${failed} of ${calls} calls failed. The last: ${problem}`)

  const judged = await decided(logs, options, judge, { model, verdicts })
  return {
    ...{ model, asked: turns.length, sampled: chosenKeys.size, cached, calls, failed, left: queue.length, tokens: tokens() },
    ...figuresOf(judged),
  }
}

/** The name of the plugin that judges. */
function judgeIn({ plugins }: BotConfig): string {
  const names: string[] = []
  mapPlugins(plugins, plugin => {
    if (plugin.definition.provides?.some(({ name }) => name === 'judge')) names.push(plugin.definition.name)
    return plugin
  })
  const [judge] = names
  if (judge === undefined)
    throw new KikimimiError('USAGE', '--judge model needs a plugin that judges, such as judgeLlm(), in bot.config.ts.')
  return judge
}

/** A turn of a replay: the place and the last message of its batch name it in every replay of the same log. */
interface Seen {
  readonly id: string
  readonly gold: boolean
  readonly spoke: boolean
  /** The prompt of the judge. Absent: it was not asked. */
  readonly key: string
  readonly request?: GenerateRequest
}

/**
 * Replays the logs in each seat, one turn at a time.
 * @param judge the plugin that judges. Absent: the bot has none, and its points decide
 * @param answer the verdict for a prompt; nothing: the bot stays silent
 */
async function seen(
  logs: readonly ChatLog[],
  { config, project, seed, log, seating }: ModelJudgeOptions,
  judge: string | undefined,
  model: string,
  answer: (key: string, request: GenerateRequest) => Promise<unknown>,
): Promise<Seen[]> {
  const all: Seen[] = []
  let last: { readonly key: string; readonly request: GenerateRequest } | undefined
  const asked: ChatModel = {
    name: model,
    async generate(request) {
      const key = keyOf(model, request)
      last = { key, request }
      return { text: '', value: (await answer(key, request)) ?? NOT_ASKED, toolCalls: [] }
    },
  }
  const own = judgeIn(config)
  const plugins = judge
    ? config.plugins
    : mapPlugins(config.plugins, plugin => (plugin.definition.name === own ? undefined : plugin))
  for (const chat of logs) {
    for (const seat of await seatsIn(chat, seating)) {
      const run: ReplayOptions = {
        ...{ project, seed, log, seating: { author: seat.id } },
        // One turn after the other: a prompt belongs to the turn that ends next.
        config: { ...config, plugins, concurrency: 1 },
        ...(judge !== undefined && { models: { plugins: { [judge]: { judge: asked } } } }),
        onDecision(turn, { addressed, decision, score, outcome, trigger }) {
          const now = last
          last = undefined
          if (addressed || !score || !decision || outcome === 'delayed') return
          all.push({
            id: `${chat.name} ${seat.id} ${turn.messages.at(-1)?.id}`,
            gold: isGold(turn, trigger, seat.answered),
            spoke: decision.kind === 'full' || decision.kind === 'ack',
            key: now?.key ?? '',
            ...(now && { request: now.request }),
          })
        },
      }
      await replay([chat], run)
    }
  }
  return all
}

/** Whether the member answered a message of the author to whom the bot would answer. */
function isGold({ messages }: Turn, trigger: string, answered: ReadonlySet<string>): boolean {
  const author = messages.find(({ id }) => id === trigger)?.author.id
  return messages.some(message => message.author.id === author && answered.has(message.id))
}

/** The turns for which the judge is asked, with its prompts. */
async function collected(logs: readonly ChatLog[], options: ModelJudgeOptions, judge: string, model: string): Promise<Seen[]> {
  const turns = await seen(logs, options, judge, model, async () => undefined)
  return turns.filter(({ request }) => request !== undefined)
}

/** The turns of the sample, with the decisions by the verdicts and those by the points alone. */
async function decided(
  logs: readonly ChatLog[],
  options: ModelJudgeOptions,
  judge: string,
  { model, verdicts }: { readonly model: string; readonly verdicts: ReadonlyMap<string, unknown> },
): Promise<JudgedTurn[]> {
  const turns = await seen(logs, options, judge, model, async key => verdicts.get(key))
  const alone = new Map((await seen(logs, options, undefined, model, async () => undefined)).map(({ id, spoke }) => [id, spoke]))
  return turns.flatMap(({ id, gold, spoke, key }) => {
    const { data: verdict } = Verdict.safeParse(verdicts.get(key))
    return verdict ? [{ gold, spoke, spokeAlone: alone.get(id) ?? false, verdict }] : []
  })
}

/** At most `count` of the keys. They are hashes, so the first of them are a random sample, and a larger one contains a smaller one. */
function sampleOf(keys: readonly string[], count: number): readonly string[] {
  return keys.toSorted().slice(0, count)
}
