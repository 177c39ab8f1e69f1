/** What is expected of a bot in a situation, and what of it holds. */
import type { Check } from './evaluate.ts'
import type { Played } from './stage.ts'

export interface Expected {
  /** Whether the bot should say something. A reaction says nothing. */
  readonly speaks: boolean
  /** Words of which the answer must have one. Default: any answer will do. */
  readonly contains?: readonly string[]
  /** Words that the answer must not have. Default: none. */
  readonly forbids?: readonly string[]
}

export function checksOf({ texts }: Pick<Played, 'texts'>, { speaks, contains = [], forbids = [] }: Expected): Check[] {
  const said = texts.join('\n').toLowerCase()
  const has = (word: string) => said.includes(word.toLowerCase())
  return [
    { what: speaks ? 'speaks' : 'stays silent', passed: texts.length > 0 === speaks },
    ...(contains.length > 0 ? [{ what: `contains ${contains.join(' or ')}`, passed: contains.some(has) }] : []),
    ...forbids.map(word => ({ what: `does not contain ${word}`, passed: !has(word) })),
  ]
}
