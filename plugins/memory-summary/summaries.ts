/** What other plugins know of these memories: the service `Summaries`. */
import { type Conversation, type Person, type PersonKey, service } from 'kikimimi'

/** As a model wrote it, from what people said: data, to be escaped wherever it is shown. */
export interface Memory {
  /** What is going on; empty when nothing is. */
  readonly recent: string
  /** What has happened before. */
  readonly history: string
  /** When `recent` was last written. */
  readonly updatedAt?: Date
}

export interface WorkspaceMemory extends Memory {
  /** `platform/workspace`, as conversation ids begin. */
  readonly workspace: string
}

export interface ThreadMemory extends Memory {
  /** The id of the conversation. */
  readonly id: string
}

export interface ChannelMemory extends Memory {
  /** The id of the conversation. */
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly visibility: Conversation['visibility']
  readonly mood: string
  readonly topics: readonly string[]
  /** Who spoke last comes first. */
  readonly activeUsers: readonly Pick<Person, 'id' | 'name'>[]
  readonly threads: readonly ThreadMemory[]
  /** Messages that are in no memory, because the model would not sum them up. */
  readonly setAside: number
}

export interface SummaryStore {
  /** What is remembered, the liveliest first, 2,000 memories at most. For whoever runs the bot: it does not ask who may read what. */
  list(): Promise<{ readonly workspaces: readonly WorkspaceMemory[]; readonly channels: readonly ChannelMemory[] }>
  /**
   * Clears every memory that may hold a person's words, and has it made again from what is left: nothing that the person
   * has said so far is read again. Returns how many were cleared. Not inside `ctx.db.transaction`.
   */
  forget(person: PersonKey): Promise<number>
}

export const Summaries = service<SummaryStore>('summaries', '@kikimimi/memory-summary')
