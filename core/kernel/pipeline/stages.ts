/**
 * The one table of stages. The pipeline's deadlines and combination rules, the check of what `setup` returns and the dashboard's
 * lists of stages come from here. A test compares each value with the table in docs/pipeline.md.
 */

import * as results from '../../api/checks/results.ts'
import type { Stage } from '../../api/index.ts'

export interface StageRule<R> {
  /** `first`: handlers run in order until one returns a value. `all`: every handler runs. */
  readonly combine: 'first' | 'all'
  /** Milliseconds one plugin has for one call. */
  readonly deadlineMs: number
  /** What happens when a handler throws, is late or returns an invalid value. */
  readonly onError: string
  /** True: the call rejects while the database is unavailable, so that the pipeline repeats it. */
  readonly waitsForDatabase?: true
  /** Checks what a handler returned, unless it returned nothing. Throws STAGE_NONSENSE. */
  parse(result: unknown): R
}

const nothing = () => undefined

/** The rule of each stage, by name, in the order in which a message meets them. */
export const STAGES = {
  filter: {
    combine: 'first',
    deadlineMs: 5_000,
    onError: 'the message is dropped',
    waitsForDatabase: true,
    parse: (result: unknown) => results.parseReason(result, 'filter'),
  },
  onDropped: { combine: 'all', deadlineMs: 5_000, onError: 'logged', parse: nothing },
  address: {
    combine: 'first',
    deadlineMs: 5_000,
    onError: 'the next plugin is asked',
    waitsForDatabase: true,
    parse: results.parseAddress,
  },
  onRecorded: { combine: 'all', deadlineMs: 5_000, onError: 'logged', parse: nothing },
  score: { combine: 'all', deadlineMs: 5_000, onError: 'no points from this plugin', parse: results.parseScores },
  decide: {
    combine: 'first',
    deadlineMs: 30_000,
    onError: 'silent; if addressed, the next plugin is asked',
    parse: results.parseDecision,
  },
  context: { combine: 'all', deadlineMs: 10_000, onError: 'the section is left out', parse: results.parseSections },
  respond: {
    combine: 'first',
    deadlineMs: 120_000,
    onError: 'the next plugin is asked; after the last: silence, or the apology if addressed',
    parse: results.parseReply,
  },
  separate: {
    combine: 'first',
    deadlineMs: 5_000,
    onError: 'this plugin does not object',
    parse: (result: unknown) => results.parseReason(result, 'separate'),
  },
  beforeSend: {
    combine: 'first',
    deadlineMs: 5_000,
    onError: 'this plugin does not object',
    parse: (result: unknown) => results.parseReason(result, 'beforeSend'),
  },
  after: { combine: 'all', deadlineMs: 30_000, onError: 'logged', waitsForDatabase: true, parse: nothing },
} as const satisfies { readonly [S in Stage]: StageRule<unknown> }

/** The result of a stage after the check. */
export type Parsed<S extends Stage> = ReturnType<(typeof STAGES)[S]['parse']>

export function isStage(name: string): name is Stage {
  return Object.hasOwn(STAGES, name)
}
