/** What the bot promised in an answer: "I will look at it after lunch". */

import { type Said, timeIn } from '@kikimimi/times'
import { LANGUAGES } from './language.ts'

export interface OwnPromise {
  /** The sentence. */
  readonly content: string
  readonly when: Said
}

/** "Later" is after two hours. */
const LATER: Said = { after: { ms: 2 * 60 * 60_000 } }

/** Characters of an answer that are read. */
const READ = 2_000

/** The first promise with a time, exact or vague. */
export function promiseIn(answer: string): OwnPromise | undefined {
  const text = answer.slice(0, READ)
  for (const { promises, vague } of LANGUAGES) {
    for (const pattern of promises) {
      for (const match of text.matchAll(pattern)) {
        const said = match.groups?.when ?? ''
        const when = timeIn(said) ?? (vague.test(said) ? LATER : undefined)
        if (when && !when.repeat) return { content: match[0].replace(/^[\s,.!?。、]+/u, '').trim(), when }
      }
    }
  }
  return undefined
}
