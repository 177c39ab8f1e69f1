/** The stages of a turn that a plugin can fill. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Address, Conversation, IncomingMessage, Message } from './message.ts'
import type { Trace } from './trace.ts'
import type { Context, Decision, DecisionToSpeak, Reply, Score, Section, Silence, TotalScore, Turn } from './turn.ts'

/**
 * The places in the pipeline that a plugin can fill. How several plugins combine belongs to the stage:
 *
 * | stage   | combination                                                   | an error or a timeout means      |
 * |---------|---------------------------------------------------------------|----------------------------------|
 * | filter  | in order, the first reason drops                               | dropped                          |
 * | onDropped | all at once                                                  | logged                           |
 * | address | in order, the first answer stands                              | does not address, says this one  |
 * | score   | all at once, points add up, clamped 0…100                      | no points from this one          |
 * | decide  | in order, the first decision stands; else full if addressed, silent otherwise | silent; the next when addressed |
 * | context | all at once, sorted by place, the lightest dropped to fit      | left out                         |
 * | respond | in order, the first reply stands                               | the next; none left: silent, or the apology when addressed |
 * | beforeSend | in order, the first reason withholds                        | still wanted, says this one      |
 * | after   | all at once, every turn, silent ones too                       | logged                           |
 */
export interface Stages {
  /**
   * On arrival. A reason drops the message: it is not recorded and never judged. The reason is told to other plugins, and people
   * read it: it names nobody and quotes nothing.
   */
  filter?(message: IncomingMessage, call: Call): Awaitable<string | void>
  /** A message was dropped, by a filter or by `listen`. Nothing waits for this. */
  onDropped?(drop: Drop, call: Call): Awaitable<void>
  /** On arrival, when neither a mention nor a reply calls on the bot: does the message do it in another way? */
  address?(message: IncomingMessage, call: Call): Awaitable<Address | void>
  score?(turn: Turn): Awaitable<Score | readonly Score[] | void>
  decide?(turn: Turn, score: TotalScore, call: DecideCall): Awaitable<Decision | void>
  /** At most once in a turn. While a decider still asks, `decision` is what it may come to: `full`. */
  context?(turn: Turn, decision: DecisionToSpeak): Awaitable<Section | readonly Section[] | void>
  /** Silence is an answer too: no other responder is asked, and nobody gets an apology. */
  respond?(turn: Turn, decision: DecisionToSpeak, context: Context): Awaitable<Reply | Silence | void>
  /**
   * The answer is ready, and people have said something since the batch: a reason to keep it to oneself. An unasked
   * answer is withdrawn without asking.
   */
  beforeSend?(turn: Turn, news: readonly Message[], reply: Reply): Awaitable<string | void>
  after?(turn: Turn, trace: Trace): Awaitable<void>
}

export type Stage = keyof Stages

/** That a message was dropped: where, when and why. Not what it says, nor who said it: that is nobody's to read. */
export interface Drop {
  readonly platform: string
  /** Absent where somebody is alone with the bot: it would say who. */
  readonly conversation?: Conversation
  /** When it arrived. */
  readonly at: Date
  /** Whose filter it was; absent when `listen` in bot.config.ts leaves it out. */
  readonly plugin?: string
  /** A short reason, for people. */
  readonly why: string
}

export interface Call {
  /** Aborted when the deadline of the stage has passed or the bot stops. */
  readonly signal: AbortSignal
}

export interface DecideCall {
  /** What the context providers know, for a decider that needs it. The responders get the same. Never rejects. */
  context(): Promise<Context>
}
