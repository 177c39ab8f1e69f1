import type { Conversation, Outgoing, Trace, Turn } from 'kikimimi'
import type { Said } from './lines.ts'

/** Where people read and write: a terminal, or a pair of streams. */
export interface Screen {
  /** What people say, in order, with the number of its line. Ends with the input, at /quit, or when the signal aborts. */
  said(signal: AbortSignal): AsyncIterable<{ readonly line: number; readonly said: Said }>
  message(conversation: Conversation, id: string, message: Outgoing): Promise<void>
  /** `author`: whose message it is on, while that is remembered. */
  reaction(conversation: Conversation, reaction: { message: string; emoji: string; author?: string | undefined }): Promise<void>
  /** What the bot answers to a command. */
  answer(where: Pick<Conversation, 'channel' | 'thread'>, text: string): Promise<void>
  /** There is no such command. Absent: then it is something that people say. */
  unknown?(): undefined
  /** Returns what ends it. */
  typing?(): () => void
  turn?(turn: Turn, trace: Trace): void
  /** A line that could not be handed in, and why. */
  refused(line: number, why: string): void
}
