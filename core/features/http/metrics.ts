import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ArrivalKind, Drop, ModelCall, Platform, PluginHealth, Trace } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'

export interface Metrics {
  /** Counts a message of a platform. `recorded`: false when it was dropped or known already. */
  message(platform: string, recorded: boolean): void
  dropped(drop: Drop): void
  /** Counts an event for which there was no room. `lost`: it cannot be read later. */
  shed(platform: string, kind: ArrivalKind, lost: boolean): void
  /** Counts a message that was missed or shed, and was read from the history. */
  readLater(platform: string): void
  turn(platform: string, trace: Trace): void
  modelCall(call: ModelCall): void
  /** Adds values that are read on request: jobs, platforms, plugins and the process. */
  watch(what: Watched): void
  /** The metrics in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

export interface Watched {
  readonly jobs: Pick<Jobs, 'state'>
  readonly turns: Pick<TurnQueue, 'state' | 'waiting'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  /** When the oldest message arrived that is not recorded yet, in milliseconds since the epoch. */
  waitingSince(): number | undefined
  /** What followers and indexes of the message log have to do. */
  followers(): Promise<readonly FollowerState[]>
  /** The state of each plugin that has one. */
  health(): readonly { readonly plugin: string; readonly health: PluginHealth }[]
}

export interface FollowerState {
  readonly name: string
  /** Messages since the last one that it has looked through. */
  readonly waiting: number
  /** Processed messages that it gets again. */
  readonly again: number
  /** Conversations whose last batch failed. */
  readonly failing: number
}

const STAGE_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60]

/**
 * Counters of the running bot. Labels are names of the config and of the kernel, so that the number of series is limited. A
 * label is never a channel, a person or a text.
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]

  const messages = new Counter({
    name: 'kikimimi_messages_total',
    help: 'Messages that platforms received.',
    labelNames: ['platform', 'recorded'] as const,
    registers,
  })
  const drops = new Counter({
    name: 'kikimimi_dropped_messages_total',
    help: 'Dropped messages, by plugin of the filter; kernel: listen in bot.config.ts.',
    labelNames: ['platform', 'plugin'] as const,
    registers,
  })
  const shed = new Counter({
    name: 'kikimimi_shed_total',
    help: 'Events that the bot had no room for: call, talk, or change of a message. Calls and talk are read later where that is possible.',
    labelNames: ['platform', 'kind'] as const,
    registers,
  })
  const lost = new Counter({
    name: 'kikimimi_lost_total',
    help: 'Shed events that cannot be read later.',
    labelNames: ['platform'] as const,
    registers,
  })
  const later = new Counter({
    name: 'kikimimi_read_later_total',
    help: 'Messages that were missed or shed, and were read from the history of the platform.',
    labelNames: ['platform'] as const,
    registers,
  })
  const turns = new Counter({
    name: 'kikimimi_turns_total',
    help: 'Turns, by outcome.',
    labelNames: ['platform', 'addressed', 'outcome'] as const,
    registers,
  })
  const decisions = new Counter({
    name: 'kikimimi_decisions_total',
    help: 'Decisions, by kind and plugin.',
    labelNames: ['plugin', 'kind'] as const,
    registers,
  })
  const problems = new Counter({
    name: 'kikimimi_problems_total',
    help: 'Failures of plugins in a stage.',
    labelNames: ['plugin', 'stage'] as const,
    registers,
  })
  const stages = new Histogram({
    name: 'kikimimi_stage_seconds',
    help: 'Duration of a stage of a turn.',
    labelNames: ['stage'] as const,
    buckets: STAGE_SECONDS,
    registers,
  })
  const calls = new Counter({
    name: 'kikimimi_model_calls_total',
    help: 'Calls of models; result is ok or the code of the error.',
    labelNames: ['role', 'model', 'result'] as const,
    registers,
  })
  const tokens = new Counter({
    name: 'kikimimi_model_tokens_total',
    help: 'Input and output tokens of models.',
    labelNames: ['role', 'model', 'direction'] as const,
    registers,
  })
  const latency = new Histogram({
    name: 'kikimimi_model_seconds',
    help: 'Duration of a call of a model, its retries included.',
    labelNames: ['role'] as const,
    buckets: STAGE_SECONDS,
    registers,
  })

  let readPlugins = () => {}

  return {
    message: (platform, recorded) => messages.inc({ platform, recorded: String(recorded) }),

    dropped: ({ platform, plugin = 'kernel' }) => drops.inc({ platform, plugin }),

    shed(platform, kind, isLost) {
      shed.inc({ platform, kind })
      if (isLost) lost.inc({ platform })
    },

    readLater: platform => later.inc({ platform }),

    turn(platform, { addressed, outcome, decision, problems: met, ms }) {
      turns.inc({ platform, addressed: String(addressed !== undefined), outcome })
      if (decision) decisions.inc({ plugin: decision.plugin ?? 'kernel', kind: decision.kind })
      for (const { plugin, stage } of met) problems.inc({ plugin, stage })
      for (const [stage, spent] of Object.entries(ms)) stages.observe({ stage }, spent / 1_000)
    },

    modelCall({ role, model, inputTokens, outputTokens, ms, error = 'ok' }) {
      calls.inc({ role, model, result: error })
      tokens.inc({ role, model, direction: 'input' }, inputTokens)
      tokens.inc({ role, model, direction: 'output' }, outputTokens)
      latency.observe({ role }, ms / 1_000)
    },

    watch({ jobs, turns, platforms, clock, waitingSince, followers, health }) {
      readPlugins = () => {
        for (const { plugin, health: found } of health()) {
          for (const { name, help, value } of found.gauges) {
            const full = `kikimimi_${plugin.replaceAll('-', '_')}_${name}`
            const gauge = registry.getSingleMetric(full) ?? new Gauge({ name: full, help, registers })
            if (gauge instanceof Gauge) gauge.set(value)
          }
        }
      }
      // It observes the whole process and cannot be stopped. So it is only for a bot with an HTTP server.
      collectDefaultMetrics({ register: registry })
      new Gauge({
        name: 'kikimimi_platform_up',
        help: 'Whether the platform is connected.',
        labelNames: ['platform'] as const,
        registers,
        collect() {
          for (const platform of platforms.values())
            this.set({ platform: platform.name }, platform.unready?.() === undefined ? 1 : 0)
        },
      })
      const age = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, clock.now() - since) / 1_000)
      new Gauge({
        name: 'kikimimi_recording_age_seconds',
        help: 'Age of the oldest message of this process that waits to be recorded; 0 when none waits.',
        registers,
        collect() {
          this.set(age(waitingSince()))
        },
      })
      new Gauge({
        name: 'kikimimi_due_turn_age_seconds',
        help: 'Time since the oldest waiting turn of the deployment was due; 0 when none is due.',
        registers,
        async collect() {
          const waiting = await turns.waiting({ limit: 1 }).catch(() => undefined)
          if (waiting) this.set(age(waiting[0]?.at.getTime()))
        },
      })
      new Gauge({
        name: 'kikimimi_jobs',
        help: 'Turns and background jobs that are due and wait, and that run, of the whole deployment.',
        labelNames: ['lane', 'state'] as const,
        registers,
        async collect() {
          this.reset()
          // When the database is unavailable, the other values are still reported.
          const states = await Promise.all([turns.state(), jobs.state()]).catch(() => [])
          for (const [index, { due, active }] of states.entries()) {
            const lane = index === 0 ? 'turn' : 'work'
            this.set({ lane, state: 'due' }, due)
            this.set({ lane, state: 'active' }, active)
          }
        },
      })
      new Gauge({
        name: 'kikimimi_log_follower',
        help: 'Of each follower of the message log: messages that wait, that come again, and conversations whose last batch failed.',
        labelNames: ['follower', 'state'] as const,
        registers,
        async collect() {
          this.reset()
          for (const { name: follower, ...states } of await followers().catch(() => []))
            for (const [state, count] of Object.entries(states)) this.set({ follower, state }, count)
        },
      })
    },

    text() {
      readPlugins()
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
