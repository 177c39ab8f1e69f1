/** Commands in the chat: `/kiki NAME …`. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Awaitable } from '../base/awaitable.ts'
import type { Locale, Translations } from '../base/text/texts.ts'
import type { Conversation, Person } from './message.ts'
import type { Tool } from './models.ts'
import { service } from './service.ts'

/**
 * A command in the chat, `/kiki NAME …`. The bot answers it at once, visible to its author alone where the platform can do
 * that. A command is not a message: the bot does not record or judge it, and it works in channels that the bot does not listen
 * to. With a `prefix` it works in messages too: `!roll d6`. Declare it with {@link chatCommand}.
 */
export interface ChatCommand<A = unknown> {
  /** Lower-case words with hyphens, unique in a bot. */
  readonly name: string
  /** The name in other languages, for the menus of platforms: `{ ja: 'サイコロ' }`. The command can be called by each of them. */
  readonly names?: Readonly<Record<Locale, string>>
  /** What it does, in a few words. For `/kiki help`. */
  readonly does: Translations
  /** What can follow the name, such as `[for]`. For `/kiki help`. */
  readonly usage?: string
  /**
   * The right that a person needs. A moderator may change the channel or the workspace; an admin may change the workspace.
   * In a direct conversation its person has both rights, on a console everyone does.
   */
  readonly permission: 'everyone' | 'moderator' | 'admin'
  /**
   * Which rule of `access` in bot.config.ts applies to it, besides the permission. `order`: it changes what the bot does or remembers.
   * `always`: none, for what explains the bot or protects the person. `call`: anything else. Default: `order` if the command needs a
   * permission, otherwise `call`.
   */
  readonly access?: 'call' | 'order' | 'always'
  /**
   * Whether the command understands the text after its name. If not, the whole text becomes a message to the bot: "/kiki
   * stop joking". Default: with a `usage`, any text; without one, only the bare name.
   */
  takes?(text: string): boolean
  /**
   * Sign that makes the name a call in a message: with `'!'`, a message that begins with `!roll` is answered in its conversation,
   * each with its own answer. Only for a command of `everyone`. Default: the command works as `/kiki roll` alone.
   */
  readonly prefix?: string
  /**
   * Schema of the words after the name, such as `z.tuple([z.coerce.number().default(6)])`. Words that do not fit are answered with
   * the usage. Default: the words as they are.
   */
  readonly args?: StandardSchemaV1<unknown, A>
  /**
   * Where people find it for one message, besides `/kiki NAME`. {@link CommandCall.message} names the message. Its text is then empty.
   */
  readonly on?: MessageAction
  /**
   * Whether the command would change something in a conversation now: a page disables its button otherwise. Default: it would.
   */
  applies?(conversation: Conversation): Awaitable<boolean>
  /**
   * Suggests texts for the last word of what a person types after the name. Only for people with the right that the command
   * needs. When it throws or takes more than 2 s, there is no suggestion.
   */
  complete?(typed: Omit<CommandCall, 'args' | 'at'>): Awaitable<readonly string[]>
  /** Returns the answer. When it throws or takes more than 20 s, people read a sentence that it failed. */
  run(call: CommandCall<A>): Awaitable<string>
}

/** How people give a command for a message. */
export interface MessageAction {
  /** `answer`: by a button under answers of the bot, or by a reaction with `emoji` to them. `message`: in the menu of each message. */
  readonly at: 'answer' | 'message'
  /** The words on the button or in the menu, 30 characters at most. */
  readonly label: Translations
  /** The emoji on the button. */
  readonly emoji: string
}

/** Returns its argument. The type of `args` reaches `run`. */
export function chatCommand<A = readonly string[]>(command: ChatCommand<A>): ChatCommand {
  return command as ChatCommand
}

/** One call of a chat command. */
export interface CommandCall<A = unknown> {
  /** Where the command was given. */
  readonly conversation: Conversation
  /** The person who gave the command. */
  readonly person: Person
  /** The id of the message that the command is for: see {@link ChatCommand.on}. Absent: none. */
  readonly message?: string
  /** Whether the person may change what the bot does in the channel. */
  moderates(): Promise<boolean>
  /** What follows the name. */
  readonly text: string
  /** The text after the name, split at whitespace. */
  readonly words: readonly string[]
  /** The words as the schema `args` of the command returns them; without a schema, the words. */
  readonly args: A
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
  /** The id of the message that it is for. The text is then the name of a command: see {@link ChatCommand.on}. */
  readonly message?: string
  /**
   * Whether the person may change what the bot does in the channel. The bot calls it only when a command needs it. A
   * rejection means no.
   */
  moderator(): Awaitable<boolean>
  /** Whether the person may change what the bot does in the whole workspace. A rejection means no. */
  admin(): Awaitable<boolean>
  /** The language of the person's client. Absent: the platform does not know it. */
  readonly locale?: Locale
}

/** The chat commands of the bot and of every plugin. */
export interface ChatCommands {
  /** All commands. Complete when the bot runs. */
  readonly all: readonly ChatCommand[]
  /**
   * Runs a command of the chat, such as `status` or `quiet 1h`. Returns nothing when there is no such command; the text is
   * then a message to the bot. Returns synchronously, so that a platform can acknowledge it for its author alone. The
   * returned promise never rejects.
   * @throws MESSAGE_INVALID, STOPPED
   */
  run(given: GivenCommand): Promise<string> | undefined
  /**
   * Why a person may not ask the bot with the text after `/kiki`, as a sentence for this person alone. Nothing: the person may. Ask it
   * before the text becomes a message that others see. Never rejects, and takes two seconds at most.
   */
  refusal(given: Pick<GivenCommand, 'conversation' | 'person' | 'text' | 'locale'>): Promise<string | undefined>
  /** Suggests texts for the last word of a command that a person is typing, such as `settings thr`. Never rejects. */
  suggest(given: GivenCommand): Promise<readonly string[]>
}

export const ChatCommands = service<ChatCommands>('kikimimi.chat-commands')

/** Answers who may do what. */
export interface Access {
  /**
   * Why a person may not give orders in a conversation, as a trace says it: `access.orders: only admins, #general`. Nothing: the person
   * may. Never rejects; what cannot be looked up is refused.
   */
  refusesOrders(conversation: Conversation, person: Person): Awaitable<string | undefined>
  /**
   * Whether a person is among some people, such as `admins`, `role:NAME` or `person:ID`: see `access` in bot.config.ts. Never rejects;
   * who cannot be looked up is not among them, and on a console everybody is.
   */
  isAmong(conversation: Conversation, person: Person, people: readonly string[]): Awaitable<boolean>
  /** Why a person may not use a tool in a conversation, as a trace says it. Nothing: the person may. Never rejects. */
  refusesTool(tool: Tool, conversation: Conversation, person: Person): Awaitable<string | undefined>
}

export const Access = service<Access>('kikimimi.access')
