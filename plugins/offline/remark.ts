import { PHRASES } from './phrases.ts'
import { factsIn } from './recall.ts'
import { isJapanese } from './words.ts'

/** Brings up what a prompt remembers last; nothing when it remembers nothing. */
export function remark(system: string): string | null {
  const [fact] = factsIn(system)
  return fact ? PHRASES[isJapanese(fact.text) ? 'ja' : 'en'].byTheWay(fact.text) : null
}
