/** What a question asks for, and what a text states: a time or a number. */
import { anyOf } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { READ, tokenId } from './tokens.ts'

const KINDS = ['time', 'number'] as const

const PATTERNS = KINDS.map(kind => ({
  mark: tokenId({ text: kind, kind: 'mark' }),
  asked: anyOf(LANGUAGES.map(({ asks }) => asks[kind])),
  stated: anyOf(LANGUAGES.map(({ states }) => states[kind])),
}))

/** Marks of what a question asks for. */
export function wantedBy(question: string): Set<number> {
  const plain = question.normalize('NFKC')
  return new Set(PATTERNS.flatMap(({ mark, asked }) => (asked.test(plain) ? mark : [])))
}

/** Marks of what a text states, for the index. */
export function marksOf(text: string): number[] {
  const plain = text.slice(0, READ).normalize('NFKC')
  return PATTERNS.flatMap(({ mark, stated }) => (stated.test(plain) ? mark : []))
}
