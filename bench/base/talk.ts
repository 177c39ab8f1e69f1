/** People who talk without mentioning the bot. */
import { type IncomingMessage, type Message, systemClock } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { createLogger } from '../../core/base/log.ts'
import { type ChatLog, fileLog, type LogLine } from '../../packages/replay/logs/chat-log.ts'

const LINES = [
  'the build is green again',
  'I will take a look after lunch',
  'has anybody seen the invoice from last week?',
  'お昼はカレーにしよう',
  '昨日の会議の議事録、あとで共有します',
  'that is odd, it worked on my machine and on the one in the office too. I will try it once more with the cache cleared',
  'ok',
  'https://example.com/issues/1234 is the same thing, I think',
]

/** The n-th message of the people. */
export function line(index: number): string {
  return LINES[index % LINES.length] ?? ''
}

export function said(index: number, channel: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  const author = `person-${(index * 7) % 40}`
  return {
    id: String(index),
    conversation: { platform: 'bench', workspace: 'team', channel, name: channel, visibility: 'public' },
    author: { id: author, name: author },
    text: line(index),
    at: new Date(),
    ...more,
  }
}

/** A platform that discards posts. */
export function deafPlatform(): Platform {
  let posted = 0
  return {
    name: 'bench',
    me: { id: 'kiki', name: 'kiki' },
    limits: { textLength: 2_000 },
    send: async () => ({ id: `posted-${++posted}` }),
  }
}

/** A log that is silent without errors. */
export const benchLog = createLogger({
  level: 'warn',
  format: 'lines',
  write: line => void process.stderr.write(line),
  clock: systemClock,
})

/**
 * A chat log of a file, without the part in which people have not linked answers yet: lines before the first one with `replyTo` become
 * context. There an answer cannot be told from silence.
 *
 * @param factor multiplies the time between lines, as in a slower channel
 */
export async function linkedLog(file: string, factor = 1): Promise<ChatLog> {
  const lines: LogLine[] = []
  let start: number | undefined
  let isLinked = false
  for await (const line of fileLog(file).lines()) {
    start ??= line.at.getTime()
    isLinked ||= line.replyTo.length > 0
    lines.push({ ...line, context: line.context || !isLinked, at: new Date(start + factor * (line.at.getTime() - start)) })
  }
  return { name: file, lines: () => lines }
}

/** The message of a line, as its channel shows it. */
export function messageOf({ id, at, text, author, mentions }: LogLine): Message {
  return {
    ...{ id, at, text, attachments: [], own: false },
    author: { id: author.id, name: author.name, ...(author.bot && { bot: true }) },
    mentions: mentions.map(person => ({ id: person, name: person })),
  }
}
