/** Forgetting a person on request. */
import type { Conversation, PersonKey } from './message.ts'
import { service } from './service.ts'

/** A person who asked to be forgotten, as plugins get them. */
export interface ForgottenPerson extends PersonKey {
  /** Every name that the person had in the message log. */
  readonly names: readonly string[]
  /** The time of the request. Later data stays. */
  readonly before: Date
}

/** Erases people: the service behind `/kiki forget-me` and `kikimimi forget`. */
export interface Erasure {
  /**
   * Forgets a person: everything that the plugins and the bot itself keep of what they said until now, their names, and what
   * others and the bot said with their words. Resolves once that is sure to happen, after a crash too.
   */
  forget(person: PersonKey): Promise<void>
  /** Deletes one message from the log of the bot, as if its author had deleted it. */
  removeMessage(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
}

/** Erases people: the service behind `/kiki forget-me` and `kikimimi forget`. */
export const Erasure = service<Erasure>('kikimimi.erasure')
