/** Exports of DiscordChatExporter (JSON): one file for each channel or thread, with its messages in their last version. */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { invalid, issueOf } from './invalid.ts'
import type { LogLine, Place } from './log-line.ts'

const person = z.object({ id: z.string().min(1), name: z.string() })

const message = z.object({
  id: z.string().min(1),
  type: z.string(),
  timestamp: z.iso.datetime({ offset: true }).transform(at => new Date(at)),
  content: z.string(),
  author: person.extend({ nickname: z.string().nullish(), isBot: z.boolean().nullish() }),
  mentions: z.array(person).nullish(),
  reference: z.object({ messageId: z.string().nullish() }).nullish(),
})

const exported = z.object({ channel: z.object({ name: z.string().min(1) }), messages: z.array(z.unknown()) })

/** What people and bots say. 20 and 23 are answers to commands. The others tell of joins, pins, calls and threads. */
const SPOKEN = new Set(['Default', 'Reply', '20', '23'])

/** Whether a file that begins like this comes from DiscordChatExporter. */
export function isDiscordExport(beginning: string): boolean {
  return /^\ufeff?\s*\{\s*"guild"\s*:/.test(beginning)
}

/** Messages that are checked without a break. A running bot has other work. */
const AT_A_STRETCH = 500

/** @param text the content of the file */
export async function readDiscordExport(text: string, place: Place): Promise<readonly LogLine[]> {
  const read = exported.safeParse(JSON.parse(text.replace(/^\ufeff/, '')))
  if (!read.success) throw invalid(`expected an export of DiscordChatExporter; ${issueOf(read.error)}`)
  const { channel, messages } = read.data
  const lines: LogLine[] = []
  for (const [index, given] of messages.entries()) {
    if (index % AT_A_STRETCH === 0) await setImmediate()
    place.text = `message ${index + 1}`
    const told = message.safeParse(given)
    if (!told.success) throw invalid(issueOf(told.error))
    const { id, type, timestamp, content, author, mentions, reference } = told.data
    if (!SPOKEN.has(type)) continue
    lines.push({
      id,
      at: timestamp,
      channel: channel.name,
      author: { id: author.id, name: author.nickname || author.name, ...(author.isBot && { bot: true }) },
      text: content,
      mentions: (mentions ?? []).map(one => one.id),
      replyTo: (type === 'Reply' && reference?.messageId && [reference.messageId]) || [],
      context: false,
    })
  }
  return lines
}
