/** The state of the bot, for those who run it: a dashboard or a command. A plugin reads it as `ctx.operator`. */
import type { OpenState } from '../base/breaker.ts'
import type { PluginDefinition } from './define-plugin.ts'
import type { Conversation } from './message.ts'
import type { ExplainedOption } from './options.ts'
import type { ChannelReplay, ReplayRequest } from './replay.ts'
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
  /** Turns that wait for their time, for a dashboard. */
  readonly upcoming: Upcoming
  /**
   * What this bot would have done with what was said in a channel, with the options of today and with others, on a virtual clock:
   * nothing is sent or kept, no port is opened, and in the place of the bot's models stands the offline one. Platforms, what has
   * routes, what remembers, and what needs tables are left out; the other plugins are set up anew, and what one does without the
   * kernel, with a client of its own, it does there, too. The same request gives the same answer. Throws OPTIONS_INVALID for an option that is wrong or
   * takes no part, REPLAY_NOTHING where nothing was said, REPLAY_BUSY while another one runs.
   */
  replay(request: ReplayRequest): Promise<ChannelReplay>
  /** What makes a difference in a replay: the pace, and those options of {@link explain} that shape when it speaks. */
  tunable(conversation: Conversation): readonly ExplainedOption[]
}

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
