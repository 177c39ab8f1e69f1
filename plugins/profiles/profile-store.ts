/** What other plugins know of people: the service `Profiles`. */
import { type Conversation, type PersonKey, service } from 'kikimimi'

/** By the number of their messages: 0–5, 6–30, 31–100, more. */
export type Familiarity = 'stranger' | 'acquaintance' | 'regular' | 'close'

/** What was understood of a person from a conversation: told of only where that conversation may be read. */
export interface ProfileNote {
  /** A word or two each: what they like, do, know about. */
  readonly tags?: readonly string[]
  /** How they are, in a sentence or two. */
  readonly personality?: string
  /** What their last conversation was about, in a sentence. */
  readonly lastConversation?: string
}

/** A person, as the readers of one conversation may know them. */
export interface Profile extends ProfileNote {
  readonly person: PersonKey
  /** What they were called last. */
  readonly name: string
  /** Everywhere: the number tells nothing of where. */
  readonly messages: number
  /** How often they called the bot, by a mention, a reply or its name. Everywhere. */
  readonly mentions: number
  readonly familiarity: Familiarity
  readonly lastSeenAt: Date
  /** Where they talk, the liveliest first; a private thread counts for its channel. */
  readonly channels: readonly { readonly id: string; readonly name: string; readonly messages: number }[]
  /** Words of their last conversation that is over, the most frequent first. */
  readonly topics: readonly string[]
}

/** A person, for a list. */
export interface KnownPerson extends Pick<Profile, 'person' | 'name' | 'messages' | 'mentions' | 'familiarity' | 'lastSeenAt'> {
  /** Their other accounts. */
  readonly linked: readonly PersonKey[]
}

export interface ProfileStore {
  /** Nothing when the bot has never heard them where `reader` may know of it. `reader`: where it will be read. */
  get(person: PersonKey, reader: Conversation): Promise<Profile | undefined>
  /** Everything, wherever it was said. For whoever runs the bot, and for the person alone. */
  inspect(person: PersonKey): Promise<Profile | undefined>
  /** Who talks most comes first; each account by itself. For whoever runs the bot. */
  list(limit?: number): Promise<readonly KnownPerson[]>
  /**
   * Keeps what was understood in a conversation, in the place of what that conversation said before; absent parts stay,
   * empty ones go.
   *
   * @param readAt when the messages were read that it was made from: of who was forgotten since, nothing is kept
   */
  note(person: PersonKey, conversation: Conversation, note: ProfileNote, readAt?: Date): Promise<void>
  /**
   * From now on the two are one person: counted and known together. An act of whoever runs the bot, or of the person.
   * Throws ARGUMENT_INVALID for one and the same.
   */
  link(one: PersonKey, other: PersonKey): Promise<void>
  /** Takes a person out of their link. */
  unlink(person: PersonKey): Promise<void>
  /** All accounts of a person, the given one first. */
  accounts(person: PersonKey): Promise<readonly PersonKey[]>
  /** Writes what was heard since the last time. Runs by itself every 15 minutes, when the bot stops, and before each look. */
  flush(): Promise<void>
}

export const Profiles = service<ProfileStore>('profiles', '@kikimimi/profiles')
