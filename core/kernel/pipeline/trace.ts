import { AsyncLocalStorage } from 'node:async_hooks'
import type { Conversation, Trace, Turn } from '../../api/index.ts'

type Mutable<T> = T extends readonly (infer E)[] ? E[] : T

/** The trace of a running turn. Each part of the kernel adds what it does to the turn. */
export type TraceDraft = { -readonly [K in keyof Trace]: K extends 'ms' ? Record<string, number> : Mutable<Trace[K]> }

/** The turn that the running code works for. A model call finds it from anywhere. */
export const currentTurn = new AsyncLocalStorage<{ readonly trace: TraceDraft; readonly conversation: Conversation }>()

/**
 * Reasons of failed turns that are the kernel's own words. Any other `why` of a failed turn can be the text of an error,
 * and is only for operators.
 */
export const FAILURE = { budget: 'the budget is spent', unanswered: 'no responder had an answer' } as const

export function startTrace(turn: Turn, at: Date): TraceDraft {
  return {
    turn: turn.id,
    conversation: turn.conversation.id,
    at,
    messages: turn.messages.map(message => message.id),
    trigger: turn.message.id,
    ...(turn.addressed && { addressed: turn.addressed }),
    screen: turn.history.map(message => message.id),
    sections: [],
    sources: turn.sources,
    models: [],
    sent: [],
    outcome: 'silent',
    problems: [],
    ms: {},
  }
}
