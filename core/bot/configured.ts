/** What bot.config.ts decides while the bot runs. A start and each reload make all of it from a plan, by the same function. */
import type { CheckedRules } from '../api/checks/access-rules.ts'
import type { Conversation } from '../api/index.ts'
import { milliseconds } from '../base/duration.ts'
import type { Locale } from '../base/text/texts.ts'
import { createCallers } from '../features/access/access.ts'
import { rulesIn } from '../features/access/rules.ts'
import { ignored } from '../features/listen/listen.ts'
import type { AdaptiveDebounce } from '../features/pacing/adaptive-debounce.ts'
import { createPacing } from '../features/pacing/pacing.ts'
import type { Plan } from '../features/reload/reload.ts'
import type { PluginStages } from '../kernel/pipeline/call.ts'
import { Pipeline } from '../kernel/pipeline/pipeline.ts'
import { currentTurn } from '../kernel/pipeline/trace.ts'
import type { TurnSettings } from '../kernel/turns/turn-settings.ts'
import { type Budget, createBudget } from '../models/budget.ts'
import { namesOf } from '../models/models.ts'
import { type Personas, personasOf } from '../prompt/persona.ts'
import type { Foundation } from './foundation.ts'
import type { Storage } from './storage.ts'

export interface Configured {
  readonly plan: Plan
  readonly identity: { readonly personas: Personas; readonly locale: Locale }
  /** Who may do what in a conversation. */
  rules(conversation: Conversation): CheckedRules
  readonly budget: Budget
  readonly turns: TurnSettings
}

/** The configuration now. A reload replaces it. */
export interface Current {
  current: Configured
}

export interface Configure {
  /** Throws CONFIG_INVALID for a budget that cannot be kept. The pipeline stays until {@link withPlugins} makes one of the plan's plugins. */
  plan(plan: Plan, pipeline?: Pipeline): Configured
  /** The same, with the stages of the plugins that are set up. */
  withPlugins(configured: Configured, stages: readonly PluginStages[]): Configured
}

export function configuring(
  { clock, random, platforms }: Foundation,
  { log, ledger, table, availability, retryWhileUnavailable }: Storage,
  debounce: AdaptiveDebounce,
): Configure {
  const pipelineOf = ({ settings }: Plan, stages: readonly PluginStages[]) =>
    new Pipeline(stages, {
      ...{ clock, log, isAway: availability.isAway, retryWhileUnavailable },
      contextTokens: settings.contextTokens,
    })
  return {
    plan(plan, pipeline = pipelineOf(plan, [])) {
      const { settings, models } = plan
      const rules = rulesIn(plan.access, table, log)
      return {
        ...{ plan, rules, identity: { personas: personasOf(settings), locale: settings.locale } },
        budget: createBudget({
          ...{ config: settings.budget, models: namesOf(models), ledger, clock },
          currentTurn: () => currentTurn.getStore()?.trace,
          currentCaller: createCallers({ platforms, settings: { current: { rules } } }).caller,
        }),
        turns: {
          pipeline,
          pacing: createPacing(settings.pacing, random, debounce),
          ignores: (message, conversation) => ignored(message, conversation, settings.listen),
          missedMs: milliseconds(settings.listen.missed ?? '10m'),
          memory: { size: settings.memory.size, ttlMs: settings.memory.ttl },
        },
      }
    },

    withPlugins: (configured, stages) => ({
      ...configured,
      turns: { ...configured.turns, pipeline: pipelineOf(configured.plan, stages) },
    }),
  }
}
