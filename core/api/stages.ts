/** The stages that a plugin can fill. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Address, Conversation, IncomingMessage, Message } from './message.ts'
import type { Trace } from './trace.ts'
import type { Context, Decision, DecisionToSpeak, Reply, Score, Section, Silence, TotalScore, Turn } from './turn.ts'

/**
 * The places in the pipeline that a plugin can fill. How several plugins combine, how long a call may take and what an error means
 * belongs to the stage: the table is in docs/pipeline.md, and its values are in `STAGES`.
 */
export interface Stages {
  /**
   * On arrival, and for a message that the bot reads from the platform to see what was said before: also with the time of the
   * reading as its time. A reason drops the message: it is not recorded, never judged and not shown. Other plugins and people can read the reason, so
   * it contains no name and no quotation.
   */
  filter?(message: IncomingMessage, call: Call): Awaitable<string | void>
  /** A message was dropped by a filter or by `listen`. The message does not wait for this handler. */
  onDropped?(drop: Drop, call: Call): Awaitable<void>
  /** On arrival, for a message without a mention of the bot or a reply to it: whether it addresses the bot in another way. */
  address?(message: IncomingMessage, call: Call): Awaitable<Address | void>
  /**
   * A message of a person was recorded. The bot calls the handler once for each, missed messages included, and not for its own
   * messages. The message does not wait for the handler. When the process dies, the bot does not call the handler again: work that must
   * be exact reads the views of the database.
   */
  onRecorded?(message: Message, conversation: Conversation, call: Call): Awaitable<void>
  /** Points for and against speaking. Every scorer runs; the sum is clamped to 0…100. */
  score?(turn: Turn): Awaitable<Score | readonly Score[] | void>
  /** Whether and how to speak. The first decision is used. */
  decide?(turn: Turn, score: TotalScore, call: DecideCall): Awaitable<Decision | void>
  /** Sections for the prompt. Runs at most once per turn. If a decider asks for the context, `decision.kind` is `full`. */
  context?(turn: Turn, decision: DecisionToSpeak): Awaitable<Section | readonly Section[] | void>
  /** The reply. The first one is used. With `silent`, no other responder is asked, and there is no apology. */
  respond?(turn: Turn, decision: DecisionToSpeak, context: Context): Awaitable<Reply | Silence | void>
  /**
   * The person who is being answered adds a message. A reason gives the message a turn of its own, such as an order that another
   * responder carries out. Without one, the responder can answer it together with the call: see {@link Turn.takeAdditions}.
   */
  separate?(turn: Turn, added: Message): Awaitable<string | void>
  /**
   * Runs before a reply is sent if people have written since the batch. A reason cancels the reply. An unasked reply is cancelled
   * without this handler.
   */
  beforeSend?(turn: Turn, news: readonly Message[], reply: Reply): Awaitable<string | void>
  /**
   * Runs after every turn, silent ones too, with the trace of the turn. Its errors are logged. A call that finds the
   * database unavailable is repeated once the database is back.
   */
  after?(turn: Turn, trace: Trace): Awaitable<void>
}

/** The name of a stage. */
export type Stage = keyof Stages

/** A dropped message: where, when and why it was dropped, without its text and its author. */
export interface Drop {
  /** The name of the platform. */
  readonly platform: string
  /** Absent for a direct conversation, because it would identify the author. */
  readonly conversation?: Conversation
  /** When it arrived. */
  readonly at: Date
  /** The plugin whose filter dropped it. Absent: `listen` in bot.config.ts. */
  readonly plugin?: string
  /** A short reason, for people. */
  readonly why: string
}

/** One call of a handler. */
export interface Call {
  /** Aborts when the deadline of the stage passes and when the bot stops. */
  readonly signal: AbortSignal
}

/** What a decider can ask for. */
export interface DecideCall {
  /** The sections of all context providers. The responders get the same. Never rejects. */
  context(): Promise<Context>
}
