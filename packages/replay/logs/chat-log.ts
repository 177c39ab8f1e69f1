/** Chat logs in files: JSON lines, an export of Slack, or an export of Discord. */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { linesOf, reason } from 'kikimimi/host'
import { z } from 'zod'
import { isDiscordExport, readDiscordExport } from './discord-export.ts'
import { invalid, issueOf } from './invalid.ts'
import type { ChatLog, LogLine, Place } from './log-line.ts'
import { readSlackExport } from './slack-export.ts'

export type { ChatLog, LogLine } from './log-line.ts'

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

/**
 * The lines of a chat log, one at a time. A folder or a zip file is an export of Slack; a JSON file that begins with `guild` comes from
 * DiscordChatExporter; all others are JSON lines. Throws LOG_FILE_INVALID with the file and the place in it.
 */
export async function* readChatLog(file: string): AsyncGenerator<LogLine> {
  const place = { text: '' }
  try {
    if ((await stat(file)).isDirectory() || file.toLowerCase().endsWith('.zip')) yield* await readSlackExport(file, place)
    else if (isDiscordExport(await beginningOf(file))) yield* await readDiscordExport(file, place)
    else yield* readJsonLines(file, place)
  } catch (error) {
    const where = place.text && `, ${place.text}`
    throw invalid(`${file}${where}: ${reason(error)}`, error)
  }
}

async function beginningOf(file: string): Promise<string> {
  await using opened = await open(file)
  const { buffer, bytesRead } = await opened.read({ buffer: Buffer.alloc(256) })
  return buffer.toString('utf8', 0, bytesRead)
}

async function* readJsonLines(file: string, place: Place): AsyncGenerator<LogLine> {
  let number = 0
  for await (const raw of linesOf(createReadStream(file))) {
    place.text = `line ${++number}`
    const text = number === 1 ? raw.replace(/^\ufeff/, '') : raw
    if (text.trim() !== '') yield parseLine(text)
  }
}

function parseLine(text: string): LogLine {
  const line = schema.safeParse(JSON.parse(text))
  if (line.success) return line.data
  throw invalid(`expected {"id","at","channel","author":{"id","name"},"text"}; ${issueOf(line.error)}`)
}
