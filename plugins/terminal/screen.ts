import type { Conversation, Trace, Turn } from 'kikimimi'
import type { Outgoing } from 'kikimimi/platform'
import type { Said } from './lines.ts'

/** Input and output for people: a terminal, or a pair of streams. */
export interface Screen {
  /** Messages in order, each with its line number. Ends with the input, at /quit, or when the signal aborts. */
  said(signal: AbortSignal): AsyncIterable<{ readonly line: number; readonly said: Said }>
  message(conversation: Conversation, id: string, message: Outgoing): Promise<void>
  /** `author`: the author of the message with the reaction, as long as the platform remembers it. */
  reaction(conversation: Conversation, reaction: { message: string; emoji: string; author?: string | undefined }): Promise<void>
  /** The answer to a command. */
  answer(where: Pick<Conversation, 'channel' | 'thread'>, text: string): Promise<void>
  /** Reports an unknown command, such as `/statsu`. Absent: the text is a message. */
  unknown?(text: string): undefined
  /** Shows that the bot is typing. Returns a function that ends it. */
  typing?(): () => void
  turn?(turn: Turn, trace: Trace): void
  /** Reports a line that was refused, and the reason. */
  refused(line: number, why: string): void
}
