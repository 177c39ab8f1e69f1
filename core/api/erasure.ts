/** People who ask the bot to forget them, or not to listen to them. */
import type { Conversation, IncomingMessage, PersonKey } from './message.ts'
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

/**
 * People who opted out. The bot itself keeps the rule: it does not record their messages, edits and reactions, and what it recorded before
 * is hidden from plugins. A plugin begins and ends opt-outs, and deletes what was said before.
 */
export interface OptOuts {
  /** Whether the account is opted out now. Usually needs no query. */
  has(person: PersonKey): Promise<boolean>
  /** The opt-out of a person begins, for all of the given accounts. `since`: when the person asked for it. */
  begin(accounts: readonly PersonKey[], since: Date): Promise<void>
  /** The opt-out of the given accounts ends. Messages from before `until` are not recorded later either. */
  end(accounts: readonly PersonKey[], until: Date): Promise<void>
  /** These accounts belong to one person: when one of them is opted out, so are the others from now on. */
  link(accounts: readonly PersonKey[]): Promise<void>
  /** Adds orders that a person who opted out can still give. They last until the plugin that adds them ends. */
  accept(orders: OptOutOrders, scope: AsyncDisposableStack): void
}

export interface OptOutOrders {
  /** Whether the bot takes in this message of a person who opted out. Only the turn that answers it has its words. */
  accepts(message: IncomingMessage): boolean
  /** Runs for each account that is opted out because it was linked with one that is, in the transaction of the link. */
  linked(account: PersonKey): Promise<void>
}

/** People who opted out: for plugins that begin and end opt-outs, and for those that do something unasked with what a person said. */
export const OptOuts = service<OptOuts>('kikimimi.opt-outs')
