import { localeOf } from './language.ts'
import { factsIn } from './recall.ts'
import { texts } from './texts.ts'

/** Brings up what a prompt remembers last; nothing when it remembers nothing. */
export function remark(system: string): string | null {
  const [fact] = factsIn(system)
  return fact ? texts(localeOf(fact.text))('byTheWay', { text: fact.text }) : null
}
