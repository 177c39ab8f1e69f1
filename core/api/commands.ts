/** Commands in the chat: `/kiki NAME …`. */

import type { Awaitable } from '../base/awaitable.ts'
import type { Locale, Translations } from '../base/text/texts.ts'
import type { Conversation, Person } from './message.ts'
import { service } from './service.ts'

/**
 * A command in the chat, `/kiki NAME …`: answered at once, where the platform can for its author alone. It is no message: not
 * recorded, never judged, and works where the bot does not listen.
 */
export interface ChatCommand {
  /** Lower-case words with hyphens, unique in a bot. */
  readonly name: string
  /** For `/kiki help`: what it does, in a few words. */
  readonly does: Translations
  /** For `/kiki help`: what may follow the name, such as `[for]`. */
  readonly usage?: string
  /**
   * A moderator is who may change the channel or the workspace, an admin who may change the workspace. In a direct conversation
   * its person is both, on a console everybody.
   */
  readonly permission: 'everyone' | 'moderator' | 'admin'
  /**
   * Whether what follows the name makes sense to it; if not, all of it is said to the bot: "/kiki stop joking". Default: anything
   * does where there is a `usage`, and nothing but the bare name where there is none.
   */
  takes?(text: string): boolean
  /** Returns the answer. When it throws, or takes more than 20 s, people are told in a sentence that it failed. */
  run(call: CommandCall): Awaitable<string>
}

/** One call of a chat command. */
export interface CommandCall {
  /** Where the command was given. */
  readonly conversation: Conversation
  /** The person who gave the command. */
  readonly person: Person
  /** What follows the name. */
  readonly text: string
  /** The text after the name, split at white space. */
  readonly words: readonly string[]
  /** The language of the answer. */
  readonly locale: Locale
  /** When the command was given. */
  readonly at: Date
  /** Aborts after 20 s and when the bot stops. */
  readonly signal: AbortSignal
}

/** A command, as a platform passes it to {@link PluginContext.command}. */
export interface GivenCommand {
  /** Where the command was given. */
  readonly conversation: Omit<Conversation, 'id'>
  /** The person who gave the command. */
  readonly person: Person
  /** All that follows `/kiki`. */
  readonly text: string
  /** Whether they may change what the bot does in the channel. Asked only where it matters; rejecting means no. */
  moderator(): Awaitable<boolean>
  /** The same of the whole workspace. */
  admin(): Awaitable<boolean>
  /** The language of their client, where the platform tells it. */
  readonly locale?: Locale
}

/** The commands of the chat: those of the bot itself, and those of every plugin. */
export interface ChatCommands {
  /** Complete once the bot runs. */
  readonly all: readonly ChatCommand[]
  /**
   * Runs a command that a person gave in the chat, `status` or `quiet 1h`. Returns nothing when there is no such command, and the
   * text is to be taken for a message to the bot. Known at once, so that a platform can acknowledge it for its author alone. The
   * returned promise never rejects.
   *
   * @throws MESSAGE_INVALID, STOPPED
   */
  run(given: GivenCommand): Promise<string> | undefined
}

export const ChatCommands = service<ChatCommands>('kikimimi.chat-commands')
