/** The state of the bot, for those who run it: a dashboard or a command. A plugin reads it as the service {@link Operator}. */
import type { OpenState } from '../base/breaker.ts'
import type { PluginDefinition } from './define-plugin.ts'
import type { Conversation } from './message.ts'
import type { ExplainedOption } from './options.ts'
import type { Platform } from './platform.ts'
import { service } from './service.ts'
import type { Stage } from './stages.ts'
import type { DecisionToSpeak } from './turn.ts'

/** The state of a running bot, for operators: options, waiting turns, breakers, spending. */
export interface Operator {
  /** Every plugin of the bot, providers before those who need them. */
  readonly plugins: readonly PluginDefinition[]
  /** What kept failing and is left alone for a while: plugins in a stage, and models. As this process sees it. */
  readonly breakers: readonly OpenBreaker[]
  /** What models may cost and have cost, for all processes together; empty without a budget. */
  spending(): Promise<readonly Spending[]>
  /** Every option of every plugin where a conversation is, with what was set there in the chat. Never a secret. */
  explain(conversation: Conversation): readonly ExplainedOption[]
  /** The job queue, for all processes together. */
  queue(): Promise<QueueState>
  /** Turns that wait for their time, for a dashboard. */
  readonly upcoming: Upcoming
  /** Every platform of the bot, once all plugins are set up. */
  readonly platforms: readonly Platform[]
  /** Where the bot's HTTP server listens, if it runs: see `PluginHooks.routes`. */
  readonly http: { readonly host: string; readonly port: number }
}

/** The state of a running bot, for operators: options, waiting turns, breakers, spending. */
export const Operator = service<Operator>('kikimimi.operator')

/** An open breaker: a plugin in one stage, or a model, that is not called for a while. */
export interface OpenBreaker extends OpenState {
  /** The plugin whose stage is left out. Absent for a model. */
  readonly plugin?: string
  /** Of the plugin. */
  readonly stage?: Stage
  /** The model that is not called. Absent for a plugin. */
  readonly model?: string
}

/** What models may cost in one hour or day, and what they have cost in it. By the clock of UTC. */
export interface Spending {
  /** The id of a channel, as `channelOf` gives it; absent for the whole bot. */
  readonly channel?: string
  /** The period of the limit: an hour or a day, in UTC. */
  readonly period: 'hour' | 'day'
  /** When the next one begins, with nothing spent. */
  readonly until: Date
  /** Tokens read and written together, or money in the currency of the prices; absent without a limit of that kind. */
  readonly limits: { readonly tokens?: number; readonly money?: number }
  /** What was spent in the current period. */
  readonly spent: { readonly tokens: number; readonly money: number }
}

/** How many jobs wait and run, and which kinds of jobs failed. */
export interface QueueState {
  /** Jobs that are due and have not begun. */
  readonly due: number
  /** Jobs whose time has not come. */
  readonly later: number
  /** Jobs that have begun and not ended. */
  readonly active: number
  /** Most jobs given up first, 50 kinds at most. */
  readonly failed: readonly FailedJobs[]
}

/** The failed jobs of one kind. */
export interface FailedJobs {
  /** `turn`, `forget`, or `PLUGIN.NAME` for a job of a plugin. */
  readonly kind: string
  /** Jobs that have failed and are tried again. */
  readonly retrying: number
  /** Jobs whose attempts are used up, in the last day. */
  readonly givenUp: number
  /** When the last of them was given up; absent when none was. */
  readonly last?: Date
  /** The last failure: the message of an error of kikimimi, the name of any other error. It quotes no message of a person. */
  readonly why?: string
}

/** A turn that waits for its time. */
export interface UpcomingTurn {
  /** The id of the conversation. */
  readonly conversation: string
  /** When it begins at the earliest. It moves while people keep writing. */
  readonly at: Date
  /** For an answer that was decided on and delayed. Without it what was said is still to be judged. */
  readonly decision?: DecisionToSpeak
}

/** What is about to happen. */
export interface Upcoming {
  /** The soonest first, 200 at most. @param channel there and in its threads: the id of a channel */
  list(channel?: string): Promise<readonly UpcomingTurn[]>
  /** Delayed answers alone, wherever they wait; the soonest first, 200 at most. */
  answers(): Promise<readonly UpcomingTurn[]>
  /** A delayed answer is not given. False when none waits in that conversation, or it is being sent already. */
  cancel(conversation: string): Promise<boolean>
  /** A delayed answer is given now. False when none waits in that conversation. */
  runNow(conversation: string): Promise<boolean>
}
