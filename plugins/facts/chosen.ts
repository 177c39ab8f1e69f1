/** Chooses the memories for a prompt: facts first, then messages that state something. */
import type { Recalled } from './api/facts.ts'
import { wordsOf } from './text/tokens.ts'

type Message = Extract<Recalled, { kind: 'message' }>
type Known = Extract<Recalled, { kind: 'fact' }>

/** Minimum score for the prompt, as a share of the best score. */
const RELATED = 0.25

const SENTENCE = /(?<=[.!?。！？…])\s*/u
const ASKS = /[?？]$/

/** A sentence with fewer words states nothing by itself: "Wow!", "sounds good". */
const WORDS = 3

/**
 * The best of both kinds, facts first. A message and its fact take one place: the fact says the same in one sentence.
 */
export function chosen(recalled: readonly Recalled[], limit: number): Recalled[] {
  const least = RELATED * Math.max(0, ...recalled.map(({ score }) => score))
  const related = recalled.filter(one => one.score >= least && (one.kind === 'fact' ? isAbout(one) : says(one)))
  const places: Recalled[] = []
  for (const one of related) {
    const isSame = (other: Recalled) => (one.kind === 'fact' ? comesFrom(one, other) : comesFrom(other, one))
    const at = places.findIndex(isSame)
    if (at === -1) places.push(one)
    else if (one.kind === 'fact' && places[at]?.kind === 'message') places[at] = one
    else if (one.kind === 'fact') places.push(one)
  }
  const first = places.slice(0, limit)
  return [...first.filter(({ kind }) => kind === 'fact'), ...first.filter(({ kind }) => kind === 'message')]
}

function comesFrom(fact: Recalled, message: Recalled): boolean {
  if (fact.kind !== 'fact' || message.kind !== 'message') return false
  return fact.fact.sources.some(source => source.channel === message.message.channel && source.message === message.message.id)
}

function isAbout({ parts }: Known): boolean {
  return isMatch({ parts }) || parts.sources > 0
}

/** Whether a message states something about the question: by itself, or as the answer to a question in memory. */
function says({ message, parts }: Message & Pick<Recalled, 'parts'>): boolean {
  if (parts.question > 0 && !ASKS.test(message.text.trim())) return true
  return isMatch({ parts }) && message.text.split(SENTENCE).some(part => !ASKS.test(part) && wordsOf(part).length >= WORDS)
}

function isMatch({ parts }: Pick<Recalled, 'parts'>): boolean {
  return parts.bm25 + parts.pairs + parts.jaccard + parts.vector > 0
}
