/** The service `Profiles`, with which other plugins use the profiles. */
import { type Conversation, type MessageSource, type PersonKey, service } from 'kikimimi'

/** By the number of messages: 0–5, 6–30, 31–100, more. The options change these numbers. */
export type Familiarity = 'stranger' | 'acquaintance' | 'regular' | 'close'

/** A note about a person from one conversation. It is shown only where that conversation may be read. */
export interface ProfileNote {
  /** One or two words each: what the person likes, does, knows about. */
  readonly tags?: readonly string[]
  /** The personality, in one or two sentences. */
  readonly personality?: string
  /** The topic of the last conversation, in one sentence. */
  readonly lastConversation?: string
}

/** All messages of a conversation between two numbers `seq` of the log, both included. */
export type MessageRange = Extract<MessageSource, { readonly conversation: string }>

/** The messages that a note was made from. */
export interface NoteOrigin {
  readonly sources: readonly MessageRange[]
  /** Time at which they were read. A note about a person who was erased since is discarded. */
  readonly readAt: Date
}

/** A person, as the audience of one conversation may know them. */
export interface Profile extends ProfileNote {
  readonly person: PersonKey
  /** The latest name. */
  readonly name: string
  /** Number of messages in all conversations. It does not show in which. */
  readonly messages: number
  /** Number of messages that address the bot by a mention, a reply or its name, in all conversations. */
  readonly mentions: number
  readonly familiarity: Familiarity
  readonly lastSeenAt: Date
  /** Channels of the person, most active first. A private thread counts for its channel. */
  readonly channels: readonly { readonly id: string; readonly name: string; readonly messages: number }[]
  /** Words of the last ended conversation, the most frequent first. */
  readonly topics: readonly string[]
  /** The messages that the topics and the notes were made from. A prompt with them names these as its {@link Section.sources}. */
  readonly sources: readonly MessageRange[]
}

/** What is known of a person from facts, for the readers of one realm. */
export interface Card {
  /** `platform/workspace` for what is public there, otherwise the id of the channel or thread. */
  readonly realm: string
  readonly madeAt: Date
  readonly lines: readonly string[]
}

/** A person in a list. */
export interface KnownPerson extends Pick<Profile, 'person' | 'name' | 'messages' | 'mentions' | 'familiarity' | 'lastSeenAt'> {
  /** Other accounts of the person. */
  readonly linked: readonly PersonKey[]
}

export interface ProfileStore {
  /**
   * Undefined if the audience of `reader` may not know of any message of the person. `reader`: the conversation that shows
   * it.
   */
  get(person: PersonKey, reader: Conversation): Promise<Profile | undefined>
  /** Everything from all conversations. For the operator of the bot, and for the person. */
  inspect(person: PersonKey): Promise<Profile | undefined>
  /** Most active first, each account separately. For the operator of the bot. */
  list(limit?: number): Promise<readonly KnownPerson[]>
  /**
   * Stores a note of a conversation and replaces its previous note. Absent parts stay,
   * empty ones are deleted. When one of its messages is edited or deleted later, the note is deleted.
   *
   * @param origin default: no messages, read now
   */
  note(person: PersonKey, conversation: Conversation, note: ProfileNote, origin?: NoteOrigin): Promise<void>
  /**
   * Links two accounts: they are counted and known together. For the operator of the bot, or the person.
   * Throws ARGUMENT_INVALID for one and the same account.
   */
  link(one: PersonKey, other: PersonKey): Promise<void>
  /** Removes an account from its links. */
  unlink(person: PersonKey): Promise<void>
  /** All accounts of a person, the given one first. */
  accounts(person: PersonKey): Promise<readonly PersonKey[]>
  /** The cards of an account, for all realms of readers. For the operator of the bot. */
  cards(person: PersonKey): Promise<readonly Card[]>
  /**
   * Brings back the version before the latest in each card of an account, unless that was replaced more than 30 days ago.
   * Resolves with the number of cards. The nightly run leaves them as they are until the facts change.
   */
  undoCards(person: PersonKey): Promise<number>
  /**
   * Counts new messages. Runs every 15 minutes, when the bot stops, and before each read. Where there are more than 200, neither `get` nor
   * the stop waits for it.
   */
  flush(): Promise<void>
}

export const Profiles = service<ProfileStore>('profiles', '@kikimimi/profiles')
