/** Runs cases with one configuration or with two, and says how often each passes, what it costs and how they differ. */
import { KikimimiError, type Trace } from 'kikimimi'
import type { ModelCall } from 'kikimimi/host'
import { reason } from 'kikimimi/host'
import { type Difference, differenceOf, type Share, shareOf } from './figures.ts'
import { type Metered, meter, type Spent, tokenBudget } from './metered.ts'
import type { Configuration, Played } from './stage.ts'

/** Something that a configuration passes or fails. */
export interface Case {
  readonly name: string
  /** Cases of one kind are counted together: `speak`. */
  readonly kind: string
  run(configuration: Configuration, metered: Metered): Promise<Outcome>
}

export interface Check {
  /** `answer: Momo` */
  readonly what: string
  readonly passed: boolean
}

/** What a configuration did with a case. */
export interface Outcome {
  readonly checks: readonly Check[]
  /** What the bot said; for memory, the answer to the question. */
  readonly said: readonly string[]
  /** The reason of the decision, or what the bot remembers. */
  readonly why?: string
  /** Why there is no result: a model that failed. */
  readonly failed?: string
}

export interface CaseResult extends Outcome {
  readonly spent: Spent
  /** True: the budget ended before. */
  readonly left: boolean
}

export interface Evaluated {
  readonly name: string
  readonly kind: string
  /** One for each configuration, in their order. */
  readonly results: readonly CaseResult[]
}

/** A configuration over all cases that have a result. */
export interface Side {
  readonly name: string
  readonly spent: Spent
  /** Milliseconds of models in a case: half of the cases take less, and 95 of 100. */
  readonly medianMs: number
  readonly p95Ms: number
  /** Cases without a result: a model failed, or the budget was spent. */
  readonly failed: number
  readonly left: number
}

export interface Row {
  /** Of cases, or `all`. */
  readonly kind: string
  readonly shares: readonly Share[]
  /** Of the second configuration to the first, over the cases for which both have a result. */
  readonly difference?: Difference
}

export interface Evaluation {
  readonly sides: readonly Side[]
  readonly rows: readonly Row[]
  readonly cases: readonly Evaluated[]
}

export interface EvaluateOptions {
  /** The first is compared with the second. */
  readonly configurations: readonly [Configuration, ...Configuration[]]
  /** The most tokens of all configurations together. Absent: no limit. */
  readonly budget?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives every call of a model. */
  onCall?(call: ModelCall): void
  /** Runs after each case. */
  progress?(done: number, of: number): void
}

export async function evaluate(cases: readonly Case[], options: EvaluateOptions): Promise<Evaluation> {
  const { configurations, budget, signal, progress, onCall } = options
  const tokens = tokenBudget(budget)
  const sides = configurations.map(configuration => ({ configuration, metered: meter(configuration.config, tokens, onCall) }))
  const evaluated: Evaluated[] = []
  for (const { name, kind, run } of cases) {
    signal?.throwIfAborted()
    const results: CaseResult[] = []
    for (const { configuration, metered } of sides) {
      if (tokens.isSpent) {
        results.push({ checks: [], said: [], spent: NOTHING, left: true })
        continue
      }
      const before = metered.spent()
      const outcome: Outcome = await run(configuration, metered).catch(failure)
      // A case in which the budget ended is no failure of the model.
      results.push({ ...outcome, spent: since(metered.spent(), before), left: tokens.isSpent })
    }
    evaluated.push({ name, kind, results })
    progress?.(evaluated.length, cases.length)
  }
  return {
    sides: sides.map(({ configuration, metered }, at) => sideOf(configuration.name, metered.spent(), evaluated, at)),
    rows: rowsOf(evaluated, configurations.length),
    cases: evaluated,
  }
}

/** Whether it has a result, and whether that passes all checks. */
export function hasResult({ left, failed }: CaseResult): boolean {
  return !left && failed === undefined
}

export function isPassed({ checks }: Outcome): boolean {
  return checks.every(({ passed }) => passed)
}

/** What a situation shows, with the checks. A turn in which a model failed has no result. */
export function outcomeOf({ texts, trace }: Played, checks: readonly Check[]): Outcome {
  const why = trace?.why ?? trace?.decision?.why ?? (trace ? undefined : 'a filter dropped it')
  const problem = trace && failureIn(trace)
  return { checks, said: texts, ...(why !== undefined && { why }), ...(problem !== undefined && { failed: problem }) }
}

/** An answer that is empty or cannot be read is an answer of the model, and a bad one. */
const ANSWERED: readonly string[] = ['MODEL_EMPTY', 'MODEL_UNREADABLE']

function failureIn({ models }: Trace): string | undefined {
  const call = models.find(({ error }) => error !== undefined && !ANSWERED.includes(error))
  return call && `${call.model} (${call.role}): ${call.error}`
}

/** @throws what is no failure of a model */
function failure(error: unknown): Outcome {
  if (error instanceof KikimimiError && error.code.startsWith('MODEL_')) return { checks: [], said: [], failed: reason(error) }
  throw error
}

const NOTHING: Spent = { calls: 0, failed: 0, tokens: 0, cost: 0, ms: 0 }

function since(now: Spent, before: Spent): Spent {
  return {
    calls: now.calls - before.calls,
    failed: now.failed - before.failed,
    tokens: now.tokens - before.tokens,
    ms: now.ms - before.ms,
    ...(now.cost !== undefined && { cost: now.cost - (before.cost ?? 0) }),
  }
}

function sideOf(name: string, spent: Spent, cases: readonly Evaluated[], at: number): Side {
  const own = cases.flatMap(({ results }) => results[at] ?? [])
  const times = own
    .filter(hasResult)
    .map(one => one.spent.ms)
    .sort((one, other) => one - other)
  const quantile = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0
  return {
    ...{ name, spent, medianMs: quantile(0.5), p95Ms: quantile(0.95) },
    failed: own.filter(one => one.failed !== undefined && !one.left).length,
    left: own.filter(({ left }) => left).length,
  }
}

function rowsOf(cases: readonly Evaluated[], sides: number): Row[] {
  const kinds = [...Map.groupBy(cases, ({ kind }) => kind)]
  const row = (kind: string, some: readonly Evaluated[]): Row => {
    const both = some.flatMap(({ results: [first, second] }) =>
      first && second && hasResult(first) && hasResult(second) ? [[isPassed(first), isPassed(second)] as const] : [],
    )
    return {
      kind,
      shares: Array.from({ length: sides }, (_, at) =>
        shareOf(
          some
            .flatMap(({ results }) => results[at] ?? [])
            .filter(hasResult)
            .map(isPassed),
        ),
      ),
      ...(sides > 1 && { difference: differenceOf(both) }),
    }
  }
  return [...kinds.map(([kind, some]) => row(kind, some)), ...(kinds.length > 1 ? [row('all', cases)] : [])]
}
