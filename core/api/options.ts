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

/** What a person saw before a change. The bot refuses the change with SETTINGS_CHANGED when the setting has changed since. */
export interface SeenSetting {
  /** `at` of the setting; null when there was none. Absent: the change is made in any case. */
  readonly seen?: Date | null | undefined
}

/** Options set in the chat: the narrowest layer. The database keeps them; without a database, memory does. */
export interface StoredSettings {
  /**
   * Stores a setting.
   * @throws OPTIONS_INVALID for a value that the plugin's schema refuses, and for an option that is not in its `scoped`;
   * SETTINGS_CHANGED
   */
  set(setting: Omit<Setting, 'at'> & SeenSetting): Promise<void>
  /** Removes a setting. Does nothing when there is none. @throws SETTINGS_CHANGED */
  clear(setting: Pick<Setting, 'place' | 'plugin' | 'key'> & SeenSetting): Promise<void>
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
   * The source: `default`, `bot.config.ts`, `bot.settings.json`, `workspace NAME`, `channel NAME`, `thread NAME`, `set in the channel by
   * NAME on 2026-01-05`, `set in the workspace by NAME on 2026-01-05`. The day is in the time zone of the process.
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

/** A value of bot.config.ts that bot.settings.json may replace, for a form. */
export interface SettableOption
  extends Pick<ExplainedOption, 'value' | 'redacted' | 'takes' | 'choices' | 'least' | 'most' | 'whole' | 'does'> {
  /** The keys that lead to it in bot.settings.json: `['plugins', 'judge-rules', 'options', 'threshold']`. */
  readonly path: readonly string[]
  /** Where the value comes from. `environment`: from a variable of the environment. */
  readonly from: 'default' | 'bot.config.ts' | 'bot.settings.json' | 'environment'
  /** Why it cannot be set in bot.settings.json. Absent: it can. */
  readonly why?: string
  /** Why it has no effect in the running bot. Absent: it has one. */
  readonly unused?: string
}

/** A plugin that bot.config.ts lists, for a form. */
export interface SettablePlugin {
  /** The name of the plugin. */
  readonly name: string
  /** False: bot.settings.json turns it off. */
  readonly enabled: boolean
  /** Its options that apply everywhere. */
  readonly options: readonly SettableOption[]
  /** Its prompts, of a running plugin: the name, the locale, and where the text comes from. */
  readonly prompts: readonly SettablePrompt[]
}

/** A prompt of a plugin. */
export interface SettablePrompt {
  /** The name of its file, without `.md`. */
  readonly name: string
  /** The language of the text. */
  readonly locale: string
  /** The text in Markdown, with its `{{values}}`. */
  readonly text: string
  /** Whether bot.settings.json gives it. */
  readonly fromFile: boolean
}

/** The kinds of places that can have options of their own. */
export type PlaceKind = keyof Overrides<unknown>

/** bot.settings.json of a running bot, and what it may hold. */
export interface SettingsState {
  /** The path of the file. */
  readonly file: string
  /** Of the content that was read. Absent: it could not be read. */
  readonly version?: string
  /** Why nothing can be changed, and what to do. Absent: it can. */
  readonly problem?: string
  /** The settings of the bot itself. */
  readonly settings: readonly SettableOption[]
  /** Each plugin that bot.config.ts lists, in its order. */
  readonly plugins: readonly SettablePlugin[]
  /** Plugins that the file has values for, and that bot.config.ts does not list now. */
  readonly unused: readonly string[]
}

/** One changed value of bot.settings.json. */
export interface SettingsChange {
  /** The keys that lead to the value. */
  readonly path: readonly string[]
  /** The value as JSON; `null`: the default, whatever bot.config.ts says. Absent: the value of bot.config.ts applies again. */
  readonly value?: unknown
  /** The value that the file must have before; without `value` none. Default: any. */
  readonly was?: { readonly value?: unknown }
}

/** Reads and changes bot.settings.json, whose values replace those of bot.config.ts. */
export interface BotSettings {
  /** Never a secret. */
  state(): Promise<SettingsState>
  /** The scoped options of all plugins in one place. */
  inPlace(kind: PlaceKind, name: string): Promise<readonly SettableOption[]>
  /** Places that have options in the file: those whose name contains the text, 50 at most, and the number of all places. */
  places(text: string): Promise<{ readonly found: readonly { kind: PlaceKind; name: string }[]; readonly all: number }>
  /**
   * Checks and applies the changes, and writes the file. After an error nothing has changed.
   *
   * @param version of the content that the person saw
   * @returns the value before and after each change: absent, if the file has none
   * @throws SETTINGS_CHANGED if the file has another content now
   * @throws SETTINGS_READ_ONLY if the file cannot be written
   * @throws CONFIG_BROKEN, CONFIG_INVALID, OPTIONS_INVALID and what a reload throws
   */
  change(version: string, changes: readonly SettingsChange[]): Promise<readonly AppliedChange[]>
}

/** A change of bot.settings.json that was made. */
export interface AppliedChange {
  /** The keys that lead to the value. */
  readonly path: readonly string[]
  /** The value before. Absent: the file had none. */
  readonly before?: unknown
  /** The value now. Absent: the file has none. */
  readonly after?: unknown
}

export const BotSettings = service<BotSettings>('kikimimi.bot-settings')

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
