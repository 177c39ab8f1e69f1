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
  readonly messages: number
  /** How often they called the bot. */
  readonly mentions: number
  readonly familiarity: Familiarity
  readonly lastSeenAt: Date
  /** Where they talk, the liveliest first. */
  readonly channels: readonly { readonly id: string; readonly name: string; readonly messages: number }[]
  /** Words of their last conversation. */
  readonly topics: readonly string[]
}

export interface ProfileStore {
  /** Nothing when the bot has never heard them. `reader`: where it will be read. */
  get(person: PersonKey, reader: Conversation): Promise<Profile | undefined>
  /** Keeps what was understood in a conversation, in the place of what that conversation said before; absent parts stay. */
  note(person: PersonKey, conversation: Conversation, note: ProfileNote): Promise<void>
  /** From now on the two are one person: counted and known together. Throws RangeError for one and the same. */
  link(one: PersonKey, other: PersonKey): Promise<void>
  /** Takes a person out of their link. */
  unlink(person: PersonKey): Promise<void>
  /** All accounts of a person, the given one included. */
  accounts(person: PersonKey): Promise<readonly PersonKey[]>
  /** Writes what was counted since the last time. Runs by itself every 15 minutes and when the bot stops. */
  flush(): Promise<void>
}

export const Profiles = service<ProfileStore>('profiles', '@kikimimi/profiles')
