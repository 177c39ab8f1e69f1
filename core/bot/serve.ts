/** What operators see of a bot: the HTTP server, its state, and alerts. */
import type { ConfigWarning, Conversation, ExplainedOption, FailedJobs, Operator, QueueState } from '../api/index.ts'
import { alertsFeature } from '../features/alerts/index.ts'
import { createServing, type Serving } from '../features/http/serving.ts'
import { readFollowers } from '../features/message-log/marks.ts'
import { createUpcoming } from '../features/upcoming/upcoming.ts'
import { deadLettersIn, putBack } from '../storage/jobs/dead-letters.ts'
import { createOperator } from './create-operator.ts'
import { inviteReport, inviteWith } from './invite-report.ts'
import type { Parts } from './parts.ts'
import { warningsOf } from './warnings/warnings.ts'

export interface Service {
  readonly serving: Serving
  readonly operator: Operator
  readonly alerts: ReturnType<typeof alertsFeature>
  /** The options of all plugins, those of the bot itself included. */
  explain(conversation: Conversation): readonly ExplainedOption[]
  /** What in the running bot.config.ts is valid and cannot work as it says. */
  warnings(): readonly ConfigWarning[]
  /** True: everything is connected, and `/readyz` says so. */
  isComplete: boolean
}

/** Dead letters in a list. */
const DEAD_LETTERS = 200

/** Nothing listens yet. */
export function serve(parts: Parts): Service {
  const { foundation, storage, configured, talk, host } = parts
  const { options, clock, env, secrets, http, platforms, closing, failure } = foundation
  const state = { isComplete: false }
  const unready = () => failure.why ?? (state.isComplete ? undefined : 'starting')
  const waitingSince = () => talk.admission.waitingSince
  const { jobs, availability, log } = storage
  const { turns, metrics } = talk
  const serving = createServing({
    ...{
      host,
      platforms,
      jobs,
      turns,
      availability,
      clock,
      metrics,
      log,
      unready,
      waitingSince,
      followers: () => readFollowers(storage.db),
    },
    ...{ address: http.given, serves: options.serves ?? true, closing: closing.signal },
  })
  const explain = (conversation: Conversation) =>
    host.running.flatMap(({ plugin }) =>
      plugin.optionsFor.explain(conversation, storage.table.within(conversation, plugin.name), secrets),
    )
  // A bot that runs has a platform, which may come from its StartOptions.
  const warnings = () => warningsOf(configured.current.plan, host.running).filter(({ rule }) => rule !== 'no-platform')
  const operator = operatorOf(parts, { explain, warnings, http: () => serving.address ?? http.first })
  const alerts = alertsFeature({
    ...{ operator, env, secrets, waitingSince },
    settings: () => configured.current.plan.settings,
    platforms: { [Symbol.iterator]: () => platforms.values() },
    health: operator.health,
    nextDue: async () => (await turns.waiting({ limit: 1 }))[0]?.at.getTime(),
    unready: availability.unready,
    isRunning: !options.idle,
  })
  return Object.assign(state, { serving, operator, alerts, explain, warnings })
}

type Shown = Pick<Service, 'explain' | 'warnings'> & { http(): Operator['http'] }

function operatorOf({ foundation, storage, configured, talk, host }: Parts, shown: Shown): Operator {
  const { clock, secrets, platforms, log } = foundation
  const { store, jobs, durable } = storage
  const { turns, models, shedding, conversations } = talk
  return createOperator({
    ...{ ...shown, platforms, log },
    plan: () => configured.current.plan,
    health: () => host.hooks('health').map(({ plugin, hook }) => ({ plugin, health: hook() })),
    breakers: () => [...configured.current.turns.pipeline.breakers, ...models.breakers],
    overload: () => shedding.now,
    spending: () => configured.current.budget.spending(),
    queue: async () => bothOf(await turns.queue(), await jobs.queue()),
    deadLetters: async () => (durable ? deadLettersIn(durable, DEAD_LETTERS) : []),
    replayDeadLetter: async letter => (durable ? putBack(durable, letter) : false),
    async invite(name, given) {
      const { order, config } = configured.current.plan
      const how = { bot: { plugins: order, models: config.models, persona: config.persona }, clock, secrets }
      if (given) return inviteWith(name, given, how)
      const plugin = order.find(one => one.name === name)
      return plugin && inviteReport(plugin, how)
    },
    upcoming: createUpcoming({ queue: turns, store, clock, conversations }),
  })
}

/** The state of both queues. Kinds with the most dead letters come first. */
function bothOf(turns: QueueState, jobs: QueueState): QueueState {
  const order = (a: FailedJobs, b: FailedJobs) => b.deadLetters - a.deadLetters || b.retrying - a.retrying
  return {
    due: turns.due + jobs.due,
    later: turns.later + jobs.later,
    active: turns.active + jobs.active,
    failed: [...turns.failed, ...jobs.failed].toSorted(order),
  }
}
