/** The lines that a replay reads, whatever wrote them. */
import type { Conversation } from 'kikimimi'

/** One line of a chat log. */
export interface LogLine {
  readonly id: string
  readonly at: Date
  readonly channel: string
  readonly author: { readonly id: string; readonly name: string; readonly bot?: boolean | undefined }
  readonly text: string
  /** Ids of the mentioned people. */
  readonly mentions: readonly string[]
  /** Ids of the messages that this one answers, as people know them afterwards. The bot must not see them. */
  readonly replyTo: readonly string[]
  /** True: the line comes before the counted ones. The bot records it, and it is not counted. */
  readonly context: boolean
}

/** A source of lines: a file, or the message log of a bot. It is read several times. */
export interface ChatLog {
  /** The name, for people. */
  readonly name: string
  lines(): AsyncIterable<LogLine> | Iterable<LogLine>
  /** The conversation of a line. Default: a public channel of its name. */
  conversation?(line: LogLine): Omit<Conversation, 'id'> | undefined
}

/** Where a reader is in its file, for the message of an error. */
export interface Place {
  text: string
}
