/** What other plugins know of the memory: the service `Facts`. */
import { type Conversation, type ForgottenPerson, type PersonKey, service } from 'kikimimi'
import type { ScoreParts } from './rank.ts'

export type { ScoreParts } from './rank.ts'

/** How long it holds. Age takes nothing off `durable` and `preference` when facts are ranked. All but `durable` are forgotten when nobody recalls them for long. */
export type FactKind = 'durable' | 'preference' | 'current' | 'event'

/** A message that a fact comes from. */
export interface FactSource {
  readonly message: string
  /** The id of who said it. */
  readonly author: string
  /** The words of the message that say it. When an edit takes them out, the source is gone. */
  readonly quote?: string
}

export interface NewFact {
  /** Where it was said: decides who may read it. */
  readonly conversation: Conversation
  /** One sentence that stands on its own. */
  readonly content: string
  /** Default `current`. */
  readonly kind?: FactKind
  /** Ids of those it is about. */
  readonly people?: readonly string[]
  /** Words that it is found by, beside those of its content. */
  readonly keywords?: readonly string[]
  /** 0…1. Default 0.8. */
  readonly confidence?: number
  /** May be brought up unasked. Default false. */
  readonly shareable?: boolean
  /** Never fades and is never swept: somebody asked for it to be remembered. Default false. */
  readonly pinned?: boolean
  readonly sources?: readonly FactSource[]
  /** When it was said. Default: now. */
  readonly at?: Date
}

export interface Fact {
  readonly id: number
  readonly content: string
  readonly kind: FactKind
  readonly people: readonly string[]
  readonly keywords: readonly string[]
  readonly confidence: number
  readonly shareable: boolean
  readonly pinned: boolean
  readonly at: Date
  /** The channel it was said in, as {@link channelOf} gives it. */
  readonly channel: string
  readonly visibility: Conversation['visibility']
  /** How often it was recalled, and when last. */
  readonly strength: number
  readonly lastRecalledAt?: Date
  /** Since when something else holds, and what. */
  readonly validTo?: Date
  readonly supersededBy?: number
  /** Since when it says what {@link FactStore.edit} made of it. */
  readonly editedAt?: Date
  readonly sources: readonly (FactSource & { readonly channel: string })[]
}

/** A message that was found. Its text is that of the message log. */
export interface FoundMessage {
  readonly id: string
  readonly channel: string
  readonly author: string
  readonly text: string
  readonly at: Date
}

export type Recalled = {
  /** Above 0; comparable within one recall only. */
  readonly score: number
  /** What the score is made of. */
  readonly parts: ScoreParts
  /** How much of the text it covers, 0…1; comparable between recalls. */
  readonly evidence: number
  /** What people are called who said it or whom it is about, by id. */
  readonly names: ReadonlyMap<string, string>
} & ({ readonly kind: 'fact'; readonly fact: Fact } | { readonly kind: 'message'; readonly message: FoundMessage })

export interface RecallQuery {
  /** Where the answer will be read: only what everybody there may read is recalled. */
  readonly conversation: Conversation
  readonly text: string
  /** The id of who asks: what is about them comes first. */
  readonly asker?: string
  /** Ids of those whom the text names, when the caller knows; else their names are looked for in it. */
  readonly named?: readonly string[]
  /** Default: the plugin's `limit`. */
  readonly limit?: number
  /** Default: the bot's clock. */
  readonly now?: Date
  /** What does not hold any more, too. Default: when the text asks for it ("before", 以前). */
  readonly history?: boolean
  /** Messages beside the facts. Default true. */
  readonly messages?: boolean
  /** Ids of messages of this channel that the reader sees anyway. */
  readonly except?: readonly string[]
  readonly signal?: AbortSignal
}

/** What finds: words, vectors, or all that a recall goes by. */
export type SearchBy = 'keyword' | 'vector' | 'both'

export interface SearchQuery extends RecallQuery {
  /** Default `both`. */
  readonly by?: SearchBy
}

/** What is put right in a fact; what is not given stays. See {@link NewFact}. */
export interface FactChange {
  readonly content?: string | undefined
  readonly kind?: FactKind | undefined
  readonly people?: readonly string[] | undefined
  readonly confidence?: number | undefined
  readonly shareable?: boolean | undefined
}

export type Edited =
  | { readonly outcome: 'edited'; readonly fact: Fact }
  /** Nothing was changed: another fact of the same place says this already. */
  | { readonly outcome: 'known' /** Of that one. */; readonly id: number }
  | { readonly outcome: 'missing' }

export interface Added {
  readonly id: number
  /** `merged`: it was known, and is believed more now. */
  readonly outcome: 'new' | 'merged'
  /** Ids of what is history since. */
  readonly superseded: readonly number[]
}

/** A person, and how much of them: without names nobody looks for those, without a time all of it is meant. */
export type Whom = PersonKey & Partial<Pick<ForgottenPerson, 'names' | 'before'>>

/** What happened in the memory: without any text. */
export interface FactEvent {
  readonly kind: 'added' | 'merged' | 'edited' | 'superseded' | 'recalled' | 'pinned' | 'forgotten' | 'swept'
  readonly ids: readonly number[]
  readonly at: Date
}

/**
 * Facts, and the messages they come from. Every method that takes a conversation sees what its readers may see, and
 * nothing else. Inside `ctx.db.transaction` only the methods that say so may be called.
 */
export interface FactStore {
  /**
   * Keeps a fact. The same content in the same place is merged: its sources are added, its confidence raised. One that
   * says a change (変更, 引っ越し, 今は, moved, now) supersedes what it contradicts: same people, overlapping words. Throws
   * ARGUMENT_INVALID for an empty or over-long content (2,000 characters) or a confidence outside 0…1.
   */
  add(fact: NewFact): Promise<Added>
  /**
   * Keeps a fact that takes the place of others, by the caller's verdict. Those stay, as history. Left alone is what its
   * readers could not both see: a private fact changes nothing elsewhere. Throws like {@link add}.
   */
  supersede(ids: readonly number[], fact: NewFact): Promise<Added>
  /**
   * What has to do with a text, best first; nothing when nothing has enough to do with it. Facts that come back grow
   * stronger, not newer. Works with keywords alone while the model for vectors is down.
   */
  recall(query: RecallQuery): Promise<readonly Recalled[]>
  /**
   * Like {@link recall}, for a command: whatever has a word in common, history too; nothing grows stronger. By vector alone it
   * throws MODEL_UNAVAILABLE while the model is down or the vectors are being made, DATABASE_UNREACHABLE while their home is.
   */
  search(query: SearchQuery): Promise<readonly Recalled[]>
  /** The facts that may be read there, newest first, 50 unless told. With `person`: about them, or said by them. */
  list(where: {
    readonly conversation: Conversation
    readonly person?: string
    readonly limit?: number
    /** How many of the newest to leave out. */
    readonly offset?: number
    readonly history?: boolean
  }): Promise<readonly Fact[]>
  /**
   * For whoever runs the bot, and for no prompt: all that is kept about a person or was said by them, wherever it was told;
   * newest first, history too.
   */
  about(person: PersonKey, page: { readonly limit: number; readonly offset?: number }): Promise<readonly Fact[]>
  /** What people are called who said these or whom they are about, by id. */
  names(facts: readonly Fact[]): Promise<ReadonlyMap<string, string>>
  /** A fact with all that it replaced and that replaced it, oldest first; nothing when there is no such fact. */
  history(id: number): Promise<readonly Fact[]>
  /**
   * Puts a fact right. Its sources and its age stay, and it goes with its person like any other. The words it was read from do
   * not bring back what it said before. Throws ARGUMENT_INVALID like {@link add}.
   */
  edit(id: number, change: FactChange): Promise<Edited>
  /** Sets or takes off the pin. Returns whether there is such a fact. */
  pin(id: number, pinned?: boolean): Promise<boolean>
  /** Deletes facts with all that hangs on them. Returns how many there were. */
  forget(ids: readonly number[]): Promise<number>
  /**
   * Deletes everything of a person: facts about them, what they said as a source, facts left without one, their messages'
   * place in the index, vectors, their name, facts that name them. The message log is the kernel's. Returns how many facts and messages went.
   */
  forgetPerson(person: Whom): Promise<{ readonly facts: number; readonly messages: number }>
  /** For the person themself: what they said, wherever, and what was said about them in public; history too. */
  export(person: PersonKey): Promise<readonly Fact[]>
  /** Deletes what has faded below `forgetBelow`, and the weakest above `maxPerChannel`. Returns how many. Runs by itself each day. */
  sweep(): Promise<number>
  /** Indexes what was said since the last time. Runs by itself after each turn. Returns how many messages. */
  index(): Promise<number>
  /** Hears of what happens in this process, until the returned function is called. */
  watch(listener: (event: FactEvent) => void): () => void
}

export const Facts = service<FactStore>('facts', '@kikimimi/facts')
