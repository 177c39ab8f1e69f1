import type { Conversation, Platform, Reply, SendOptions, TextReply, Trace, Turn } from '../../api/index.ts'
import type { Delivery, Store } from '../../storage/store/store.ts'

/** Posts what the bot says, part by part, at most once each. */
export interface Deliverer {
  /**
   * The parts of a reply, each with a nonce. Without `answers` it is a message that is not a reply.
   * @param how of such a message: until when it waits for the platform, by default not at all, and whom it notifies
   */
  prepare(
    platform: Platform,
    conversation: Conversation,
    turn: string,
    reply: Reply,
    answers?: Answers,
    how?: Pick<SendOptions, 'until' | 'notify'>,
  ): readonly Delivery[]
  /** Posts the parts in order. A part that cannot be posted ends it. */
  send(platform: Platform, conversation: Conversation, deliveries: readonly Delivery[], signal: AbortSignal): Promise<Sent>
  /**
   * An answer that people see while it is written. It is claimed before the first words.
   * @param claim claims the batch for these deliveries. False: people see the answer when it is whole.
   */
  draft(platform: Platform, turn: Turn, claim: (deliveries: readonly Delivery[]) => Promise<boolean>, signal: AbortSignal): Draft
  /**
   * Deletes messages of the bot. Rejects when the platform refuses.
   * @param forget what becomes of each message in the log
   */
  remove(
    platform: Platform,
    conversation: Conversation,
    messages: readonly string[],
    forget: Store['remove' | 'retract'],
    signal: AbortSignal,
  ): Promise<void>
  /** Continues what an ended process began, or what the platform did not take at first. */
  resume(platform: Platform, conversation: Conversation, signal: AbortSignal): Promise<Left | undefined>
}

/** The message that a reply answers. */
export interface Answers {
  readonly message: string
  /** It addresses the bot. */
  readonly isCall: boolean
}

/** An answer that people see while it is written. */
export interface Draft {
  /** Shows the text so far, as soon as the platform takes it. Never throws. */
  show(reply: TextReply): void
  /** Shows nothing more. Resolves with whether the batch is claimed. */
  end(): Promise<boolean>
  /** The answer is whole: shows the rest of it. */
  complete(reply: TextReply): Promise<Sent>
  /** Deletes what people have seen. Resolves with when to try again, in milliseconds since the epoch, if that failed. */
  withdraw(): Promise<number | undefined>
  /** What people saw. Absent: nothing. */
  readonly shown: Trace['shown']
}

export interface Sent {
  /** The ids of the posted messages. */
  readonly ids: readonly string[]
  /** Why not all parts are posted. */
  readonly problem?: string
  /** When the rest is tried again, in milliseconds since the epoch. Absent: never. */
  readonly retryAt?: number
}

/** Parts that are not posted yet. */
export interface Left {
  /** When to continue, in milliseconds since the epoch. */
  readonly at: number
  /** The platform takes nothing there now. Otherwise another process may still be posting. */
  readonly isRefused: boolean
}
