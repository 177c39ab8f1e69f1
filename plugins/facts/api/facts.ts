/** The service `Facts`, with which other plugins use the memory. */
import { type Conversation, type ForgottenPerson, type PersonKey, service } from 'kikimimi'
import type { ReviewPage, ReviewQuery } from './review.ts'

/**
 * How long a fact holds. Age does not lower the rank of `durable` and `preference`. All kinds but `durable` are deleted if
 * they are not recalled for a long time.
 */
export type FactKind = 'durable' | 'preference' | 'current' | 'event'

/** A message that a fact comes from. */
export interface FactSource {
  readonly message: string
  /** Id of the author. */
  readonly author: string
  /** The words of the message that state the fact. If an edit removes them, the source is removed. */
  readonly quote?: string
}

export interface NewFact {
  /** The conversation in which it was said. Decides who may read the fact. */
  readonly conversation: Conversation
  /** One sentence that can be understood alone. */
  readonly content: string
  /** Default `current`. */
  readonly kind?: FactKind
  /** Ids of the people it is about. */
  readonly people?: readonly string[]
  /** Search words besides those of its content. */
  readonly keywords?: readonly string[]
  /** 0…1. Default 0.8. */
  readonly confidence?: number
  /** Whether the bot may mention it without being asked. Default false. */
  readonly shareable?: boolean
  /** The fact does not decay and is not swept, because a person asked to remember it. Default false. */
  readonly pinned?: boolean
  readonly sources?: readonly FactSource[]
  /** Time of the statement. Default: now. */
  readonly at?: Date
  /** What it says, in parts. Only facts with these three can replace others. Id of a person, or name of a thing. */
  readonly subject?: string
  /** A short key such as `lives_in`. Synonyms in the table of relations become one key. */
  readonly relation?: string
  readonly value?: string
  /** Whether the relation has one value at a time. The table of relations decides first. Default false. */
  readonly single?: boolean
  /** Since when it is true. Default: `at`, or `validTo` if that is earlier. */
  readonly validFrom?: Date
  /** Until when it is true. In the past: the fact is stored as history. Default: open. */
  readonly validTo?: Date
  /** Values by a schema of the operator. Must be JSON. */
  readonly fields?: Readonly<Record<string, unknown>>
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
  /** When it was learned: the time of its latest statement. */
  readonly at: Date
  /** Id of a person, or name of a thing. */
  readonly subject?: string
  /** A short key such as `lives_in`. */
  readonly relation?: string
  readonly value?: string
  /** Whether the relation has one value at a time. */
  readonly single: boolean
  /** Since when it is true. */
  readonly validFrom: Date
  /** When it will end. {@link Fact.validTo} is set as soon as that time has come. */
  readonly expiresAt?: Date
  /** Values by a schema of the operator. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The channel, as {@link channelOf} returns it. */
  readonly channel: string
  readonly visibility: Conversation['visibility']
  /** Number of answers that used it, and the time of the last one. */
  readonly strength: number
  readonly lastRecalledAt?: Date
  /** When it stopped being true; absent while it holds. And the fact that replaced it. */
  readonly validTo?: Date
  readonly supersededBy?: number
  /** Time of the last {@link FactStore.confirm}. */
  readonly confirmedAt?: Date
  /** Time of the last {@link FactStore.edit}. */
  readonly editedAt?: Date
  readonly sources: readonly (FactSource & { readonly channel: string })[]
}

/** A message that was found, with its text from the message log. */
export interface FoundMessage {
  readonly id: string
  readonly channel: string
  readonly author: string
  readonly text: string
  readonly at: Date
  /** The question that it answers, if one of the same place stands before it or is replied to. */
  readonly asked?: { readonly id: string; readonly author: string; readonly text: string }
}

/**
 * The terms of a score: (bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank) · time ·
 * confidence · person · answer, in this order to the last bit. Each of bm25, pairs, vector, surroundings, sitting and rerank is a share of
 * the best of this search, times its weight. question and sources add half of what another result got from bm25, pairs and
 * vector.
 */
export interface ScoreParts {
  /** Matching words, rare ones more. */
  readonly bm25: number
  /** Matching pairs of Japanese characters. */
  readonly pairs: number
  /** Common words divided by all words of both texts. Only with the ranking `classic`. */
  readonly jaccard: number
  /** Similar meaning. 0 without an embedding model. */
  readonly vector: number
  /** Matching words of the text and of the two lines before and after it, its replies and the message it replies to, as one text. */
  readonly surroundings: number
  /** For a message: from the question before it, or the question that it replies to. */
  readonly question: number
  /** For a message: how much of the text its sitting covers, which is its conversation without a pause of 30 minutes. */
  readonly sitting: number
  /** For a fact: from the messages it comes from. For a message: from the facts that come from it. */
  readonly sources: number
  /** The score of a model for reranking. 0 without one. */
  readonly rerank: number
  /** Factor of age, 0…1. */
  readonly time: number
  /** Factor of confidence: from 0.5 (uncertain) to 1 (certain); 0.7 for a message that asks. */
  readonly confidence: number
  /** 1.4 if it is about, or said by, a person whom the text names; without such a person: about or by the person who asks. Else 1. */
  readonly person: number
  /** 1.4 if the text asks for a time or a number and the result states one. Else 1. */
  readonly answer: number
}

export type Recalled = {
  /** Above 0. Comparable within one recall only. */
  readonly score: number
  /** The terms of the score. */
  readonly parts: ScoreParts
  /** Share of the text that it covers, 0…1. Comparable between recalls. */
  readonly evidence: number
  /** The probability that it answers the text, 0…1. Comparable between recalls. */
  readonly relevance: number
  /** Names of its authors and of the people it is about, by id. */
  readonly names: ReadonlyMap<string, string>
} & ({ readonly kind: 'fact'; readonly fact: Fact } | { readonly kind: 'message'; readonly message: FoundMessage })

export interface RecallQuery {
  /** The conversation of the answer. Only what its whole audience may read is recalled. */
  readonly conversation: Conversation
  readonly text: string
  /** Id of the person who asks. Facts about this person come first. */
  readonly asker?: string
  /** Ids of the people that the text names. Default: people whose names occur in the text. */
  readonly named?: readonly string[]
  /** Default: the plugin's `limit`. */
  readonly limit?: number
  /** Default: the bot's clock. */
  readonly now?: Date
  /** Whether to include facts that no longer hold. Default: if the text asks for them ("before", 以前). */
  readonly history?: boolean
  /** Whether to include messages. Default true. */
  readonly messages?: boolean
  /** Ids of messages of this channel that the reader sees anyway. */
  readonly except?: readonly string[]
  readonly signal?: AbortSignal
}

/** Search by words, by vectors, or by all signals of a recall. */
export type SearchBy = 'keyword' | 'vector' | 'both'

export interface SearchQuery extends RecallQuery {
  /** Default `both`. */
  readonly by?: SearchBy
}

/** Changes of a fact. Absent fields stay. See {@link NewFact}. */
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
  /** `merged`: the fact existed, and its confidence is higher now. */
  readonly outcome: 'new' | 'merged'
  /** Ids of the facts that became history. */
  readonly superseded: readonly number[]
  /** The batch of replacements, for {@link FactStore.undo}; absent if nothing became history. */
  readonly batch?: number
}

/**
 * A person to forget. Without `names`, facts that name the person stay; without `before`, everything of the person is
 * meant.
 */
export type Whom = PersonKey & Partial<Pick<ForgottenPerson, 'names' | 'before'>>

/** A change in the memory, without text. */
export interface FactEvent {
  readonly kind:
    | 'added'
    | 'merged'
    | 'edited'
    | 'superseded'
    | 'restored'
    | 'recalled'
    | 'pinned'
    | 'confirmed'
    | 'forgotten'
    | 'swept'
  readonly ids: readonly number[]
  readonly at: Date
}

export interface ListQuery {
  readonly conversation: Conversation
  readonly person?: string
  readonly ids?: readonly number[]
  readonly limit?: number
  /** The last fact of the page before: only older facts. */
  readonly before?: Pick<Fact, 'at' | 'id'>
  readonly history?: boolean
}

/**
 * Stores facts and their source messages. Every method with a conversation sees only what its audience may read.
 * Inside `ctx.db.transaction` only the methods that say so may be called.
 */
export interface FactStore {
  /**
   * Adds a fact. Equal content in the same place is merged: its sources are added, its confidence is raised. It replaces no
   * other fact.
   *
   * @throws ARGUMENT_INVALID for an empty or over-long content (2,000 characters) or a confidence outside 0…1
   */
  add(fact: NewFact): Promise<Added>
  /**
   * Adds a fact that replaces others, as the caller decides. Two conditions hold for each of them besides: the same subject with
   * the same single-valued relation and another value, and the same audience. The valid time decides which of the two becomes
   * history: an older statement that is learned later does. History is kept.
   *
   * @param batch the {@link Added.batch} of an earlier call, so that {@link undo} takes back both. Default: a new batch
   * @throws ARGUMENT_INVALID like {@link add}
   */
  supersede(ids: readonly number[], fact: NewFact, batch?: number): Promise<Added>
  /** Takes back all replacements of a batch, for 30 days. Returns the ids of the facts that hold again. */
  undo(batch: number): Promise<readonly number[]>
  /**
   * Memories that are relevant to a text, best first; empty if none is relevant enough. Uses keywords alone while the embedding
   * model is down.
   */
  recall(query: RecallQuery): Promise<readonly Recalled[]>
  /**
   * Like {@link recall}, for a command: returns everything with a common word, with history. By vector alone it throws MODEL_UNAVAILABLE while the model is down or vectors are being made, DATABASE_UNREACHABLE while the index is
   * unreachable.
   */
  search(query: SearchQuery): Promise<readonly Recalled[]>
  /**
   * Strengthens facts that an answer used: they are forgotten later. They do not become newer. The plugin does this itself for
   * answers with words of a fact that are not in the question.
   */
  strengthen(ids: readonly number[]): Promise<void>
  /**
   * The facts that may be read there, newest first. Default: 50. With `person`: about this person, or said by them. With
   * `ids`: of these facts alone.
   */
  list(where: ListQuery): Promise<readonly Fact[]>
  /**
   * For the operator of the bot, not for prompts: all facts about a person or said by them, from all conversations; newest
   * first, with history.
   */
  about(person: PersonKey, page: { readonly limit: number; readonly offset?: number }): Promise<readonly Fact[]>
  /**
   * For the operator of the bot, not for prompts: facts of all conversations to review, page by page.
   *
   * @throws ARGUMENT_INVALID for a `before` that no page has returned
   */
  review(query: ReviewQuery): Promise<ReviewPage>
  /** Marks current facts as true: their confidence is 1, and they fade from now on. Returns how many exist. */
  confirm(ids: readonly number[]): Promise<number>
  /** Names of the authors of these facts and of the people they are about, by id. */
  names(facts: readonly Fact[]): Promise<ReadonlyMap<string, string>>
  /** A fact with all facts that it replaced and that replaced it, oldest first; empty if the fact does not exist. */
  history(id: number): Promise<readonly Fact[]>
  /**
   * Edits a fact. Its sources and its age stay, and it is forgotten with its person like others. Reading its source again
   * does
   * not restore the old text. Throws RangeError like {@link add}.
   */
  edit(id: number, change: FactChange): Promise<Edited>
  /** Sets or removes the pin. Returns whether the fact exists. */
  pin(id: number, pinned?: boolean): Promise<boolean>
  /** Deletes facts with all dependent data. Returns how many existed. */
  forget(ids: readonly number[]): Promise<number>
  /**
   * Deletes all data of a person: facts about them, their messages as sources, facts left without a source, their messages
   * in
   * the index, vectors, their name, facts that name them. The message log belongs to the kernel. Returns how many facts and
   * messages were deleted.
   */
  forgetPerson(person: Whom): Promise<{ readonly facts: number; readonly messages: number }>
  /**
   * The export for the person: their own statements from all conversations, and public statements about them; with history.
   */
  export(person: PersonKey): Promise<readonly Fact[]>
  /**
   * Deletes facts that have decayed below `forgetBelow`, and the weakest above `maxPerChannel`. Returns how many. Runs
   * daily.
   */
  sweep(): Promise<number>
  /** Indexes new messages. Runs after each turn. Returns how many messages. After the signal aborts, the rest waits for the next call. */
  index(signal?: AbortSignal): Promise<number>
  /** Calls the listener for each event in this process, until the returned function is called. */
  watch(listener: (event: FactEvent) => void): () => void
}

export const Facts = service<FactStore>('facts', '@kikimimi/facts')
