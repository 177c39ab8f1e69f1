/** The log of messages, as far as it may be read. */

import type { Awaitable } from '../base/awaitable.ts'
import type { PluginContext } from './context.ts'
import type { Conversation, Message, PersonKey } from './message.ts'
import { service } from './service.ts'

/** A message of the log. */
export interface LoggedMessage extends Message {
  /** Its number in the log. A later message of the same conversation has a larger one. */
  readonly seq: number
  /** Where it was said, with the visibility of this place now: a thread of a private channel is private. */
  readonly conversation: Conversation
  /** The place in which it was said, and its visibility at that time: see `kikimimi_v1.place_of`. */
  readonly said: { readonly place: string; readonly visibility: Conversation['visibility'] }
  /** When the bot received it. */
  readonly receivedAt: Date
  /** When the author last edited it. */
  readonly editedAt?: Date
}

/**
 * Which messages {@link MessageLog.read} returns. The log has a part for each month of the time by the platform: with `since`, the months
 * before are not read. With `receivedSince`, what was received before is not read; with `conversations` or `channel`, nothing of other places.
 */
export interface LogQuery {
  /**
   * Who gets to see them. A conversation: its readers, so that a message is left out that one of them could not read where it was said.
   * `operator`: those who run the bot.
   */
  readonly readers: Pick<Conversation, 'id'> | 'operator'
  /** The ids of conversations, threads not included. Absent: all that the other conditions admit. */
  readonly conversations?: readonly string[]
  /** The id of a channel, with its threads. */
  readonly channel?: string
  /** These messages. An id is unique within its channel. */
  readonly messages?: readonly { readonly channel: string; readonly id: string }[]
  /** True: only what people wrote, not the bot and not other bots. Default: false. */
  readonly people?: boolean
  /** True: only what the bot wrote. False: only what others wrote. */
  readonly own?: boolean
  /** Said after this time, by the clock of the platform. */
  readonly since?: Date
  /** Said until this time, by the clock of the platform. */
  readonly until?: Date
  /** Received by the bot after this time. A missed message was said up to eight days before. */
  readonly receivedSince?: Date
  /** Received by the bot until this time. */
  readonly receivedUntil?: Date
  /** Edited by the author after this time. */
  readonly editedSince?: Date
  /** The id of the author, or the name that the author had, in any case. */
  readonly author?: string
  /** Written by one of these accounts. */
  readonly authors?: readonly PersonKey[]
  /** The text has all of these, in any case and width. */
  readonly words?: readonly string[]
  /** The text has one of these, in any case and width. */
  readonly someWords?: readonly string[]
  /** True: only messages with files. Default: false. */
  readonly files?: boolean
  /** With a larger number. */
  readonly after?: number
  /** With a smaller number. */
  readonly before?: number
  /** True: the first ones. Default: the last ones. */
  readonly first?: boolean
  /** The largest number of messages, 1 to 10,000. */
  readonly limit: number
}

/** Messages of one place that are processed together. */
export interface LogBatch {
  /** A conversation whose readers may read all of them: what is made of them may be told to these readers. */
  readonly place: Conversation
  /** Oldest first, those of bots included. At least one has words of a person. */
  readonly messages: readonly LoggedMessage[]
  /** The same as ranges, for what is made of them. */
  readonly sources: readonly { readonly conversation: string; readonly first: number; readonly last: number }[]
}

/** How a plugin follows the log. */
export interface Following {
  /** Unique in the bot, such as the name of the plugin. The position in the log is stored under it. */
  readonly name: string
  /** As many messages of a place are processed at once. */
  readonly most: number
  /** Fewer wait for more. Default: 1. */
  readonly least?: number
  /** Milliseconds without a message of a person, after which the messages of a place are processed. Default: `every` alone decides. */
  readonly lull?: number
  /**
   * At the latest, the messages of a place are processed when so many wait, or when the first one has waited so many milliseconds. Default:
   * when more than `most` wait.
   */
  readonly every?: { readonly messages: number; readonly ms: number }
  /** True: messages of other bots, and files without words, count as words of people. Default: false. */
  readonly all?: boolean
  /** True: each thread is a place, and nothing outside of threads. A thread that fewer people can read than its channel is none. Default: false. */
  readonly threads?: boolean
  /** `edited`: an edited message that was processed comes again. Default: only what the plugin asks for with `kikimimi_v1.read_again`. */
  readonly again?: 'edited'
  /**
   * Processes a batch. It runs outside of a transaction and can ask a model. The returned function runs in the transaction that moves the
   * place in the log, after the bot has found all messages unchanged: store the result there. When a message was changed meanwhile, the
   * function does not run, and the batch is read again, also when the function returns false.
   *
   * When it rejects, the batch comes again later. After two rejections that are no outage of a model it is skipped.
   */
  run(batch: LogBatch, signal: AbortSignal): Promise<(() => Awaitable<void | false>) | undefined>
  /** A batch is skipped. It runs in the transaction that moves the place in the log. */
  skipped?(batch: LogBatch): Promise<void>
}

/** How a plugin counts or indexes the log. */
export interface Indexing {
  /** Unique in the bot, such as the name of the plugin. The position in the log is stored under it. */
  readonly name: string
  /** As many messages are stored in one transaction. On the embedded database, all other work waits for it. */
  readonly most: number
  /** `edited`: an edited message that was stored comes again. */
  readonly again?: 'edited'
  /** Stores what the plugin needs of the messages, in the transaction that moves the position. Oldest first, from several places. */
  store(messages: readonly LoggedMessage[]): Promise<void>
}

/** See {@link MessageLog.index}. */
export interface LogIndex {
  /** About how many messages wait. 0: none. */
  waiting(): Promise<number>
  /** Stores all messages that wait; once the signal is aborted, those of one transaction. Returns how many were stored. */
  run(signal?: AbortSignal): Promise<number>
  /** Nothing is stored until the transaction ends. Call it in a transaction. */
  hold(): Promise<void>
  /** The messages of a person that were received after this time come again. Call it after {@link LogIndex.hold}. */
  again(person: PersonKey, since: Date): Promise<void>
}

/** Reads the recorded messages. What is deleted, left out or being forgotten is in no result. */
export interface MessageLog {
  /**
   * Messages, oldest first.
   *
   * @throws DATABASE_NONE when the bot runs in memory alone
   */
  read(query: LogQuery): Promise<readonly LoggedMessage[]>
  /**
   * Locks messages until the transaction ends. Returns whether all texts are unchanged and no person on the platform is being erased. Call
   * it in a transaction, before something is stored that is made of them.
   */
  unchanged(messages: readonly LoggedMessage[]): Promise<boolean>
  /**
   * Processes the messages that people write from now on, place by place: a channel with its threads, or a thread that fewer people can
   * read. One process does it at a time, each message is in one processed batch unless it comes again, and it continues after a crash. Call
   * it in `setup`.
   *
   * @returns for the stage `after` of the plugin, which tells that there are new messages
   */
  follow(ctx: Pick<PluginContext, 'clock' | 'every' | 'job' | 'log' | 'scope'>, following: Following): Promise<LogFollower>
  /**
   * Gives each message of a person to a plugin that counts or indexes the log, those of before the plugin was added included. Each is stored
   * once, by any number of processes and after any crash.
   */
  index(indexing: Indexing): LogIndex
}

/** See {@link MessageLog.follow}. */
export interface LogFollower {
  /** New messages were recorded. */
  readonly after: (turn: { readonly conversation: Conversation; readonly messages: readonly Message[] }) => Promise<void>
}

export const MessageLog = service<MessageLog>('kikimimi.message-log')
