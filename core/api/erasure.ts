/** Forgetting a person on request. */
import type { Conversation, PersonKey } from './message.ts'
import { service } from './service.ts'

/** A person who asked to be forgotten, as plugins get them. */
export interface ForgottenPerson extends PersonKey {
  /** What they were called, in the message log. */
  readonly names: readonly string[]
  /** What was said after this is not meant. */
  readonly before: Date
}

export interface Erasure {
  /**
   * Forgets a person: everything that the plugins and the bot itself keep of what they said until now, their names, and what
   * others and the bot said with their words. Resolves once that is sure to happen, after a crash too.
   */
  forget(person: PersonKey): Promise<void>
  /** Deletes one message from the log of the bot, as if its author had deleted it. */
  removeMessage(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
}

export const Erasure = service<Erasure>('kikimimi.erasure')
