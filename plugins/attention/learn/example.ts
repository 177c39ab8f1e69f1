import type { Signs } from '../signs.ts'

/** A message as one person saw it, and whether it was worth an answer. */
export interface Example {
  readonly signs: Signs
  readonly label: boolean
  readonly weight: number
  /** The id of the person whose behaviour gives the label. */
  readonly person: string
  readonly at: Date
}
