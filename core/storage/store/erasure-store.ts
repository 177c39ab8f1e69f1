/** What forgetting somebody asks of the kernel's store. Two homes, like the rest of it. */
import type { CapturedPrompt, ForgottenPerson, MessagePart, Person, PersonKey, Reaction, Trace } from '../../api/index.ts'

/** A person who asked for erasure, until it is done. */
export interface Forgetting extends ForgottenPerson {
  readonly number: number
  /** When the clearing of the log began. */
  readonly beganAt?: Date
  readonly clearedAt?: Date
  /** The number of failed attempts. */
  readonly attempts: number
}

export interface KeptMessage {
  readonly seq: number
  readonly text: string
  readonly mentions: readonly Person[]
  readonly reactions: readonly Reaction[]
  readonly parts: readonly MessagePart[]
}

/** Where most words about a person are found at once. */
export interface Near {
  /** By `seq`: messages that follow theirs, answer them, mention them, or have their reaction. */
  readonly messages: readonly number[]
  /** The conversations in which they wrote. */
  readonly conversations: readonly string[]
}

/** Whose messages: of the person, deleted ones included; of the bot; of all others. */
export type Whose = 'person' | 'bot' | 'others'

export interface KeptTrace {
  readonly turn: string
  readonly trace: Trace
}

/** The captured prompts of a turn. */
export interface KeptPrompts {
  readonly turn: string
  readonly prompts: readonly CapturedPrompt[]
}

export interface KeptDelivery {
  readonly nonce: string
  /** The text that will be sent. */
  readonly body: string | null
  /** True: it answers a message of the person. */
  readonly theirs: boolean
}

/**
 * The reads return pages: each begins after the last row of the previous one; an empty page is the last. All rows are of
 * one platform, received until `before`.
 */
export interface ForgettingStore {
  /** Stores the request of a person. `also` runs in the same transaction. */
  ask(person: PersonKey, before: Date, also: (number: number) => Promise<void>): Promise<void>
  asked(): Promise<readonly Forgetting[]>
  /** By the id of the person, until when their messages are erased or will be. People who never asked for it are absent. */
  erased(platform: string, people: readonly string[]): Promise<ReadonlyMap<string, Date>>
  find(number: number): Promise<Forgetting | undefined>
  failed(number: number): Promise<void>
  /**
   * Begins an attempt, which ends with `cleared` or `failed`. Collects and stores the names of the person, because the log
   * will not have them later.
   */
  gatherNames(forgetting: Forgetting): Promise<readonly string[]>
  began(number: number, at: Date): Promise<void>
  /** False when the person has asked again meanwhile: then the erasure begins again. */
  cleared(forgetting: Forgetting, at: Date): Promise<boolean>
  done(forgetting: Forgetting): Promise<boolean>

  /** What is near the person. Undefined: the log is so short that all of it is searched at once. */
  near(forgetting: Forgetting): Promise<Near | undefined>
  /** Keeps the words of messages of the person that are about to be erased, until the erasure is done. */
  keepWords(seqs: readonly number[], forgetting: Forgetting): Promise<void>
  /** The words that were kept. */
  keptWords(forgetting: Forgetting, after: number): Promise<readonly Pick<KeptMessage, 'seq' | 'text' | 'parts'>[]>

  /** @param among only these, by `seq` */
  messages(whose: Whose, forgetting: Forgetting, after: number, among?: readonly number[]): Promise<readonly KeptMessage[]>
  /** How many of the bot's messages there are. */
  countOwn(forgetting: Forgetting): Promise<number>
  /** The bot's messages that answer the person. */
  answers(forgetting: Forgetting): Promise<readonly number[]>
  /** The bot's messages since a time, each with its turn. */
  saidSince(forgetting: Forgetting, at: Date): Promise<readonly { readonly seq: number; readonly turn: string }[]>
  /** Changes messages. No write can come between its reading and writing. Returns the number of changed messages. */
  rewrite(seqs: readonly number[], change: (message: KeptMessage) => KeptMessage): Promise<number>
  /**
   * Keeps only the id of messages: the platform can deliver a message again, live or by catch-up, and the bot then still
   * knows it.
   */
  erase(seqs: readonly number[], forgetting: Forgetting, at: Date): Promise<void>

  /** The turns that read a message of the person. */
  turns(forgetting: Forgetting): Promise<readonly string[]>
  traces(forgetting: Forgetting, after: string): Promise<readonly KeptTrace[]>
  /** Those of `turns` go with them. */
  prompts(forgetting: Forgetting, after: string): Promise<readonly KeptPrompts[]>
  dropPrompts(turns: readonly string[]): Promise<void>
  dropTraces(turns: readonly string[]): Promise<void>
  /** Those that answer or quote a message of the person, and all that are not finished. */
  deliveries(forgetting: Forgetting, after: string): Promise<readonly KeptDelivery[]>
  dropDeliveries(nonces: readonly string[]): Promise<void>
  /** Direct conversations, which have names of people. */
  directs(
    forgetting: Forgetting,
    conversations?: readonly string[],
  ): Promise<readonly { readonly id: string; readonly name: string }[]>
  unname(conversations: readonly string[]): Promise<void>
  /** Topics and names of threads may hold words of the person. The next message of a conversation brings its details again. */
  dropDetails(forgetting: Forgetting, conversations?: readonly string[]): Promise<void>
}
