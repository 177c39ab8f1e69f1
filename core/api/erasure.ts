/** Erasure of a person on request. */
import type { Conversation, PersonKey } from './message.ts'
import { service } from './service.ts'

/** A person to erase, as plugins get them. */
export interface ForgottenPerson extends PersonKey {
  /**
   * The names of the person in the message log, and a long id, by which texts about the person are found. Names that another person has,
   * that are common words, or that others wrote before the person came are left out: platforms let anybody choose any name.
   */
  readonly names: readonly string[]
  /** The time of the request. Later data stays. */
  readonly before: Date
}

/** Erases people: the service behind `/kiki forget-me` and `kikimimi forget`. */
export interface Erasure {
  /**
   * Erases a person: what plugins and the bot keep of their words until now, and what others and the bot said with their words. Messages
   * of others that name the person stay. Resolves when the erasure is stored and certain to happen, even after a crash.
   */
  forget(person: PersonKey): Promise<void>
  /** Deletes one message from the log of the bot, as if its author had deleted it. */
  removeMessage(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
}

/** Erases people: the service behind `/kiki forget-me` and `kikimimi forget`. */
export const Erasure = service<Erasure>('kikimimi.erasure')
