/** Asks the real model of the judge about a random sample of prompts, within a budget. */
import { type Awaitable, type BotConfig, type Conversation, type Logger, systemClock } from 'kikimimi'
import type { ModelCall } from 'kikimimi/host'
import { createModels, modelFor, reason } from 'kikimimi/host'
import type { GenerateRequest } from 'kikimimi/model'
import { z } from 'zod'
import { meter, tokenBudget } from '../eval/metered.ts'
import { mapPlugins } from '../map-plugins.ts'

/** What is kept of a verdict: no reason, because it can tell what was said. */
const Verdict = z.object({ respond: z.boolean(), confidence: z.number().min(0).max(1), style: z.string().optional() })
export type Verdict = z.infer<typeof Verdict>

/** Verdicts of earlier samples, by the key of the prompt. */
export interface KnownVerdicts {
  get(key: string): Awaitable<unknown>
  set(key: string, verdict: Verdict): Awaitable<unknown>
}

export type JudgeModel = ReturnType<typeof modelFor>

export interface AskOptions {
  readonly model: JudgeModel
  readonly prices: NonNullable<BotConfig['budget']>['prices']
  /** The most prompts of the sample. */
  readonly sample: number
  /** The most tokens of all calls. Absent: no limit. */
  readonly budget?: number | undefined
  readonly known: KnownVerdicts
  readonly log: Logger
  readonly signal?: AbortSignal | undefined
  /** Receives every call, as one of the role `evaluation`. */
  onCall?(call: ModelCall): void
  /** Runs before the calls, with the number of prompts of the sample and of those whose verdict is known. */
  begin?(sampled: number, cached: number): void
  /** Runs after each prompt of the sample that a call was made for. */
  progress?(): void
}

/** What asking took. */
export interface Asked {
  /** Prompts of the sample; of those, with a known verdict, asked, failed and left out by the budget. */
  readonly sampled: number
  readonly cached: number
  readonly calls: number
  readonly failed: number
  readonly left: number
  readonly tokens: number
  /** In the currency of `budget.prices`. Absent: the model has no price. */
  readonly cost?: number
}

export interface Answers extends Asked {
  /** By the key of the prompt. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Of the last call that failed. */
  readonly problem?: string
}

/** Calls at a time. */
const CONCURRENCY = 4
const DEADLINE = 60_000

/** @param prompts by their keys, which are hashes */
export async function askJudge(
  prompts: ReadonlyMap<string, GenerateRequest>,
  { model, prices, sample, budget, known, log, signal, onCall, begin, progress }: AskOptions,
): Promise<Answers> {
  const metered = meter({ models: { chat: model }, budget: { prices } }, tokenBudget(budget), onCall)
  const models = createModels({
    models: { chat: metered.models?.chat ?? model },
    ...{ clock: systemClock, log, random: Math.random },
    options: { deadlines: { judge: DEADLINE } },
  })
  const chosen = sampleOf([...prompts.keys()], sample)
  const verdicts = new Map<string, Verdict>()
  for (const key of chosen) {
    const { data } = Verdict.safeParse(await known.get(key))
    if (data) verdicts.set(key, data)
  }
  const cached = verdicts.size
  begin?.(chosen.length, cached)

  const queue = chosen.filter(key => !verdicts.has(key))
  let [calls, failed, left, problem] = [0, 0, 0, '']
  async function work(): Promise<void> {
    for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
      const request = prompts.get(key)
      if (!request?.schema) continue
      signal?.throwIfAborted()
      try {
        const verdict = Verdict.parse(
          await models.object('judge', request.schema, { ...userTurns(request), ...(signal && { signal }) }),
        )
        verdicts.set(key, verdict)
        await known.set(key, verdict)
      } catch (error) {
        signal?.throwIfAborted()
        if (isSpent(error)) {
          left += 1 + queue.splice(0).length
          return
        }
        failed++
        problem = reason(error)
      }
      calls++
      progress?.()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  const { tokens, cost } = metered.spent()
  return {
    ...{ verdicts, sampled: chosen.length, cached, calls, failed, left, tokens },
    ...(cost !== undefined && { cost }),
    ...(failed > 0 && { problem }),
  }
}

/** The model that judges: that of the channel, of the plugin, or of the role. Absent: bot.config.ts has none. */
export function judgeModelOf({ models, plugins }: BotConfig, conversation?: Conversation): JudgeModel | undefined {
  const judge = judgeIn({ plugins })
  const chat = models?.chat ?? models?.judge ?? (judge === undefined ? undefined : models?.plugins?.[judge]?.judge)
  return judge === undefined || !chat ? undefined : modelFor({ ...models, chat }, 'judge', { plugin: judge, conversation })
}

/** The name of the plugin that judges. */
export function judgeIn({ plugins }: Pick<BotConfig, 'plugins'>): string | undefined {
  const names: string[] = []
  mapPlugins(plugins, plugin => {
    if (plugin.definition.provides?.some(({ name }) => name === 'judge')) names.push(plugin.definition.name)
    return plugin
  })
  return names[0]
}

/** At most `count` of the keys. They are hashes, so the first of them are a random sample, and a larger one contains a smaller one. */
function sampleOf(keys: readonly string[], count: number): readonly string[] {
  return keys.toSorted().slice(0, count)
}

function userTurns({ system, messages, maxTokens }: GenerateRequest) {
  const asked = messages.flatMap(turn => (turn.role === 'tool' ? [] : [{ role: turn.role, text: turn.text }]))
  return { system, messages: asked, ...(maxTokens && { maxTokens }) }
}

function isSpent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODEL_BUDGET_SPENT'
}
