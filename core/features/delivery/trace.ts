import type { Conversation, Trace } from '../../api/index.ts'
import type { Unfinished } from '../../storage/store/store.ts'

/** The trace of a turn whose process ended before it kept one. What the turn read and decided is not known any more. */
export function traceOfEnded(
  { id }: Conversation,
  { turn, at, answers }: Unfinished,
  end: Pick<Trace, 'outcome' | 'sent' | 'why'>,
): Trace {
  const trigger = answers ?? ''
  const messages = answers === undefined ? [] : [answers]
  const nothing = { sections: [], models: [], problems: [], ms: {} }
  return { turn, conversation: id, at, messages, trigger, answers: end.outcome === 'replied' ? messages : [], ...nothing, ...end }
}
