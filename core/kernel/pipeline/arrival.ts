/** What plugins say to a message before it is recorded. */

import type { Address, Drop, IncomingMessage } from '../../api/index.ts'
import { isPromise } from '../../base/awaitable.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import type { RetryWhileUnavailable } from '../../storage/database/retry-while-unavailable.ts'
import { sanitizeText } from '../turns/sanitize-input.ts'
import { type createCaller, FAILED, type Problem, type StageHandler } from './call.ts'
import { parseAddressing, parseReason } from './results.ts'

/** Why something is not wanted, and which plugin says so. */
export interface Reason {
  readonly plugin: string
  readonly why: string
}

export interface Arrival {
  /** Why the message is dropped, or nothing. A filter that fails drops it too. Rejects when the database stays away. */
  filter(message: IncomingMessage, stopping: AbortSignal): Promise<Reason | undefined>
  /** Tells the plugins that want to know. Never rejects, and nothing should wait for it. */
  onDropped(drop: Drop, stopping: AbortSignal): Promise<void>
  /** How the message calls on the bot, as the plugins see it. Rejects when the database stays away. */
  address(message: IncomingMessage, stopping: AbortSignal): Promise<Address | undefined>
}

export interface Arriving {
  readonly filter: readonly StageHandler<'filter'>[]
  readonly onDropped: readonly StageHandler<'onDropped'>[]
  readonly address: readonly StageHandler<'address'>[]
}

export interface ArrivalOptions {
  readonly call: ReturnType<typeof createCaller>
  readonly log: Logger
  readonly retryWhileUnavailable: RetryWhileUnavailable
}

export function createArrival(handlersOf: Arriving, { call, log, retryWhileUnavailable }: ArrivalOptions): Arrival {
  const telling =
    (texts: readonly string[]): Problem =>
    (plugin, stage, error) => {
      const message = redactError(error, texts)
      log.child(plugin).warn(`${stage} failed: ${message}`)
      return sanitizeText(message, 500)
    }

  return {
    async filter(message, stopping) {
      const problem = telling([message.text])
      for (const handler of handlersOf.filter) {
        const ask = () => call(handler, limit => handler.stages.filter(message, limit), parseDropReason, stopping, problem)
        let why = retryWhileUnavailable(ask)
        if (isPromise(why)) why = await why
        if (why === FAILED) return { plugin: handler.name, why: 'the filter failed' }
        if (why !== undefined) return { plugin: handler.name, why }
      }
      return undefined
    },

    async onDropped(drop, stopping) {
      const problem = telling([])
      const told = handlersOf.onDropped.map(handler =>
        call(
          handler,
          limit => handler.stages.onDropped(drop, limit),
          () => undefined,
          stopping,
          problem,
        ),
      )
      await Promise.all(told)
    },

    async address(message, stopping) {
      const problem = telling([message.text])
      for (const handler of handlersOf.address) {
        const ask = () => call(handler, limit => handler.stages.address(message, limit), parseAddressing, stopping, problem)
        let how = retryWhileUnavailable(ask)
        if (isPromise(how)) how = await how
        if (how !== FAILED && how !== undefined) return how
      }
      return undefined
    },
  }
}

const parseDropReason = (result: unknown) => parseReason(result, 'filter')
