/** Statements about what changes, such as where a person lives, and the answers to questions about it. */
import { LANGUAGES } from './language.ts'
import { readQuoted } from './quoted.ts'
import type { Question, Source } from './said.ts'

/** A relation with one value at a time. */
export type Relation = 'lives_in' | 'works_at'

export interface Claim {
  readonly relation: Relation
  readonly value: string
}

/** Maximum length of a statement. */
const LONGEST = 300

/** What a sentence says of its speaker. */
export function claimIn(sentence: string): Claim | undefined {
  if (sentence.length > LONGEST) return undefined
  for (const { claims } of LANGUAGES) {
    for (const [relation, pattern] of claims) {
      const value = pattern.exec(sentence)?.groups?.value
      if (value !== undefined) return { relation, value }
    }
  }
  return undefined
}

/** What a stored fact says of a person whom it names. */
export function statedIn(fact: string): (Claim & { readonly name: string }) | undefined {
  if (fact.length > LONGEST) return undefined
  for (const { stated } of LANGUAGES) {
    for (const [relation, pattern] of stated) {
      const { name, value } = pattern.exec(fact)?.groups ?? {}
      if (name !== undefined && value !== undefined) return { relation, name, value }
    }
  }
  return undefined
}

/** The relation that a question asks for. */
function relationIn(question: string): Relation | undefined {
  return LANGUAGES.flatMap(({ asksFor }) => asksFor.flatMap(([key, asks]) => (asks.test(question) ? key : [])))[0]
}

/** The person of whom a source states what a question asks for: it says nothing of anybody else. Undefined for other sources. */
export function personIn(source: Source, question: string): string | undefined {
  const { name, text } = readQuoted(source)
  const stated = statedIn(text)
  const claim = stated ?? claimIn(text)
  return claim && claim.relation === relationIn(question) ? (stated?.name ?? name) : undefined
}

/**
 * The source that answers a question about such a relation: the latest statement, or the one before it if the question asks for the
 * past. Undefined for another question, or without a statement.
 */
export function recallClaim(
  { text, asker }: Question,
  person: string | undefined,
  sources: readonly Source[],
): Source | undefined {
  const relation = relationIn(text)
  const who = person ?? asker
  if (relation === undefined || who === undefined) return undefined
  const said = sources.flatMap(source => {
    const { name, text, over } = readQuoted(source)
    const stated = statedIn(text)
    const claim = stated ?? claimIn(text)
    const about = stated?.name ?? name
    // A line of the conversation is newer than a memory, and a fact that holds is surer than an old message.
    const order = source.name !== undefined ? 2 : stated ? 1 : 0
    return claim?.relation === relation && about === who ? [{ source, value: claim.value, over, order }] : []
  })
  said.sort((one, other) => one.order - other.order)
  const now = said.findLast(({ over }) => !over)
  if (!LANGUAGES.some(({ before }) => before.test(text))) return now?.source
  return said.findLast(one => one !== now && one.value !== now?.value)?.source
}
