/** Chooses the memories for a prompt: facts first, then messages that state something. */
import type { Recalled } from './api/facts.ts'

type Message = Extract<Recalled, { kind: 'message' }>
type Known = Extract<Recalled, { kind: 'fact' }>

/** Minimum score for the prompt, as a share of the best score. */
const RELATED = 0.25

const ASKS = /[?？]\s*$/

/** At least half of the places are for facts, as far as there are any. A message whose fact is chosen says nothing new. */
export function chosen(recalled: readonly Recalled[], limit: number): Recalled[] {
  const least = RELATED * Math.max(0, ...recalled.map(({ score }) => score))
  const related = recalled.filter(one => one.score >= least)
  const facts = related.filter((one): one is Known => one.kind === 'fact' && (isMatch(one) || one.parts.sources > 0))
  const told = new Set(facts.flatMap(({ fact }) => fact.sources.map(source => keyOf(source.channel, source.message))))
  const messages = related.filter(
    (one): one is Message => one.kind === 'message' && says(one) && !told.has(keyOf(one.message.channel, one.message.id)),
  )
  const places = Math.min(messages.length, Math.floor(limit / 2))
  const first = facts.slice(0, limit - places)
  return [...first, ...messages.slice(0, limit - first.length)]
}

/** Whether a message states something about the question: by itself, or as the answer to a question in memory. */
function says({ message, parts }: Message & Pick<Recalled, 'parts'>): boolean {
  if (ASKS.test(message.text)) return false
  return isMatch({ parts }) || parts.question > 0
}

function isMatch({ parts }: Pick<Recalled, 'parts'>): boolean {
  return parts.bm25 + parts.pairs + parts.jaccard + parts.vector > 0
}

function keyOf(channel: string, message: string): string {
  return `${channel} ${message}`
}
