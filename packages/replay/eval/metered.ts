/** The models of a configuration under evaluation: real calls, counted and timed, within a budget that all configurations share. */
import { type BotConfig, estimateTokens, KikimimiError, type ModelConfig, systemClock } from 'kikimimi'
import type { ModelCall } from 'kikimimi/host'
import { chatModelOf, createBudget, memoryLedger } from 'kikimimi/host'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'

/** What calls of models took and cost. */
export interface Spent {
  readonly calls: number
  /** Calls that got no answer; some of them were repeated. */
  readonly failed: number
  readonly tokens: number
  /** In the currency of `budget.prices`. Absent: a model that was called has no price. */
  readonly cost?: number
  /** Milliseconds of real time in which models worked, added up. */
  readonly ms: number
}

export interface Metered {
  /** For the bot that is evaluated. */
  readonly models: ModelConfig | undefined
  spent(): Spent
  /** The number of calls that run. */
  readonly running: number
  /** Counts other work in real time as a call that runs. */
  during<T>(work: Promise<T>): Promise<T>
  /** Resolves when one of the calls that run has ended. */
  nextEnd(): Promise<void>
}

/** The tokens that an evaluation may use. */
export interface Tokens {
  /** Books the largest possible use of a call. @returns the function that corrects it. @throws MODEL_BUDGET_SPENT */
  reserve(tokens: number): (used: number) => void
  readonly isSpent: boolean
}

/** @param most the largest number of tokens. Absent: no limit */
export function tokenBudget(most = Number.POSITIVE_INFINITY): Tokens {
  let booked = 0
  let isSpent = false
  return {
    reserve(tokens) {
      if (booked + tokens > most) {
        isSpent = true
        throw new KikimimiError('MODEL_BUDGET_SPENT', `The budget of ${most} tokens of this evaluation is spent.`)
      }
      booked += tokens
      return used => {
        booked += used - tokens
      }
    },
    get isSpent() {
      return isSpent
    },
  }
}

/** The clock of the bot stands still during a call, so its deadlines do not pass: this one is in real time. */
const DEADLINE = 60_000

/** Output tokens that are booked for a call without a limit of its own. */
const OUTPUT = 1_000

/** @param onCall receives every call, as one of the role `evaluation` */
export function meter(
  { models, budget }: Pick<BotConfig, 'models' | 'budget'>,
  tokens: Tokens,
  onCall: (call: ModelCall) => void = () => {},
): Metered {
  const price = priceOf(budget?.prices)
  let [calls, failed, used, cost, ms, isPriced] = [0, 0, 0, 0, 0, true]
  const running = new Set<Promise<void>>()

  async function during<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => {},
      () => {},
    )
    running.add(ended)
    try {
      return await work
    } finally {
      running.delete(ended)
    }
  }

  const metered = (model: ChatModel): ChatModel => ({
    name: model.name,
    takesAudio: model.takesAudio ?? false,
    async generate(request) {
      const estimate = estimateTokens(textOf(request))
      const correct = tokens.reserve(mostTokensOf(request))
      calls++
      let own = { inputTokens: 0, outputTokens: 0 }
      let paid: number | undefined
      let error: string | undefined
      const started = performance.now()
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE)])
        const answer = await during(model.generate({ ...request, signal }))
        const { inputTokens = estimate, outputTokens = estimateTokens(answer.text + JSON.stringify(answer.value ?? '')) } = answer
        own = { inputTokens, outputTokens }
        paid = price({ role: request.role, model: model.name, inputTokens, outputTokens })
        if (paid === undefined) isPriced = false
        else cost += paid
        return answer
      } catch (thrown) {
        failed++
        error = thrown instanceof KikimimiError ? thrown.code : 'MODEL_UNAVAILABLE'
        throw thrown
      } finally {
        const took = performance.now() - started
        ms += took
        used += own.inputTokens + own.outputTokens
        correct(own.inputTokens + own.outputTokens)
        onCall({
          ...{ role: 'evaluation', plugin: 'evaluation', model: model.name, ...own, ms: took, attempts: 1 },
          ...(paid !== undefined && { cost: paid }),
          ...(error !== undefined && { error }),
        })
      }
    },
  })

  const known = new Map<object, ChatModel>()
  return {
    models:
      models &&
      mapModels(models, given => {
        const made = known.get(given) ?? metered(chatModelOf(given))
        known.set(given, made)
        return made
      }),
    spent: () => ({ calls, failed, tokens: used, ms, ...(isPriced && { cost }) }),
    get running() {
      return running.size
    },
    during,
    nextEnd: () => Promise.race(running),
  }
}

/** The tokens that are booked for a call. */
export function mostTokensOf(request: Pick<GenerateRequest, 'system' | 'messages' | 'schema' | 'maxTokens'>): number {
  return estimateTokens(textOf(request)) + (request.maxTokens ?? OUTPUT)
}

type Priced = Pick<ModelCall, 'role' | 'model' | 'inputTokens' | 'outputTokens'>

/** The cost of a call in the currency of the prices; nothing for a model without a price. */
export function priceOf(prices: NonNullable<BotConfig['budget']>['prices']): (call: Priced) => number | undefined {
  const setup = { models: [], ledger: memoryLedger(), clock: systemClock, currentTurn: () => undefined }
  return createBudget({ config: { prices }, ...setup }).price
}

/** Books calls without waiting inside of a case, whose clock would go on meanwhile. */
export function bookCalls(keep: (call: ModelCall) => Promise<void>) {
  const kept: Promise<void>[] = []
  return { onCall: (call: ModelCall) => void kept.push(keep(call)), booked: async () => void (await Promise.all(kept)) }
}

type Given = NonNullable<ModelConfig['chat']>
type Roles = Pick<ModelConfig, 'chat' | 'judge' | 'summary' | 'reflection'>

/** Vectors, reranking, transcription and speech stay as they are: an evaluation counts the calls for texts. */
function mapModels(models: ModelConfig, change: (model: Given) => ChatModel): ModelConfig {
  const roles = ({ chat, judge, summary, reflection }: Roles): Roles => ({
    ...(chat && { chat: change(chat) }),
    ...(judge && { judge: change(judge) }),
    ...(summary && { summary: change(summary) }),
    ...(reflection && { reflection: change(reflection) }),
  })
  const each = (sets: Readonly<Record<string, Roles>> = {}) =>
    Object.fromEntries(Object.entries(sets).map(([name, set]) => [name, roles(set)]))
  return { ...models, ...roles(models), plugins: each(models.plugins), channels: each(models.channels) }
}

function textOf({ system, messages, schema }: Pick<GenerateRequest, 'system' | 'messages' | 'schema'>): string {
  return [system, ...messages.map(({ text }) => text), schema ? 'a schema' : ''].join('\n')
}
