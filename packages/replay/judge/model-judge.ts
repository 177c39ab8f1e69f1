/**
 * A replay with the real model of the judge. The lines of a member are history whatever the bot says, so the prompts do not depend on
 * the verdicts: a first replay collects them, a sample is asked, and a second replay decides with the verdicts.
 */
import { type BotConfig, KikimimiError, type Logger, type Turn } from 'kikimimi'
import { namesOf } from 'kikimimi/host'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import type { ChatLog } from '../logs/chat-log.ts'
import { mapPlugins } from '../map-plugins.ts'
import { replay } from '../replay.ts'
import type { ReplayOptions } from '../run.ts'
import { type Seating, seatsIn } from '../seats.ts'
import { type Asked, askJudge, judgeIn, judgeModelOf, type Verdict } from './ask.ts'
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

export interface ModelJudged extends JudgeFigures, Asked {
  readonly model: string
  /** Turns for which the judge is asked in these logs. */
  readonly asked: number
}

/** The verdict of a turn about which no model is asked. */
const NOT_ASKED = { respond: false, reason: 'not asked', confidence: 0.5, delaySeconds: null }

/** @throws USAGE if the bot has no judge, or no model for it */
export async function judgeByModel(logs: readonly ChatLog[], options: ModelJudgeOptions): Promise<ModelJudged> {
  const { config, sample, tell, log, budget } = options
  const judge = judgeIn(config)
  if (judge === undefined)
    throw new KikimimiError('USAGE', '--judge model needs a plugin that judges, such as judgeLlm(), in bot.config.ts.')
  const chosen = judgeModelOf(config)
  if (!chosen) {
    throw new KikimimiError(
      'USAGE',
      '--judge model needs a model in bot.config.ts: set GOOGLE_API_KEY, or another provider, in .env. Without one, use --judge oracle or noisy.',
    )
  }
  const model = namesOf({ chat: chosen })[0] ?? ''
  const turns = await collected(logs, options, judge, model)
  const prompts = new Map(turns.flatMap(({ key, request }) => (request ? [[key, request] as const] : [])))
  const cache = new VerdictCache(verdictFolder())
  const { verdicts, problem, ...asked } = await askJudge(prompts, {
    ...{ model: chosen, prices: config.budget?.prices, sample, budget, known: cache, log },
    begin: (sampled, cached) =>
      tell(
        `${model}: ${turns.length} turns have a judge, ${sampled} are sampled, ${cached} verdicts are known: ${sampled - cached} turns to ask about`,
      ),
  })
  await cache.trim()
  const { calls, failed, left } = asked
  if (left > 0) tell(`The budget of ${budget} tokens is spent: ${left} turns of the sample were not asked.`)
  if (failed > 0) tell(`${failed} of ${calls} calls failed. The last: ${problem}`)
  const judged = await decided(logs, options, judge, { model, verdicts })
  return { model, asked: turns.length, ...asked, ...figuresOf(judged) }
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
  { model, verdicts }: { readonly model: string; readonly verdicts: ReadonlyMap<string, Verdict> },
): Promise<JudgedTurn[]> {
  const turns = await seen(logs, options, judge, model, async key => {
    const verdict = verdicts.get(key)
    return verdict && { ...NOT_ASKED, ...verdict }
  })
  const alone = new Map((await seen(logs, options, undefined, model, async () => undefined)).map(({ id, spoke }) => [id, spoke]))
  return turns.flatMap(({ id, gold, spoke, key }) => {
    const verdict = verdicts.get(key)
    return verdict ? [{ gold, spoke, spokeAlone: alone.get(id) ?? false, verdict }] : []
  })
}
