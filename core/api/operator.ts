/** The state of the bot, for those who run it: a dashboard or a command. A plugin reads it as the service {@link Operator}. */
import type { OpenState } from '../base/breaker.ts'
import type { ConfigWarning } from './checks/config-error.ts'
import type { Finding, PluginDefinition, PluginHealth } from './define-plugin.ts'
import type { Conversation } from './message.ts'
import type { ExplainedOption } from './options.ts'
import type { Platform } from './platform.ts'
import { service } from './service.ts'
import type { Stage } from './stages.ts'
import type { DecisionToSpeak } from './turn.ts'

/** The state of a running bot, for operators: options, waiting turns, breakers, spending. */
export interface Operator {
  /** Every plugin of the bot. Providers come before the plugins that need them. */
  readonly plugins: readonly PluginDefinition[]
  /** Open breakers of this process: plugins in a stage, and models, that failed repeatedly and are paused. */
  readonly breakers: readonly OpenBreaker[]
  /** Set while this process sheds messages, because it cannot keep up. */
  readonly overload: Overload | undefined
  /** The limits of model use and what was spent, for all processes together; empty without a budget. */
  spending(): Promise<readonly Spending[]>
  /** Every option of every plugin for a conversation, including settings made in the chat. Never a secret. */
  explain(conversation: Conversation): readonly ExplainedOption[]
  /** The job queue, for all processes together. */
  queue(): Promise<QueueState>
  /** Jobs and turns that failed in every attempt in the last day, 200 at most, the newest first. Empty without a database. */
  deadLetters(): Promise<readonly DeadLetter[]>
  /**
   * Puts a dead letter back into its queue, with all attempts.
   * @returns false: it is none any more, or a newer job of its key waits already
   */
  replayDeadLetter(letter: Pick<DeadLetter, 'kind' | 'id'>): Promise<boolean>
  /** The latest lines of the log of this process. */
  readonly log: LatestLog
  /** Turns that wait for their time. */
  readonly upcoming: Upcoming
  /** What in the running bot.config.ts is valid and cannot work as it says. */
  warnings(): readonly ConfigWarning[]
  /** The state of each plugin that has the hook `health`. */
  health(): readonly { readonly plugin: string; readonly health: PluginHealth }[]
  /**
   * Asks a platform with the tokens of the running bot whether they are valid, and how to invite the bot. Nothing for a plugin that
   * the bot does not have, and for one without an invitation. It takes a minute at most.
   * @param options tokens to ask with instead, for a platform of kikimimi that the bot does not need to have. They are not kept
   */
  invite(plugin: string, options?: Readonly<Record<string, string>>): Promise<InviteReport | undefined>
  /** Every platform of the bot, once all plugins are set up. */
  readonly platforms: readonly Platform[]
  /**
   * Where the bot's HTTP server listens, if it runs: see `PluginHooks.routes`. The port is final when `routes` is called: without a
   * configured address it is the next free one.
   */
  readonly http: { readonly host: string; readonly port: number }
}

/** The state of a running bot, for operators: options, waiting turns, breakers, spending. */
export const Operator = service<Operator>('kikimimi.operator')

/** How the bot is invited to a platform, and whether its tokens work. It holds no secret. */
export interface InviteReport {
  /** What the plugin checked: tokens, permissions. */
  readonly findings: readonly Finding[]
  /** A sentence with a link. Absent: the findings say why there is none. */
  readonly text?: string
}

/** An open breaker: the kernel does not call a plugin in one stage, or a model, for a while. */
export interface OpenBreaker extends OpenState {
  /** The paused plugin. Absent for a model. */
  readonly plugin?: string
  /** The stage of the plugin in which it is paused. Absent for a model. */
  readonly stage?: Stage
  /** The paused model. Absent for a plugin. */
  readonly model?: string
}

/** More messages arrive than the bot can record: what it has shed since. */
export interface Overload {
  /** When the first message was shed. */
  readonly since: Date
  /** Messages that address the bot. */
  readonly call: number
  /** Other messages. */
  readonly talk: number
  /** Edits and reactions. */
  readonly change: number
  /** Of all of them, those that cannot be read later. */
  readonly lost: number
}

/** A limit of model use for one hour or day, and what was spent. Hours and days are in UTC. */
export interface Spending {
  /** The id of a channel, as `channelOf` gives it; absent for the whole bot. */
  readonly channel?: string
  /** The period of the limit: an hour or a day, in UTC. */
  readonly period: 'hour' | 'day'
  /** When the next period begins, with nothing spent. */
  readonly until: Date
  /** Input and output tokens together, or money in the currency of the prices. Absent: no limit of that kind. */
  readonly limits: { readonly tokens?: number; readonly money?: number }
  /** What was spent in the current period. */
  readonly spent: { readonly tokens: number; readonly money: number }
}

/** How many jobs wait and run, and which kinds of jobs failed. */
export interface QueueState {
  /** Jobs that are due and have not begun. */
  readonly due: number
  /** Jobs that are not due yet. */
  readonly later: number
  /** Jobs that have begun and not ended. */
  readonly active: number
  /** The kinds of jobs that failed, 50 at most. Kinds with the most dead letters come first. */
  readonly failed: readonly FailedJobs[]
}

/** The failed jobs of one kind. */
export interface FailedJobs {
  /** `turn`, `forget`, or `PLUGIN.NAME` for a job of a plugin. */
  readonly kind: string
  /** Jobs that failed and will be tried again. */
  readonly retrying: number
  /** The number of dead letters of the last day: jobs that failed as often as they may. */
  readonly deadLetters: number
  /** When the newest dead letter failed. Absent: there is none. */
  readonly last?: Date
  /**
   * The last failure: the message of an error of kikimimi, the name of any other error. It quotes no message of a person.
   */
  readonly why?: string
}

/** A job or a turn that failed in every attempt. */
export interface DeadLetter {
  /** The id of a job, or of the conversation of a turn. */
  readonly id: string
  /** The kind of a job, or `turn`. */
  readonly kind: string
  /** The key under which the job was scheduled. Empty: none. */
  readonly key: string
  /** When the last attempt failed. */
  readonly failedAt: Date
  /** The error, without words of people. */
  readonly why: string
}

/** A line of the log. */
export interface LogLine {
  /** Counts the lines of this process. */
  readonly number: number
  /** When it was written. */
  readonly at: Date
  /** What the operator has to do with it: see `Logger`. */
  readonly level: 'info' | 'warn' | 'error'
  /** Absent: the line is of the bot itself. */
  readonly plugin?: string
  /** The words, without secrets. */
  readonly message: string
  /** Ids and counts as JSON, without secrets. */
  readonly fields?: string
}

/** The latest lines of the log, without the level `debug`. Of each level 500 are kept in memory. */
export interface LatestLog {
  /** The kept lines, oldest first. */
  recent(): readonly LogLine[]
  /** Calls the listener for each new line, until the returned function is called. */
  watch(listener: (line: LogLine) => void): () => void
}

/** A turn that waits for its time. */
export interface UpcomingTurn {
  /** The id of the conversation. */
  readonly conversation: string
  /** The earliest start. It moves while people keep writing. */
  readonly at: Date
  /** The delayed answer. Absent: the messages are not judged yet. */
  readonly decision?: DecisionToSpeak
}

/** Turns that wait for their time, and delayed answers. */
export interface Upcoming {
  /**
   * The next turns, soonest first, 200 at most.
   * @param channel the id of a channel: only turns there and in its threads
   */
  list(channel?: string): Promise<readonly UpcomingTurn[]>
  /** The delayed answers of all conversations, soonest first, 200 at most. */
  answers(): Promise<readonly UpcomingTurn[]>
  /** Cancels a delayed answer. False: none waits in that conversation, or the bot is sending it already. */
  cancel(conversation: string): Promise<boolean>
  /** Sends a delayed answer now. False: none waits in that conversation. */
  runNow(conversation: string): Promise<boolean>
}

/** Where a test of the alerts went. */
export interface AlertTest {
  /** `webhook`, or a channel of `alerts.channels`. */
  readonly target: string
  /** Why it was not told. Absent: it was. */
  readonly problem?: string
}

/** Messages to the operator about the state of the bot: see `alerts` in bot.config.ts. */
export interface Alerts {
  /** Sends a test to each target. Empty: there is none. */
  test(): Promise<readonly AlertTest[]>
}

/** Messages to the operator about the state of the bot: see `alerts` in bot.config.ts. */
export const Alerts = service<Alerts>('kikimimi.alerts')
