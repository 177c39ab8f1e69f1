/** The service `Summaries`, with which other plugins read the memories. */
import { type Conversation, type Person, type PersonKey, service } from 'kikimimi'

/** Text that a model wrote from messages: data, which must be escaped where it is shown. */
export interface Memory {
  /** What happens now; empty: nothing. */
  readonly recent: string
  /** What happened before. */
  readonly history: string
  /** Time of the last update of `recent`. */
  readonly updatedAt?: Date
}

export interface WorkspaceMemory extends Memory {
  /** `platform/workspace`, like the beginning of conversation ids. */
  readonly workspace: string
}

export interface ThreadMemory extends Memory {
  /** Id of the conversation. */
  readonly id: string
}

export interface ChannelMemory extends Memory {
  /** Id of the conversation. */
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly visibility: Conversation['visibility']
  readonly mood: string
  readonly topics: readonly string[]
  /** The last speaker comes first. */
  readonly activeUsers: readonly Pick<Person, 'id' | 'name'>[]
  readonly threads: readonly ThreadMemory[]
  /** Number of messages that are in no memory, because the model refused to summarise them. */
  readonly setAside: number
}

export interface SummaryStore {
  /**
   * Memories, most active first, at most 2,000. For the operator of the bot: it does not check who may read them.
   *
   * @param channel the id of a channel: only this channel with its threads, and its workspace. Default: all
   */
  list(
    channel?: string,
  ): Promise<{ readonly workspaces: readonly WorkspaceMemory[]; readonly channels: readonly ChannelMemory[] }>
  /**
   * Clears every memory that may contain words of a person. The memories are made again from other messages: earlier
   * messages of
   * this person are not read again. Returns how many were cleared. Must not be called inside `ctx.db.transaction`.
   */
  forget(person: PersonKey): Promise<number>
}

export const Summaries = service<SummaryStore>('summaries', '@kikimimi/memory-summary')
