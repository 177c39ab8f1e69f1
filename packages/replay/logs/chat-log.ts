/** Chat logs in files: JSON lines, an export of Slack, or an export of Discord. */
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { linesOf, reason } from 'kikimimi/host'
import { z } from 'zod'
import { isDiscordExport, readDiscordExport } from './discord-export.ts'
import { invalid, issueOf } from './invalid.ts'
import type { ChatLog, LogLine, Place } from './log-line.ts'
import { type Files, readSlackExport } from './slack-export.ts'
import { filesInZip } from './zip.ts'

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
    if ((await stat(file)).isDirectory()) yield* await readSlackExport(await filesInFolder(file), place)
    else if (file.toLowerCase().endsWith('.zip')) yield* await readSlackExport(filesInZip(await readFile(file)), place)
    else if (isDiscordExport(await beginningOf(file))) yield* await readDiscordExport(await readFile(file, 'utf8'), place)
    else yield* readJsonLines(createReadStream(file), place)
  } catch (error) {
    const where = place.text && `, ${place.text}`
    throw invalid(`${file}${where}: ${reason(error)}`, error)
  }
}

/** Bytes of the files in an uploaded archive, unpacked. */
const UNPACKED_BYTES = 2 ** 28
/** Bytes at the beginning of a file that tell its kind. */
const BEGINNING = 256

/**
 * The lines of a file that a person has chosen, in the order of time: a zip archive of Slack, or of files of DiscordChatExporter; such a
 * file; or JSON lines. Throws LOG_FILE_INVALID with the name and the place in it.
 */
export async function readUpload(name: string, content: Buffer): Promise<readonly LogLine[]> {
  const place = { text: '' }
  try {
    const lines = await linesIn(content, place)
    if (lines.length === 0) throw invalid('it has no messages of people')
    return lines.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  } catch (error) {
    const where = place.text && `, ${place.text}`
    const why = error instanceof SyntaxError ? `${OTHER_KIND} (${reason(error)})` : reason(error)
    throw invalid(`${name}${where}: ${why}`, error)
  }
}

const OTHER_KIND =
  'expected the zip archive of a Slack export, or a JSON file of DiscordChatExporter (--format Json), or a zip archive of such files'

async function linesIn(content: Buffer, place: Place): Promise<readonly LogLine[]> {
  if (content.subarray(0, 2).toString('latin1') === 'PK') return linesInZip(filesInZip(content, UNPACKED_BYTES), place)
  const text = (bytes: Buffer) => bytes.toString('utf8').replace(/^\ufeff/, '')
  const beginning = text(content.subarray(0, BEGINNING))
  if (isDiscordExport(beginning)) return readDiscordExport(text(content), place)
  if (!beginning.trimStart().startsWith('{')) throw invalid(OTHER_KIND)
  return Array.fromAsync(readJsonLines(Readable.from([content]), place))
}

async function linesInZip(files: ReadonlyMap<string, () => Buffer>, place: Place): Promise<readonly LogLine[]> {
  if ([...files.keys()].some(name => /(?:^|\/)(?:users|channels)\.json$/.test(name))) return readSlackExport(files, place)
  const lines: LogLine[] = []
  for (const [name, read] of files) {
    if (!/\.json$/i.test(name) || name.startsWith('__MACOSX/')) continue
    place.text = name
    const text = read().toString('utf8')
    if (isDiscordExport(text.slice(0, BEGINNING))) lines.push(...(await readDiscordExport(text, place)))
  }
  place.text = ''
  return lines.length > 0 ? lines : readSlackExport(files, place)
}

async function filesInFolder(folder: string): Promise<Files> {
  const names = await readdir(folder, { recursive: true })
  return new Map(names.map(name => [name.split(sep).join('/'), () => readFile(join(folder, name))]))
}

async function beginningOf(file: string): Promise<string> {
  await using opened = await open(file)
  const { buffer, bytesRead } = await opened.read({ buffer: Buffer.alloc(BEGINNING) })
  return buffer.toString('utf8', 0, bytesRead)
}

async function* readJsonLines(bytes: AsyncIterable<Buffer>, place: Place): AsyncGenerator<LogLine> {
  let number = 0
  for await (const raw of linesOf(bytes)) {
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
