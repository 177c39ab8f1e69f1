import { localeOf } from '@kikimimi/speech-acts/rules'
import { factsIn } from './recall.ts'
import { texts } from './texts.ts'

/** A remark about the last memory in a prompt; undefined without memories. */
export function remark(prompt: string): string | null {
  const [fact] = factsIn(prompt)
  return fact ? texts(localeOf(fact.text))('byTheWay', { text: fact.text }) : null
}
