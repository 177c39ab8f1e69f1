/**
 * The kernel's own data: messages, how far each conversation has been processed, deliveries, traces. There are two
 * implementations with one contract suite: a database (`store/sql.ts`), and memory (`store/memory.ts`) for replays and
 * benchmarks.
 */

import type {
  Address,
  Conversation,
  Message,
  MessageEdit,
  MessageSource,
  Person,
  ReactionChange,
  Trace,
} from '../../api/index.ts'
import type { ForgettingStore } from './erasure-store.ts'
import type { TurnStore, Wait } from './turn-store.ts'

/** A recorded message with its place in the order of recording. */
export interface Entry {
  readonly seq: number
  readonly receivedAt: Date
  readonly message: Message
}

/** The data that a turn needs of a conversation. */
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
  /** The messages after the batch that wait for a turn. `call`: one of them addresses the bot. */
  readonly followedBy?: 'call' | 'talk'
  /** When the first of all messages since the last look was received: a batch holds only the latest. */
  readonly waitingSince?: Date
  /** Working memory, oldest first, the batch included. Calls of other people that wait for their own turn are left out. */
  readonly history: readonly Message[]
  /** Whether the conversation has unfinished deliveries: see {@link Store.unfinished}. */
  readonly unfinished: boolean
  /** The call has an answer, which is replaced. */
  readonly revises?: { readonly how: Revision; readonly turn: string }
}

/** A position in a conversation. */
export interface Mark {
  readonly conversation: string
  readonly lastSeq: number
}

export interface Heard {
  readonly conversation: Conversation
  /**
   * The id of the last message of others, because the bot's own can be newer than a missed one. The bot's own if there is
   * no other.
   */
  readonly last: string
  readonly receivedAt: Date
}

/** One thing to post: a part of a text, or a reaction. */
export interface Delivery {
  readonly nonce: string
  readonly turn: string
  readonly kind: 'text' | 'reaction'
  readonly body: string
  /** The message that a text quotes, or to which a reaction is added. */
  readonly target?: string
  /** The message that it answers. Absent for an unasked message, and for all parts except the first. */
  readonly answers?: string
  /** The latest time at which it is still sent. */
  readonly until?: Date
  /** True: people see it while it is written. What is posted can have another text. */
  readonly isDraft?: true
  /** The message that it is posted as. Its text becomes `body` by an edit. */
  readonly message?: string
  /** The thread of that message, if it is not that of the conversation. */
  readonly thread?: string
  /** True: its message has the buttons of answers. */
  readonly hasHandles?: true
  /** The people whom its message notifies. */
  readonly notify?: readonly Person[]
}

export interface Unfinished extends Delivery {
  /**
   * - `pending`: nothing of it has been sent.
   * - `sending`: its sending has begun, and whether it is posted is unknown.
   * - `writing`: a draft, which may be posted.
   * - `unwanted`: it may be posted, and has to be deleted.
   */
  readonly state: 'writing' | 'pending' | 'sending' | 'unwanted'
  /** When it is tried again. Absent: at once. */
  readonly retryAt?: Date
  /** When it was stored, or when its last sending began. */
  readonly at: Date
  /** When its first sending began. */
  readonly begun?: Date
}

/** How a call is answered again. */
export type Revision = 'again' | 'shorter'

/** An answer to a call. */
export interface SentAnswer {
  readonly turn: string
  /** The id of the conversation of the turn. */
  readonly conversation: string
  /** The thread that the answer opened. */
  readonly thread?: string
  /** The messages of the answer, in order. */
  readonly messages: readonly string[]
  readonly text: string
  /** The author of the call. Absent: the call is gone, or nobody called. */
  readonly asker?: string
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

/** `taken`: another turn has answered this batch. `readers`: other people read the conversation than when the turn was loaded. */
export type Claimed = 'mine' | 'taken' | 'newer' | 'deleted' | 'edited' | 'readers'

/** A message after an edit. */
export interface Edited {
  readonly message: Message
  /** It has still to be processed. */
  readonly waits: boolean
}

/** A message that was not known. */
export interface Recorded {
  /** When the next turn of its conversation is due. Absent: it was recorded without a turn. */
  readonly dueAt?: Date
}

export interface Store {
  /**
   * Stores a message once; false when it is known already. `also` runs in the same transaction, only for a new message: its
   * effects are stored if and only if the message is.
   */
  record(conversation: Conversation, message: Message, receivedAt: Date, also?: () => Promise<void>): Promise<boolean>
  /** Stores a message once, and that it waits for a turn. Nothing when it is known already. */
  receive(conversation: Conversation, message: Message, receivedAt: Date, wait: Wait): Promise<Recorded | undefined>
  /**
   * Nothing when there is no such message, or when it is the bot's own: the bot knows what it wrote. What else its message shows can
   * change, such as the votes of its poll.
   */
  edit(conversation: Conversation, message: string, edit: MessageEdit, at: Date): Promise<Edited | undefined>
  /** The bot's own message says something else now. */
  rewrite(conversation: Conversation, message: string, text: string, at: Date): Promise<void>
  /**
   * An edit has changed how the message addresses the bot; nothing: not any more. A new call gets a turn, even if later messages are
   * processed already.
   * @param refused why a call in it is none: see {@link Message.refused}
   */
  readdress(conversation: Conversation, message: string, addressed: Address | undefined, refused?: string): Promise<void>
  /** The conversation is described by these values now. Nothing when there is none with its id. */
  describe(conversation: Conversation): Promise<void>
  /** The message leaves working memory and its text is gone. A message that is not recorded yet will not be recorded. */
  remove(conversation: Conversation, message: string, at: Date): Promise<void>
  /**
   * The bot replaces its message by others: it leaves working memory, and what was made of it stays. A message that is not recorded
   * yet will not be recorded.
   */
  retract(conversation: Conversation, message: string, at: Date): Promise<void>
  /** Adds or removes a reaction. Does nothing for an unknown message. */
  react(conversation: Conversation, message: string, change: ReactionChange): Promise<void>
  /** Whether the message is the bot's own. */
  isOwn(conversation: Conversation, message: string): Promise<boolean>
  /** The last `size` messages of a conversation, oldest first, without deleted ones. */
  history(conversation: string, size: number): Promise<readonly Message[]>
  /** The conversations of a platform with the newest messages, newest first, each with its last message. */
  heard(platform: string, limit: number): Promise<readonly Heard[]>
  /** Stores that the messages after these marks are about to be read. Until `endReading`, `heard` returns the mark. */
  beginReading(marks: readonly Heard[]): Promise<void>
  endReading(conversation: Conversation): Promise<void>
  /**
   * Stores that a message of each conversation is not recorded, unless an earlier one is stored: the last recorded message before `at`
   * is the mark. Returns the conversations that have a mark now; another one has no message before.
   */
  markUnread(gaps: readonly { readonly conversation: string; readonly at: Date }[]): Promise<ReadonlySet<string>>
  /**
   * Stores that the messages since a time are to be read in each conversation, also without a recorded message. An earlier time that is
   * stored stays.
   */
  beginReadingSince(platform: string, gaps: readonly { readonly conversation: string; readonly at: Date }[]): Promise<void>
  endReadingSince(conversation: Conversation): Promise<void>
  /** The times of `beginReadingSince`, by conversation. */
  readingSince(platform: string): Promise<ReadonlyMap<string, Date>>
  /** The marks of a platform, by the id of the conversation, after an id. */
  unread(platform: string, limit: number, after: string): Promise<readonly Heard[]>
  /** The state of a conversation: messages since the last turn, and up to `size` not older than `since`. */
  loadTurn(conversation: string, size: number, since: Date): Promise<TurnState | undefined>
  /** The messages with these ids in the channel of a conversation, deleted ones excepted. */
  find(conversation: Conversation, ids: readonly string[]): Promise<readonly Message[]>
  /** Which of these messages of the channel are recorded, deleted ones included, or are not to be remembered. */
  known(conversation: Conversation, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** What people have said there after `lastSeq` and no answer covers, oldest first, the first fifty. */
  since(conversation: string, lastSeq: number): Promise<readonly Message[]>
  /** The conversations in which people have written after the mark. Missed messages do not count. */
  overtaken(marks: readonly Mark[]): Promise<ReadonlySet<string>>
  /** Marks the batch up to `lastSeq` as processed without an answer. False when it is processed already. */
  markProcessed(conversation: string, lastSeq: number): Promise<boolean>
  /** Claims the batch for an answer, and stores the deliveries. At most one claim of a batch is `mine`. */
  claim(claim: Claim): Promise<Claimed>
  /**
   * Stores deliveries that answer no batch, and what they are made from. `also` runs in the same transaction.
   * @throws SEND_FAILED when a person reads the conversation who does not according to `conversation`
   * @throws SOURCES_LOST when a source is deleted, left out or of a person who is being forgotten, or has changed since `at`
   */
  enqueue(
    conversation: Conversation,
    deliveries: readonly [Delivery, ...Delivery[]],
    at: Date,
    sources: readonly MessageSource[],
    also: () => Promise<void>,
  ): Promise<void>
  /** Stores that the bot posted a message that answers no batch of that conversation. */
  spoke(conversation: Conversation, at: Date): Promise<void>
  /** Begins the sending of a delivery in the state `from`. False when another process has begun it. */
  sending(nonce: string, from: Unfinished['state'], at: Date): Promise<boolean>
  /** Stores that a draft is being written or sent, and the message that it is posted as. False when it is not wanted any more. */
  writing(nonce: string, message: string | undefined, at: Date): Promise<boolean>
  /** A draft is whole: it is `first` now, with these further parts. False when it is not wanted any more. */
  complete(first: Delivery & Pick<Unfinished, 'state'>, rest: readonly Delivery[], at: Date): Promise<boolean>
  /** What may be posted of a delivery has to be deleted. */
  withdraw(nonce: string, at: Date): Promise<void>
  /** A delivery is sent as a new message, with another nonce. What is posted of it has to be deleted, as a delivery of its own. */
  renew(nonce: string, to: string, at: Date): Promise<void>
  /**
   * The calls that a turn claimed wait for an answer again. False when there are none.
   * @param revise how the answer differs from the one that they have
   */
  reopen(conversation: Conversation, turn: string, revise?: Revision): Promise<boolean>
  /** The answer that a message of the bot belongs to, or that a turn sent. */
  answer(
    conversation: Conversation,
    by: { readonly message: string } | { readonly turn: string },
  ): Promise<SentAnswer | undefined>
  /** Stores that the delivery was posted as `message`, and that the bot has spoken in that conversation. */
  sent(nonce: string, message: string, at: Date): Promise<void>
  /** Stores the thread that the first part of an answer has opened. The other parts belong to it. */
  goOnIn(turn: string, thread: string): Promise<void>
  /** Gives up a delivery: sending failed for good, or its result is unknown. */
  giveUp(nonce: string, state: 'failed' | 'lost'): Promise<void>
  /** A delivery is tried again at a time. `state`: as in {@link Unfinished}. */
  postpone(nonce: string, state: Unfinished['state'], retryAt: Date): Promise<void>
  /** Stores how a turn of the conversation ended whose answer was postponed. False: the turn has no trace. */
  ended(conversation: Conversation, turn: string, end: Pick<Trace, 'outcome' | 'sent' | 'why'>): Promise<boolean>
  /** The deliveries that a dead process left or that are tried again, in the order of sending. */
  unfinished(conversation: string): Promise<readonly Unfinished[]>
  /** Stores the trace of a turn, and with it that its batch is processed up to `processed`. */
  keepTrace(trace: Trace, processed?: number): Promise<void>
  /** The latest traces, newest first. */
  traces(limit: number, conversation?: string): Promise<readonly Trace[]>
  /** Deletes older data: messages and deliveries, and traces. */
  sweep(messagesBefore: Date, tracesBefore: Date): Promise<void>
  /** Deletes captured prompts of turns before a time. Returns the time of the oldest one that is left. */
  sweepPrompts(before: Date): Promise<Date | undefined>
  readonly forgetting: ForgettingStore
  readonly turns: TurnStore
}
