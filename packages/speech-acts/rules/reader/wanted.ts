/** What the reader looks for, and what it finds. */
import type { Source } from '../said.ts'

export interface Wanted {
  readonly question: string
  /** What it is about, without names of people and words that only ask. */
  readonly topic: string
  /** Names of the people in the conversation. */
  readonly people: readonly string[]
  /** Those of them that the question names. */
  readonly named: readonly string[]
  /** Whether it is about the person who asks, for which only their own words count. */
  readonly ofAsker: boolean
  /** Whether the question asks what a person said. */
  readonly reported: boolean
  /** Whether a line is about the person that the question is about, by itself or by what it is about. */
  admits(line: Source, about: readonly Source[]): boolean
}

export interface Answer {
  readonly source: Source
  /** The question that the line answers, if the line alone does not tell what it is about. */
  readonly question?: Omit<Source, 'answers'>
}
