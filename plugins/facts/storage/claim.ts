/** What a fact says in parts, and when it is true. */
import type { NewFact } from '../api/facts.ts'
import { isSingle, relationKey } from '../text/relations.ts'

/** Subject, relation and value, as they are stored: all three or none. */
export interface Claim {
  readonly subject?: string
  readonly relation?: string
  readonly value?: string
  readonly single: boolean
}

export function claimOf({ subject = '', relation = '', value = '', single, people = [] }: NewFact): Claim {
  const parts = {
    subject: people.includes(subject) ? subject : nameOfThing(subject),
    relation: relationKey(relation),
    value: value.trim(),
  }
  if (Object.values(parts).includes('')) return { single: false }
  return { ...parts, single: isSingle(parts.relation, single) }
}

/** The name of a thing without its article and its capitals, so that "The release" is "release". */
function nameOfThing(subject: string): string {
  return subject
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|an?) /, '')
}

export interface ValidTime {
  readonly from: Date
  /** The end, if it has passed. */
  readonly ended?: Date
  /** The end, if it is still to come. */
  readonly expires?: Date
}

export function timeOf({ at, validFrom, validTo }: NewFact & { readonly at: Date }, now: Date): ValidTime {
  const from = validFrom ?? (validTo && validTo < at ? validTo : at)
  if (!validTo) return { from }
  return validTo <= now ? { from, ended: validTo } : { from, expires: validTo }
}
