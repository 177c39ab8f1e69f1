/** `kikimimi export FOLDER`: all that a bot keeps, for people to read and to take elsewhere. */
import { type Clock, type Database } from 'kikimimi'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eachRow, migrationsOf, tablesOf } from './dump.ts'
import { messagesIn } from './export-log.ts'

export interface ExportedFile {
  /** Relative to the folder. */
  readonly path: string
  readonly lines: number
}

export interface ExportDeps {
  readonly clock: Clock
  /** Hears how many lines are written. */
  readonly progress?: (lines: number) => void
}

/**
 * One moment of the database, as JSON lines: a file for each channel, private ones too, as `kikimimi replay` reads it, and a file
 * for each table. Vectors, indexes and other numbers that only a machine reads are left out, and so are deleted messages.
 * Returns the files that have something in them, in the order of their names.
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
  await db.transaction(async () => {
    await db.query('set transaction isolation level repeatable read, read only')
    for (const { file, conversations } of await channels(db)) await write(file, messages(db, conversations))
    for (const { file, select } of await tables(db)) await write(file, eachRow(db, select))
  })
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  await writeFile(join(folder, 'README.md'), readme(files, new Date(clock.now())), { mode: 0o600 })
  return files
}

/** A file with nothing in it is not made. */
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

/** Characters that are written at once. */
const PAGE = 64 * 1_024

async function* messages(db: Database, conversations: readonly string[]): AsyncGenerator<string> {
  for await (const line of messagesIn(db, conversations)) yield JSON.stringify(line)
}

interface Channel {
  readonly file: string
  /** The channel, and its threads. */
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
    // Of two that are called the same, the second has its number.
    const file = taken.has(plain) ? `${plain}-${taken.size}` : plain
    taken.add(file)
    return { file: `messages/${file}.jsonl`, conversations }
  })
}

/** All tables but that of the messages, without the columns that nobody can read; and without those that are numbers alone. */
async function tables(db: Database): Promise<readonly { readonly file: string; readonly select: string }[]> {
  const names = await tablesOf(db, await migrationsOf(db))
  const { rows } = await db.query<{ table: string; schema: string; name: string; columns: string }>(
    `select c.oid::regclass::text as table, n.nspname as schema, c.relname as name,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where c.oid = any($1::regclass[]) and c.oid <> 'kikimimi.message'::regclass
       and t.typname not in ('bytea', 'vector', 'bit', 'varbit')
     group by c.oid, n.nspname, c.relname
     -- Texts, times, lists, JSON.
     having bool_or(t.typcategory in ('S', 'D', 'A') or t.typname in ('json', 'jsonb'))
     order by 1`,
    [names],
  )
  return rows.map(({ table, schema, name, columns }) => ({
    file: `${schema}/${name}.jsonl`,
    select: `select ${columns} from ${table}`,
  }))
}

function readme(files: readonly ExportedFile[], at: Date): string {
  return `# What the bot keeps

Exported at ${at.toISOString()}. It holds what people said, in private too: keep it as safe as the bot.

Each file is JSON lines: one JSON object a line, in UTF-8. \`messages\` has a file for each channel with its threads; what was
deleted is not there, and \`kikimimi replay\` reads it. The other folders are the plugins and, as \`kikimimi\`, the kernel; their files
are tables of the database, and what is said of each column stands in the migrations of the plugin. What only a machine reads, such
as vectors, is left out: to take a bot somewhere else, use \`kikimimi backup\` or \`kikimimi move\`.

| file | lines |
| --- | --- |
${files.map(({ path, lines }) => `| ${path} | ${lines} |\n`).join('')}`
}
