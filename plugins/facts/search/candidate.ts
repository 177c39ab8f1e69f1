/** What the ranking knows of a text and of a question. */

export interface Candidate {
  readonly id: number
  readonly kind: 'fact' | 'message'
  readonly at: Date
  /** Token ids, with repetitions. */
  readonly tokens: Int32Array
  readonly words: number
  /** Whether age does not lower it: a durable fact, a preference, or a pinned fact. */
  readonly lasting: boolean
  /** 0…1. For a message: 1, or {@link ASKS} for a question. */
  readonly confidence: number
  /** Ids of the people it is about, or of its author. */
  readonly people: readonly string[]
  /** Similarity to the question, if both have a vector: 1 for equal, 0 for unrelated texts. */
  readonly similarity?: number
  /** For a message: where it was said. */
  readonly said?: Said
  /** For a fact: ids of the messages that it comes from. */
  readonly sources?: readonly number[]
}

export interface Said {
  /** The sitting: messages of one conversation without a long pause. */
  readonly sitting: number
  /** Its place in the sitting. */
  readonly line: number
  /** Whether it ends with a question mark. */
  readonly asks: boolean
  /** Id of the message that it replies to. */
  readonly answers?: number
}

export interface Question {
  /** Token ids of the question with their weights: rare ones more. */
  readonly tokens: ReadonlyMap<number, number>
  /** Whether the question has a vector. */
  readonly byVector: boolean
  /** Trust in the vectors, 0…1: see agreement.ts. */
  readonly trust: number
  /** The mean length of items in the index, in words. */
  readonly meanWords: number
  /** Ids of the people that the question names, or else of the person who asks. */
  readonly about: ReadonlySet<string>
  /** Marks of what the question asks for: see answers.ts. */
  readonly wants: ReadonlySet<number>
  readonly now: Date
}
