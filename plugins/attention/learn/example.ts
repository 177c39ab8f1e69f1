import type { Signs } from '../signs.ts'

/** Whether an answer was welcome, as the behaviour of one person says. */
export interface Labelled {
  readonly label: boolean
  readonly weight: number
  /** The id of the person whose behaviour gives the label. */
  readonly person: string
  readonly at: Date
}

/** A message as one person saw it, and whether it was worth an answer. */
export interface Example extends Labelled {
  readonly signs: Signs
}
