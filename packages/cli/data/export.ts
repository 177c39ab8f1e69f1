/** `kikimimi export FOLDER`: all readable data of a bot, for people and other programs. */
import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atOneMoment, migrationsOf, rowsOf, tablesOf } from '@kikimimi/backup'
import { messagesIn } from '@kikimimi/replay'
import type { Clock, Database } from 'kikimimi'

export interface ExportedFile {
  /** Relative to the folder. */
  readonly path: string
  readonly lines: number
}

export interface ExportDeps {
  readonly clock: Clock
  /** Receives the number of lines written so far. */
  readonly progress?: (lines: number) => void
}

/**
 * One state of the database, as JSON lines: a file for each channel, also private ones, in the format of `kikimimi replay`, and a file
 * for each table. Messages that are deleted, left out or being forgotten are not in it, nor is what only a machine reads, such as vectors.
 * Returns the files that are not empty, ordered by name.
 */
export async function exportTo(
  folder: string,
  db: Database,
  { clock, progress = () => {} }: ExportDeps,
): Promise<readonly ExportedFile[]> {
  let lines = 0
  const files: ExportedFile[] = []
  const write = async (path: string, texts: AsyncIterable<string>) => {
    const count = await writeLines(join(folder, path), texts, () => progress(++lines))
    if (count > 0) files.push({ path, lines: count })
  }
  await atOneMoment(db, async () => {
    for (const { file, conversations } of await channels(db)) await write(`messages/${file}.jsonl`, messagesIn(db, conversations))
    for (const table of await tablesOf(db, await migrationsOf(db), 'readable'))
      await write(`${table.path}.jsonl`, rowsOf(db, table))
  })
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  await writeFile(join(folder, 'README.md'), readme(files, new Date(clock.now())), { mode: 0o600 })
  return files
}

/** Creates no file without lines. */
async function writeLines(path: string, texts: AsyncIterable<string>, written: () => void): Promise<number> {
  await using scope = new AsyncDisposableStack()
  let out: Awaited<ReturnType<typeof open>> | undefined
  let count = 0
  let page = ''
  for await (const text of texts) {
    if (!out) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      out = scope.use(await open(path, 'wx', 0o600))
    }
    page += `${text}\n`
    count++
    written()
    if (page.length < PAGE) continue
    await out.appendFile(page)
    page = ''
  }
  await out?.appendFile(page)
  return count
}

/** Characters written at once. */
const PAGE = 64 * 1_024

interface Channel {
  readonly file: string
  /** The channel and its threads. */
  readonly conversations: readonly string[]
}

async function channels(db: Database): Promise<readonly Channel[]> {
  const { rows } = await db.query<{ platform: string; channel: string; name: string; conversations: string[] }>(
    `select platform, channel, min(name) filter (where thread is null) as name, array_agg(id) as conversations
     from kikimimi.conversation group by platform, workspace, channel order by platform, workspace, channel`,
  )
  const taken = new Set<string>()
  return rows.map(({ platform, channel, name, conversations }) => {
    const plain = [platform, name ?? channel].map(part => part.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 80)).join('-')
    // The second of two channels with the same name gets a number.
    const file = taken.has(plain) ? `${plain}-${taken.size}` : plain
    taken.add(file)
    return { file, conversations }
  })
}

function readme(files: readonly ExportedFile[], at: Date): string {
  return `# Data of the bot

Exported at ${at.toISOString()}. The files hold messages, also from private channels: keep them as safe as the bot.

Each file is JSON lines in UTF-8: one JSON object per line. The folder \`messages\` has a file for each channel with its threads, without
messages that are deleted, left out or being forgotten, and \`kikimimi replay\` reads it. The other folders belong to the plugins and, as \`kikimimi\`, to the kernel. Their files
are tables of the database; the migrations of the plugin describe the columns. What only a machine reads, such as vectors, is left
out: to move a bot, use \`kikimimi backup\` or \`kikimimi move\`.

| file | lines |
| --- | --- |
${files.map(({ path, lines }) => `| ${path} | ${lines} |\n`).join('')}`
}
