/** The states that are alerts. docs/prometheus-alerts.yaml has the same limits for Prometheus; a test compares them. */
import type { Database, Operator, Platform, PluginHealth, Spending } from '../../api/index.ts'

const MINUTE = 60_000

interface State {
  /** Milliseconds that the state must last before its alert is sent. */
  readonly holdMs: number
  readonly limit?: number
  /** The rule of docs/prometheus-alerts.yaml. Absent: Prometheus does not see it. */
  readonly rule?: string
}

export const STATES = {
  /** As `/readyz` finds it. Told by the webhook alone, because a post needs the database. */
  database: { holdMs: 2 * MINUTE },
  'not-connected': { rule: 'KikimimiNotConnected', holdMs: 5 * MINUTE },
  /** Failed turns in 15 minutes. */
  'fails-to-answer': { rule: 'KikimimiFailsToAnswer', holdMs: 0, limit: 3 },
  /** The share of calls in 10 minutes. */
  'models-fail': { rule: 'KikimimiModelsFail', holdMs: 10 * MINUTE, limit: 0.2 },
  /** Seconds. */
  'turns-are-late': { rule: 'KikimimiTurnsAreLate', holdMs: 10 * MINUTE, limit: 60 },
  'jobs-pile-up': { rule: 'KikimimiJobsPileUp', holdMs: 15 * MINUTE, limit: 1_000 },
  /** Seconds. */
  'records-slowly': { rule: 'KikimimiRecordsSlowly', holdMs: 2 * MINUTE, limit: 30 },
  sheds: { rule: 'KikimimiSheds', holdMs: 10 * MINUTE, limit: 0 },
  /** The limit is `alerts.budget`. */
  budget: { holdMs: 0 },
  'dead-letters': { holdMs: 0, limit: 0 },
  /** A plugin reports a problem, such as failed backups. */
  plugin: { holdMs: 0 },
} as const satisfies Record<string, State>

export type StateName = keyof typeof STATES

/** A state that is there now. */
export interface Found {
  readonly name: StateName
  /** What it is about, such as a platform. Empty: the name says it. */
  readonly subject: string
  /** Values for the text of the state. */
  readonly values: Readonly<Record<string, string | number>>
}

export interface Readings {
  readonly operator: Pick<Operator, 'deadLetters' | 'overload' | 'queue' | 'spending'>
  readonly platforms: Iterable<Pick<Platform, 'name' | 'unready'>>
  readonly db: Pick<Database, 'query'>
  health(): readonly { readonly plugin: string; readonly health: Pick<PluginHealth, 'problem'> }[]
  /** When the oldest message arrived that is not recorded yet, in milliseconds since the epoch. */
  waitingSince(): number | undefined
  /** When the oldest waiting turn is due. */
  nextDue(): Promise<number | undefined>
  /** The share of a limit from which the budget is nearly used. */
  readonly budgetShare: number
  readonly now: number
}

/** The states that are there now, except `database`. Rejects when the database does not answer. */
export async function findStates(from: Readings): Promise<readonly Found[]> {
  const { operator, now } = from
  const found: Found[] = []
  const add = (name: StateName, subject = '', values: Found['values'] = {}) => void found.push({ name, subject, values })
  const secondsSince = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, now - since) / 1_000)

  for (const { name, unready } of from.platforms) {
    const why = unready?.()
    if (why !== undefined) add('not-connected', name, { why })
  }
  const waited = secondsSince(from.waitingSince())
  if (waited > STATES['records-slowly'].limit) add('records-slowly', '', { seconds: Math.round(waited) })
  const late = secondsSince(await from.nextDue())
  if (late > STATES['turns-are-late'].limit) add('turns-are-late', '', { seconds: Math.round(late) })
  if (operator.overload) add('sheds')
  const { due } = await operator.queue()
  if (due > STATES['jobs-pile-up'].limit) add('jobs-pile-up', '', { count: due })
  const [letter, ...more] = await operator.deadLetters()
  if (letter) add('dead-letters', '', { count: 1 + more.length, kind: letter.kind, why: letter.why })
  for (const one of await operator.spending()) {
    const share = shareOf(one)
    if (share >= from.budgetShare)
      add('budget', [one.period, one.channel ?? ''].join(' ').trim(), { percent: Math.floor(100 * share) })
  }
  for (const { plugin, health } of from.health()) if (health.problem !== undefined) add('plugin', plugin, { why: health.problem })

  const { turns, calls, failures } = await recent(from.db, now)
  if (turns > STATES['fails-to-answer'].limit) add('fails-to-answer', '', { count: turns })
  if (failures > STATES['models-fail'].limit * calls) add('models-fail', '', { count: failures, calls })
  return found
}

function shareOf({ limits: { tokens, money }, spent }: Spending): number {
  return Math.max(tokens === undefined ? 0 : spent.tokens / tokens, money === undefined ? 0 : spent.money / money)
}

/** Turns that are looked at. More would block the embedded database. */
const TURNS = 2_000

/** Failed turns of 15 minutes, and the calls of models of 10 minutes, of all processes. */
async function recent(db: Pick<Database, 'query'>, now: number) {
  const { rows } = await db.query<{ turns: number; calls: number; failures: number }>(
    `with latest as (select at, outcome, data->'models' as models from kikimimi.trace where at > $1 order by at desc limit ${TURNS})
     select (select count(*)::int from latest where outcome = 'failed') as turns, count(call)::int as calls,
       count(call) filter (where call ? 'error')::int as failures
     from latest, jsonb_array_elements(models) call where at > $2`,
    [new Date(now - 15 * MINUTE), new Date(now - 10 * MINUTE)],
  )
  return rows[0] ?? { turns: 0, calls: 0, failures: 0 }
}
