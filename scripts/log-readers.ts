/**
 * Refuses SQL of plugins and packages that reads the log of messages past the service `MessageLog`, which knows the messages that may be
 * read. Part of `npm run lint`. Migrations and tests are not checked.
 *
 *   node scripts/log-readers.ts           checks the repository in the current folder
 */
import { globSync, readFileSync } from 'node:fs'

const FORBIDDEN = /\bkikimimi(?:_v1)?\.message(?![\w-])|\btold_to\b|\bbeing_forgotten\b/

const UNCHECKED = /\/node_modules\/|\/dist\/|\/migrations\/|\/schema\.sql$|\.test\.ts$|\/testing\/|\/test-[^/]+$/

/** Files that do not use `MessageLog`, with the reason. Remove a file when it does; add none without a reason that will last. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/backup/data/tables.ts': 'names the table, whose rows a backup keeps as they are',
  'packages/backup/rescue/past.ts': 'moves the rows of the table, whatever is in them',
  'packages/backup/rescue/shapes.ts': 'moves the rows of the table, whatever is in them',
  'packages/cli/commands/forget.ts': 'finds who is to be forgotten, also people whose messages are all deleted',
  'packages/replay/database-log.ts': 'a program without a bot, which reads with IS_KEPT',
  'packages/replay/versions/recorded.ts': 'a program without a bot, which reads with IS_KEPT',
  'plugins/dashboard/health/work.ts': 'reads how long answers took, and no words',
  'plugins/memory-summary/storage/readable.ts': 'asks who may read its memories, one after the other, and reads no message',
  'plugins/promises/store.ts': 'asks whether a source was deleted, which readers cannot tell from one that retention has removed',
  'plugins/remember/carrying.ts': 'asks whether an order was edited or deleted, also one that is off the record',
  'plugins/remember/finish.ts': 'deletes what people said who have opted out, which no reader gets',
}

export function isChecked(path: string): boolean {
  return /^(?:plugins|packages)\//.test(path) && !UNCHECKED.test(path)
}

/** A line for each place that is refused, and for each listed file that needs no exception any more. */
export function refusals(
  texts: ReadonlyMap<string, string>,
  exceptions: readonly string[] = Object.keys(EXCEPTIONS),
): readonly string[] {
  const found = [...texts].map(([path, text]) => {
    const lines = text.split('\n').flatMap((line, at) => {
      const [name] = FORBIDDEN.exec(line) ?? []
      return name === undefined ? [] : [`${path}:${at + 1} names ${name}. Read messages with ctx.use(MessageLog).read.`]
    })
    return { path, lines }
  })
  const readers = new Set(found.flatMap(({ path, lines }) => (lines.length > 0 ? path : [])))
  return [
    ...found.flatMap(({ path, lines }) => (exceptions.includes(path) ? [] : lines)),
    ...exceptions.flatMap(path =>
      readers.has(path) ? [] : `${path} is moved. Remove it from EXCEPTIONS in scripts/log-readers.ts.`,
    ),
  ]
}

if (import.meta.main) {
  const paths = globSync('{plugins,packages}/**/*.{ts,js,sql}', { exclude: ['**/node_modules'] }).filter(isChecked)
  const lines = refusals(new Map(paths.map(path => [path, readFileSync(path, 'utf8')])))
  for (const line of lines) console.error(line)
  if (lines.length === 0) console.log(`${Object.keys(EXCEPTIONS).length} files read the log of messages past MessageLog.`)
  process.exitCode = lines.length > 0 ? 1 : 0
}
