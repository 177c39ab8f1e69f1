/** What forgetting somebody asks of the kernel's store. Two homes, like the rest of it. */
import type { ForgottenPerson, MessagePart, Person, PersonKey, Reaction, Trace } from '../../api/index.ts'

/** Somebody who asked to be forgotten, until it is done. */
export interface Forgetting extends ForgottenPerson {
  readonly number: number
  /** When the clearing of the log began, and when it was done. */
  readonly beganAt?: Date
  readonly clearedAt?: Date
  /** That failed. */
  readonly attempts: number
}

export interface KeptMessage {
  readonly seq: number
  readonly text: string
  readonly mentions: readonly Person[]
  readonly reactions: readonly Reaction[]
  readonly parts: readonly MessagePart[]
}

/** Whose messages: the person's, with those deleted already; the bot's own; of everybody else. */
export type Whose = 'person' | 'bot' | 'others'

export interface KeptTrace {
  readonly turn: string
  readonly trace: Trace
  /** A message of theirs was among those that it processed at. */
  readonly theirs: boolean
}

export interface KeptDelivery {
  readonly nonce: string
  /** What will be sent. */
  readonly body: string | null
  /** It answers a message of theirs. */
  readonly theirs: boolean
}

/** Each page begins after the last row of the one before; an empty one is the last. All of it is of one platform, and received until `before`. */
export interface ForgettingStore {
  /** Writes down that somebody asks to be forgotten. `also` runs in the same transaction. */
  ask(person: PersonKey, before: Date, also: (number: number) => Promise<void>): Promise<void>
  asked(): Promise<readonly Forgetting[]>
  find(number: number): Promise<Forgetting | undefined>
  failed(number: number): Promise<void>
  /** A try begins, which ends with `cleared` or `failed`. Gathers what they were called, and keeps it: the log will not tell it any more. */
  gatherNames(forgetting: Forgetting): Promise<readonly string[]>
  began(number: number, at: Date): Promise<void>
  /** False when they have asked again meanwhile: then it begins anew. */
  cleared(forgetting: Forgetting, at: Date): Promise<boolean>
  done(forgetting: Forgetting): Promise<boolean>

  messages(whose: Whose, forgetting: Forgetting, after: number): Promise<readonly KeptMessage[]>
  /** The bot's messages that answered them. */
  answers(forgetting: Forgetting): Promise<readonly number[]>
  /** What the bot has said since a time, with the turn that it said it in. */
  saidSince(forgetting: Forgetting, at: Date): Promise<readonly { readonly seq: number; readonly turn: string }[]>
  /** Nothing may come between reading and writing. Returns how many were changed. */
  rewrite(seqs: readonly number[], change: (message: KeptMessage) => KeptMessage): Promise<number>
  /**
   * Leaves of messages that there was one: the platform may hand it in again, now or when what was missed is read, and it
   * is still known.
   */
  erase(seqs: readonly number[], forgetting: Forgetting, at: Date): Promise<void>

  traces(forgetting: Forgetting, after: string): Promise<readonly KeptTrace[]>
  dropTraces(turns: readonly string[]): Promise<void>
  deliveries(forgetting: Forgetting, after: string): Promise<readonly KeptDelivery[]>
  dropDeliveries(nonces: readonly string[]): Promise<void>
  /** Direct conversations, which are called like people. */
  directs(forgetting: Forgetting): Promise<readonly { readonly id: string; readonly name: string }[]>
  unname(conversations: readonly string[]): Promise<void>
  /** Topics and names of threads may hold words of the person. The next message of a conversation brings its details again. */
  dropDetails(forgetting: Forgetting): Promise<void>
}
