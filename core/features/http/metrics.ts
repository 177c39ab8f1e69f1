import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Drop, ModelCall, Platform, Trace } from '../../api/index.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'

export interface Metrics {
  /** Counts a message of a platform. `recorded`: false when it was dropped or known already. */
  message(platform: string, recorded: boolean): void
  dropped(drop: Drop): void
  turn(platform: string, trace: Trace): void
  modelCall(call: ModelCall): void
  /** Adds values that are read on request: jobs, platforms and the process. */
  watch(what: {
    readonly jobs: Pick<Jobs, 'state'>
    readonly turns: Pick<TurnQueue, 'state'>
    readonly platforms: ReadonlyMap<string, Platform>
  }): void
  /** The metrics in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
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

  return {
    message: (platform, recorded) => messages.inc({ platform, recorded: String(recorded) }),

    dropped: ({ platform, plugin = 'kernel' }) => drops.inc({ platform, plugin }),

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

    watch({ jobs, turns, platforms }) {
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
    },

    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
