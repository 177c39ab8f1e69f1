import { createReadStream } from 'node:fs'
import { type Conversation, KikimimiError } from 'kikimimi'
import { linesOf, reason } from 'kikimimi/host'
import { z } from 'zod'

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

export function fileLog(file: string): ChatLog {
  return { name: file, lines: () => readChatLog(file) }
}

const schema = z.object({
  id: z.string().min(1),
  at: z.iso.datetime({ offset: true }).transform(at => new Date(at)),
  channel: z.string().min(1),
  author: z.object({ id: z.string().min(1), name: z.string(), bot: z.boolean().optional() }),
  text: z.string(),
  mentions: z.array(z.string()).default([]),
  replyTo: z.array(z.string()).default([]),
  context: z.boolean().default(false),
})

/** The lines of a chat log, one at a time. Throws LOG_FILE_INVALID with the file and the line. */
export async function* readChatLog(file: string): AsyncGenerator<LogLine> {
  let number = 0
  try {
    for await (const raw of linesOf(createReadStream(file))) {
      number++
      const text = number === 1 ? raw.replace(/^\ufeff/, '') : raw
      if (text.trim() !== '') yield parseLine(text)
    }
  } catch (error) {
    const where = number > 0 ? `, line ${number}` : ''
    throw new KikimimiError('LOG_FILE_INVALID', `${file}${where}: ${reason(error)}`, { cause: error })
  }
}

function parseLine(text: string): LogLine {
  const line = schema.safeParse(JSON.parse(text))
  if (line.success) return line.data
  const [issue] = line.error.issues
  throw new KikimimiError(
    'LOG_FILE_INVALID',
    `expected {"id","at","channel","author":{"id","name"},"text"}; ${issue?.path.join('.')}: ${issue?.message}`,
  )
}
