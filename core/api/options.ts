/** Options that differ between places, and options set in the chat. */
import type { Conversation, Person } from './message.ts'
import { service } from './service.ts'

/** Options for single places. The narrower place wins: thread over channel, channel over workspace. */
export interface Overrides<O> {
  /** Options of workspaces, by id. */
  readonly workspaces?: Readonly<Record<string, O>>
  /** Options of channels, by name or id, their threads included. */
  readonly channels?: Readonly<Record<string, O>>
  /** Options of threads, by id. */
  readonly threads?: Readonly<Record<string, O>>
}

/** An option that was set in the chat or on the dashboard. */
export interface Setting {
  /** The id of a channel, as {@link channelOf} gives it, or `platform/workspace` for all its channels. A channel's own setting wins. */
  readonly place: string
  /** The name of the plugin. */
  readonly plugin: string
  /** The name of the option. */
  readonly key: string
  /** The value, as JSON. */
  readonly value: unknown
  /** The person who set it. The name is missing after an erasure of that person. */
  readonly by: Person
  /** When it was set. */
  readonly at: Date
}

/** Options set in the chat: the narrowest layer. The database keeps them; without a database, memory does. */
export interface StoredSettings {
  /**
   * Stores a setting.
   * @throws OPTIONS_INVALID for a value that the plugin's schema refuses, and for an option that is not in its `scoped`
   */
  set(setting: Omit<Setting, 'at'>): Promise<void>
  /** Removes a setting. Does nothing when there is none. */
  clear(setting: Pick<Setting, 'place' | 'plugin' | 'key'>): Promise<void>
  /** The settings of a place. Without a place: all settings. */
  list(place?: string): readonly Setting[]
}

export const StoredSettings = service<StoredSettings>('kikimimi.stored-settings')

/** An option of a plugin for one conversation, for people: its value and its source. */
export interface ExplainedOption {
  /** The name of the plugin. */
  readonly plugin: string
  /** The path of the option, such as `threshold` or `points.question`. */
  readonly option: string
  /** The value, as one writes it in bot.config.ts. Absent: no value, or redacted. */
  readonly value?: unknown
  /**
   * True: the value could be a secret and is not shown. Such an option is a text that the schema does not name and that is
   * not scoped.
   */
  readonly redacted: boolean
  /**
   * The source: `default`, `bot.config.ts`, `workspace NAME`, `channel NAME`, `thread NAME`, `set in the channel by NAME on
   * 2026-01-05`, `set in the workspace by NAME on 2026-01-05`. The day is in the time zone of the process.
   */
  readonly from: string
  /** When the value was set in the chat or on the dashboard. Absent: the value has another source. */
  readonly setAt?: Date
  /** Whether the option is scoped and can be set with `StoredSettings`. */
  readonly scoped: boolean
  /** The kind of value. `other`: a value such as `'1h'` or an object, as the schema says. */
  readonly takes: 'choice' | 'number' | 'boolean' | 'text' | 'texts' | 'other'
  /** The possible values of a `choice`. */
  readonly choices?: readonly string[]
  /** The smallest number that the schema allows. Absent: no limit. */
  readonly least?: number
  /** The largest number that the schema allows. Absent: no limit. */
  readonly most?: number
  /** True: only whole numbers. */
  readonly whole?: boolean
  /** The description in the schema. */
  readonly does?: string
}

/** The options of one plugin for each conversation. */
export interface OptionsFor {
  /**
   * The options of a conversation.
   * @param set the settings made there in the chat; the same array while they are unchanged
   * @param ignored gets each setting that no longer fits, once
   */
  (conversation: Conversation, set?: readonly Setting[], ignored?: (problem: string) => void): unknown
  /**
   * Each option in a conversation, and the source of its value.
   * @param secrets values that are never shown
   */
  explain(conversation: Conversation, set: readonly Setting[], secrets: readonly string[]): readonly ExplainedOption[]
  /** Why a value cannot be set in the chat. Nothing: it can. */
  refuses(key: string, value: unknown): string | undefined
}
