import { AsyncLocalStorage } from 'node:async_hooks'
import type { Conversation, Person, Timed, Trace, Turn } from '../../api/index.ts'

type Mutable<T> = T extends readonly (infer E)[] ? E[] : T

/** The trace of a running turn. Each part of the kernel adds what it does to the turn. */
export type TraceDraft = { -readonly [K in keyof Trace]: K extends 'ms' ? Record<string, number> : Mutable<Trace[K]> }

/** What the running code works for: a turn, or a chat command, which has no trace. A model call finds it from anywhere. */
export interface CurrentWork {
  readonly trace?: TraceDraft
  readonly conversation: Conversation
  /** The people who ask for it. Tools act for all of them. */
  readonly askers: readonly Person[]
  /** The person who called the bot. Absent: an unasked turn. */
  readonly caller?: Person
}

export const currentTurn = new AsyncLocalStorage<CurrentWork>()

/** The people for whom a turn works: those who address the bot, otherwise all who have written. */
export function askedBy({ messages, message, addressed }: Turn): Pick<CurrentWork, 'askers' | 'caller'> {
  if (!addressed) return { askers: messages.map(({ author }) => author) }
  return { askers: messages.flatMap(one => (one.addressed ? [one.author] : [])), caller: message.author }
}

/**
 * Reasons of failed turns that are the kernel's own words. Any other `why` of a failed turn can be the text of an error,
 * and is only for operators.
 */
export const FAILURE = {
  budget: 'the budget is spent',
  share: 'the person has used up what one person may use',
  unanswered: 'no responder had an answer',
} as const

/** Writes into the timeline of a turn that a part of it ended now. */
export function endPart(trace: TraceDraft, part: Pick<Timed, 'what' | 'name' | 'ms'>, now: number): void {
  const { what, name, ms } = part
  trace.timeline ??= []
  trace.timeline.push({ what, name, afterMs: now - ms - trace.at.getTime(), ms })
}

/** The most notes of plugins in a trace, and the most characters of one. */
const [NOTES, NOTE_LENGTH] = [50, 200]

/** Adds a note of a plugin to the trace of the running turn, if there is one. */
export function note(plugin: string, text: string): void {
  const trace = currentTurn.getStore()?.trace
  if (!trace || (trace.notes?.length ?? 0) >= NOTES) return
  trace.notes = [...(trace.notes ?? []), { plugin, text: text.slice(0, NOTE_LENGTH).toWellFormed() }]
}

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
