/** Options that differ from place to place, and those that people set in the chat. */
import type { Conversation, Person } from './message.ts'
import { service } from './service.ts'

/** Options for some places. The narrower wins: a thread's over its channel's, a channel's over its workspace's. */
export interface Overrides<O> {
  /** By id. */
  readonly workspaces?: Readonly<Record<string, O>>
  /** By name or id; with their threads. */
  readonly channels?: Readonly<Record<string, O>>
  /** By id. */
  readonly threads?: Readonly<Record<string, O>>
}

/** An option that was set in the chat or on the dashboard. */
export interface Setting {
  /** The id of a channel, as {@link channelOf} gives it. */
  readonly place: string
  /** The name of the plugin. */
  readonly plugin: string
  /** The name of the option. */
  readonly key: string
  /** The value, as JSON. */
  readonly value: unknown
  /** Who set it; without a name once they are forgotten. */
  readonly by: Person
  /** When it was set. */
  readonly at: Date
}

/** Options that were set in the chat: the narrowest of all layers, kept in the bot's database, or in memory where there is none. */
export interface StoredSettings {
  /** Throws OPTIONS_INVALID for what the plugin's schema refuses, and for an option that is not among its `scoped`. */
  set(setting: Omit<Setting, 'at'>): Promise<void>
  /** Removes a setting. Nothing happens when there is none. */
  clear(setting: Pick<Setting, 'place' | 'plugin' | 'key'>): Promise<void>
  /** The settings of a place, or all. */
  list(place?: string): readonly Setting[]
}

export const StoredSettings = service<StoredSettings>('kikimimi.stored-settings')

/** An option of a plugin where a conversation is, for people: what it says, and who says so. */
export interface ExplainedOption {
  /** The name of the plugin. */
  readonly plugin: string
  /** The path of the option, such as `threshold` or `points.question`. */
  readonly option: string
  /** As one writes it in bot.config.ts. Absent where nothing is said, and where it is redacted. */
  readonly value?: unknown
  /** It could be a secret: a text that the schema does not name, in an option that is the same everywhere. */
  readonly redacted: boolean
  /** `default`, `bot.config.ts`, `workspace NAME`, `channel NAME`, `thread NAME`, `set in the channel by NAME on 2026-01-05`. */
  readonly from: string
  /** Whether it can differ from place to place, and be set with `StoredSettings`. */
  readonly scoped: boolean
  /** The kind of value; `other`: as the schema says, such as `'1h'` or an object. */
  readonly takes: 'choice' | 'number' | 'boolean' | 'text' | 'texts' | 'other'
  /** For a `choice`. */
  readonly choices?: readonly string[]
  /** For a `number`. */
  readonly least?: number
  /** The largest number that the schema allows. Absent: no limit. */
  readonly most?: number
  /** True: only whole numbers. */
  readonly whole?: boolean
  /** What it does, in the words of the schema. */
  readonly does?: string
}

/** The options of one plugin, conversation by conversation. */
export interface OptionsFor {
  /**
   * @param set what was set there in the chat; the same array as long as it says the same
   * @param ignored hears of each setting that no longer fits, once
   */
  (conversation: Conversation, set?: readonly Setting[], ignored?: (problem: string) => void): unknown
  /**
   * Each option there, and where its value comes from.
   *
   * @param secrets what must not be told, wherever it stands
   */
  explain(conversation: Conversation, set: readonly Setting[], secrets: readonly string[]): readonly ExplainedOption[]
  /** Why a value cannot be set in the chat; nothing when it can. */
  refuses(key: string, value: unknown): string | undefined
}
