/**
 * Refuses SQL of plugins and packages that reads the log of messages past the service `MessageLog`, which knows the messages that may be
 * read. Part of `npm run lint`. Migrations and tests are not checked.
 *
 *   node scripts/log-readers.ts           checks the repository in the current folder
 */
import { globSync, readFileSync } from 'node:fs'

const FORBIDDEN = /\bkikimimi_v1\.message\b|\btold_to\b|\bbeing_forgotten\b/

const UNCHECKED = /\/node_modules\/|\/dist\/|\/migrations\/|\/schema\.sql$|\.test\.ts$|\/testing\/|\/test-[^/]+$/

/** Files that do not use `MessageLog` yet. Remove a file when it does; add none. */
export const NOT_MOVED: readonly string[] = [
  'plugins/dashboard/channels/channel.ts',
  'plugins/dashboard/channels/channels.ts',
  'plugins/dashboard/health/work.ts',
  'plugins/digest/log/load.ts',
  'plugins/memory-summary/storage/forget.ts',
  'plugins/memory-summary/storage/readable.ts',
  'plugins/memory-summary/storage/tidy.ts',
  'plugins/memory-summary/update/batch.ts',
  'plugins/memory-summary/update/due.ts',
  'plugins/memory-summary/update/heard.ts',
  'plugins/memory-summary/update/workspace.ts',
  'plugins/promises/store.ts',
  'plugins/remember/carrying.ts',
  'plugins/remember/finish.ts',
  'plugins/remember/forgetting/copies.ts',
  'plugins/remember/leave-out.ts',
  'plugins/remember/telling.ts',
]

export function isChecked(path: string): boolean {
  return /^(?:plugins|packages)\//.test(path) && !UNCHECKED.test(path)
}

/** A line for each place that is refused, and for each listed file that needs no exception any more. */
export function refusals(texts: ReadonlyMap<string, string>, notMoved = NOT_MOVED): readonly string[] {
  const found = [...texts].map(([path, text]) => {
    const lines = text.split('\n').flatMap((line, at) => {
      const [name] = FORBIDDEN.exec(line) ?? []
      return name === undefined ? [] : [`${path}:${at + 1} names ${name}. Read messages with ctx.use(MessageLog).read.`]
    })
    return { path, lines }
  })
  const readers = new Set(found.flatMap(({ path, lines }) => (lines.length > 0 ? path : [])))
  return [
    ...found.flatMap(({ path, lines }) => (notMoved.includes(path) ? [] : lines)),
    ...notMoved.flatMap(path =>
      readers.has(path) ? [] : `${path} is moved. Remove it from NOT_MOVED in scripts/log-readers.ts.`,
    ),
  ]
}

if (import.meta.main) {
  const paths = globSync('{plugins,packages}/**/*.{ts,js,sql}', { exclude: ['**/node_modules'] }).filter(isChecked)
  const lines = refusals(new Map(paths.map(path => [path, readFileSync(path, 'utf8')])))
  for (const line of lines) console.error(line)
  if (lines.length === 0) console.log(`${NOT_MOVED.length} files read the log of messages past MessageLog.`)
  process.exitCode = lines.length > 0 ? 1 : 0
}
