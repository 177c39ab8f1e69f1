/**
 * What the kernel itself keeps: messages, how far each conversation has been processed at, replies on their way
 * out, traces. Two homes: a database (`store/sql.ts`), and memory alone (`store/memory.ts`) for replays and
 * benchmarks. One contract suite holds for both.
 */

import type { Address, Conversation, Message, MessageEdit, ReactionChange, Trace } from '../../api/index.ts'
import type { ForgettingStore } from './erasure-store.ts'

/** A recorded message with its place in the order of recording. */
export interface Entry {
  readonly seq: number
  readonly receivedAt: Date
  readonly message: Message
}

/** What a turn needs to know about a conversation. */
export interface TurnState {
  readonly conversation: Conversation
  readonly lastReplyAt?: Date
  /**
   * The messages of the next turn, oldest first: what people have said since the last turn, without missed messages, up to the first
   * that addresses the bot.
   */
  readonly batch: readonly Entry[]
  /** `seq` up to which the conversation is processed after that turn. */
  readonly lastSeq: number
  /** Whether further messages wait for a turn. */
  readonly isFollowed: boolean
  /** When the first of all messages since the last look was received: a batch holds only the latest. */
  readonly waitingSince?: Date
  /** Working memory, oldest first, the batch included. Calls of other people that wait for their own turn are left out. */
  readonly history: readonly Message[]
  /** Whether something is on its way there: see {@link Store.unfinished}. */
  readonly unfinished: boolean
}

/** A message of a conversation. */
export interface Mark {
  readonly conversation: string
  readonly lastSeq: number
}

export interface Heard {
  readonly conversation: Conversation
  /** The id of the last message of others: the bot's own may be younger than one that it missed. Of its own, where it is alone. */
  readonly last: string
  readonly receivedAt: Date
}

/** One thing to post: a part of a text, or a reaction. */
export interface Delivery {
  readonly nonce: string
  readonly turn: string
  readonly kind: 'text' | 'reaction'
  readonly body: string
  /** The message that a text answers, or that a reaction stands under. */
  readonly target?: string
  /** The message that it answers; absent for what is said unasked, and for all parts but the first. */
  readonly answers?: string
}

export interface Unfinished extends Delivery {
  readonly state: 'pending' | 'sending'
  /** The thread that the beginning of the answer has opened. */
  readonly thread?: string
  /** When it was written down, or begun. */
  readonly at: Date
}

export interface Claim {
  readonly conversation: Conversation
  readonly turn: string
  /** The last message of the batch. */
  readonly lastSeq: number
  /** Give way when anyone, or the author of the trigger, has said something after `lastSeq` that the answer does not cover. Default: never. */
  readonly unlessNewer?: 'anyone' | 'author' | undefined
  /** The messages that the answer covers, the trigger first. Give way when one of them is gone, or says something else than it did. */
  readonly covers: readonly Pick<Message, 'id' | 'text'>[]
  readonly deliveries: readonly Delivery[]
  readonly at: Date
}

/** `taken`: another look has answered this batch. */
export type Claimed = 'mine' | 'taken' | 'newer' | 'deleted' | 'edited'

/** A message after an edit. */
export interface Edited {
  readonly message: Message
  /** It has still to be processed. */
  readonly waits: boolean
}

export interface Store {
  /**
   * Keeps a message once; false when it is there already. `also` runs in the same transaction, and only for a
   * new message: what a message causes is there if and only if the message is.
   */
  record(conversation: Conversation, message: Message, receivedAt: Date, also?: () => Promise<void>): Promise<boolean>
  /** Nothing when there is no such message. */
  edit(conversation: Conversation, message: string, edit: MessageEdit, at: Date): Promise<Edited | undefined>
  /** An edit has made the message address the bot: it gets a turn, even if later messages are processed already. */
  recall(conversation: Conversation, message: string, addressed: Address): Promise<void>
  /** The conversation is described by these values now. Nothing when there is none with its id. */
  describe(conversation: Conversation): Promise<void>
  /** The message leaves working memory and its text is gone. */
  remove(conversation: Conversation, message: string, at: Date): Promise<void>
  /** Somebody put an emoji under a message, or took it back. Nothing when there is no such message. */
  react(conversation: Conversation, message: string, change: ReactionChange): Promise<void>
  /** Whether the bot itself said this. */
  isOwn(conversation: Conversation, message: string): Promise<boolean>
  /** The last `size` messages of a conversation, oldest first, without deleted ones. */
  history(conversation: string, size: number): Promise<readonly Message[]>
  /** The conversations of a platform that were heard last, the latest first, each with its last message. */
  heard(platform: string, limit: number): Promise<readonly Heard[]>
  /** What was said there after the mark is about to be read: until it is, `heard` tells this mark. */
  beginReading(marks: readonly Heard[]): Promise<void>
  endReading(conversation: Conversation): Promise<void>
  /** The state of a conversation: messages since the last look, and up to `size` not older than `since`. */
  loadTurn(conversation: string, size: number, since: Date): Promise<TurnState | undefined>
  /** The messages with these ids in the channel of a conversation, deleted ones excepted. */
  find(conversation: Conversation, ids: readonly string[]): Promise<readonly Message[]>
  /** What people have said there after `lastSeq` and no answer covers, oldest first, the first fifty. */
  since(conversation: string, lastSeq: number): Promise<readonly Message[]>
  /** Those of the conversations where people have said something after the mark. What was missed does not count. */
  overtaken(marks: readonly Mark[]): Promise<ReadonlySet<string>>
  /** The batch up to `lastSeq` needs no answer. False when it has been processed at already. */
  markProcessed(conversation: string, lastSeq: number): Promise<boolean>
  /** Takes the batch for an answer, and writes down what will be sent. At most one claim of a batch is `mine`. */
  claim(claim: Claim): Promise<Claimed>
  /** Writes down something to send that answers no batch. `also` runs in the same transaction. */
  enqueue(conversation: Conversation, deliveries: readonly Delivery[], at: Date, also: () => Promise<void>): Promise<void>
  /** The bot said something there that answers no batch of that conversation. */
  spoke(conversation: Conversation, at: Date): Promise<void>
  /** Begins to send what is still in the state `from`; false when somebody else has begun. */
  sending(nonce: string, from: Unfinished['state'], at: Date): Promise<boolean>
  /** It was posted, as the platform's `message`: the bot has spoken in that conversation. */
  sent(nonce: string, message: string, at: Date): Promise<void>
  /** The rest of an answer belongs to the thread that its beginning has opened. */
  goOnIn(turn: string, thread: string): Promise<void>
  /** It will not be posted any more: sending failed for good, or its fate is unknown. */
  givenUp(nonce: string, state: 'failed' | 'lost'): Promise<void>
  /** What was on its way when a process died, in the order of sending. */
  unfinished(conversation: string): Promise<readonly Unfinished[]>
  keepTrace(trace: Trace): Promise<void>
  /** The latest traces, newest first. */
  traces(limit: number, conversation?: string): Promise<readonly Trace[]>
  /** Deletes what is older: messages and deliveries, and traces. */
  sweep(messagesBefore: Date, tracesBefore: Date): Promise<void>
  readonly forgetting: ForgettingStore
}
