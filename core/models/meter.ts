import type { Generated, GenerateRequest } from '../api/chat-model.ts'
import type { Conversation, ModelCall } from '../api/index.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { inSpan } from '../base/telemetry.ts'
import type { Budget } from './budget.ts'
import type { Endpoint } from './endpoint.ts'

export interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ModelUsage extends Tokens {
  readonly role: string
  readonly calls: number
  readonly failed: number
}

export interface MeterOptions {
  readonly clock: Clock
  readonly log: Logger
  /** The budget at the beginning of a call. Default: unlimited. */
  readonly budget?: (() => Pick<Budget, 'reserve' | 'price'> | undefined) | undefined
  /** Called after every call, in the async context of the caller. `said`: for a call of a model for texts. */
  readonly onCall?: ((call: ModelCall, said?: Said) => void) | undefined
  /** Keeps what a call used. Errors are logged. Default: nothing is kept. */
  readonly keep?: ((call: ModelCall, conversation: Conversation | undefined) => Promise<void>) | undefined
}

/** What a model for texts was asked, and what it answered. */
export interface Said {
  readonly request: Pick<GenerateRequest, 'system' | 'messages'>
  /** Absent: the call failed before the model answered. */
  readonly answer: Generated | undefined
}

export interface Metered<A, T> {
  readonly role: string
  /** Absent: the bot itself. */
  readonly plugin: string | undefined
  /** The conversation that the call is for. Absent: the whole bot. */
  readonly conversation: Conversation | undefined
  readonly endpoint: Endpoint
  /** The deadline for all attempts together, in milliseconds. */
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  /** The largest possible cost, as far as it is known before the call. */
  readonly estimate: Tokens
  run(signal: AbortSignal): Promise<A>
  tokens(answer: A): Tokens
  /** Converts the answer into the result, or throws. */
  read(answer: A): Awaitable<T>
  /** What was said so far. Default: it is not a call of a model for texts. */
  said?(): Said
}

/** Names of operations in OpenTelemetry's conventions; other roles are chats. */
const OPERATIONS: Readonly<Record<string, string>> = { embeddings: 'embeddings', rerank: 'rerank', speak: 'speak' }

/** Calls models with their retries. It books each call before and reports it after. */
export function createMeter({ clock, log, budget: allowed, onCall, keep }: MeterOptions) {
  const used = new Map<string, ModelUsage>()

  function count(call: ModelCall, said?: Said): void {
    const { calls = 0, failed = 0, inputTokens = 0, outputTokens = 0 } = used.get(call.role) ?? {}
    used.set(call.role, {
      role: call.role,
      calls: calls + 1,
      failed: failed + (call.error === undefined ? 0 : 1),
      inputTokens: inputTokens + call.inputTokens,
      outputTokens: outputTokens + call.outputTokens,
    })
    onCall?.(call, said)
  }

  async function call<A, T>(step: Metered<A, T>, ended: (call: ModelCall) => void): Promise<T> {
    const { role, plugin, endpoint, deadlineMs, signal } = step
    const model = endpoint.name
    const budget = allowed?.()
    const start = clock.now()
    let attempts = 0
    let tokens: Tokens = { inputTokens: 0, outputTokens: 0 }
    let error: string | undefined
    let correct: Awaited<ReturnType<Budget['reserve']>> | undefined
    try {
      correct = await budget?.reserve({ role, model, ...step.estimate })
      const counted = (limit: AbortSignal) => {
        attempts++
        return step.run(limit)
      }
      const answer = await endpoint.call(counted, { deadlineMs, signal })
      tokens = step.tokens(answer)
      return await step.read(answer)
    } catch (thrown) {
      error = thrown instanceof KikimimiError ? thrown.code : signal?.aborted ? 'ABORTED' : 'UNKNOWN'
      throw thrown
    } finally {
      const cost = budget?.price({ role, model, ...tokens })
      const call = {
        role,
        model,
        ...(plugin !== undefined && { plugin }),
        ...tokens,
        ms: clock.now() - start,
        attempts,
        ...(cost !== undefined && { cost }),
        ...(error !== undefined && { error }),
      }
      ended(call)
      await correct?.(tokens).catch((failed: unknown) => log.warn(`could not correct a booking: ${reason(failed)}`))
      await keep?.(call, step.conversation).catch((failed: unknown) => log.warn(`could not count a call: ${reason(failed)}`))
    }
  }

  return {
    usage: (): readonly ModelUsage[] => [...used.values()],

    /** Runs in a span with the name and attributes of OpenTelemetry's conventions for generative AI. */
    call<A, T>(step: Metered<A, T>): Promise<T> {
      const operation = OPERATIONS[step.role] ?? 'chat'
      const model = step.endpoint.name
      const attributes = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model, 'kikimimi.role': step.role }
      return inSpan(`${operation} ${model}`, attributes, span =>
        call(step, ended => {
          span.setAttributes({
            'gen_ai.usage.input_tokens': ended.inputTokens,
            'gen_ai.usage.output_tokens': ended.outputTokens,
            'kikimimi.attempts': ended.attempts,
          })
          count(ended, step.said?.())
        }),
      )
    },
  }
}
