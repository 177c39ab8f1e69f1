import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trace, Turn } from '../../api/index.ts'

type Mutable<T> = T extends readonly (infer E)[] ? E[] : T

/** A trace while its turn goes on: whoever does something to the turn writes it here. */
export type TraceDraft = { -readonly [K in keyof Trace]: K extends 'ms' ? Record<string, number> : Mutable<Trace[K]> }

/** The turn that the running code works for, so that a model call is written to its trace wherever it is made. */
export const currentTrace = new AsyncLocalStorage<TraceDraft>()

/** Why a turn failed, in the kernel's words. What else `why` says of a failed turn may be an error's, and is for who runs the bot. */
export const FAILURE = { budget: 'the budget is spent', unanswered: 'no responder had an answer' } as const

export function startTrace(turn: Turn, at: Date): TraceDraft {
  return {
    turn: turn.id,
    conversation: turn.conversation.id,
    at,
    messages: turn.messages.map(message => message.id),
    trigger: turn.message.id,
    ...(turn.addressed && { addressed: turn.addressed }),
    sections: [],
    models: [],
    sent: [],
    outcome: 'silent',
    problems: [],
    ms: {},
  }
}
