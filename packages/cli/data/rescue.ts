/** `kikimimi rescue`: the data of any earlier version, as a backup of this one. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dumpTo, type Left, type Rescued, rescue } from '@kikimimi/backup'
import { reindexFacts } from '@kikimimi/facts/reindex'
import { systemClock } from 'kikimimi'
import { type OpenDatabase, openDatabase } from 'kikimimi/host'
import { withPast } from './open-past.ts'
import { migrationFolders } from './read-backup.ts'
import { refuseExisting, writeWhole } from './write-whole.ts'
import { createLog } from '../log.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress } from '../progress.ts'
import { readBot } from '../read-bot.ts'
import type { Session } from '../session.ts'

/**
 * Exit code 1 if data was lost that this version could keep.
 *
 * @throws what `withPast` throws, BACKUP_UNFIT if the file exists or cannot be written
 */
export async function runRescue(from: string, values: CommonOptions & { readonly to: string }, session: Session): Promise<void> {
  const { config, to: file, json } = values
  await refuseExisting(file, session)
  const { config: bot } = await readBot(config)
  const folders = await migrationFolders(bot)
  const log = createLog('warn')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-rescue-'))
  await using scope = new AsyncDisposableStack()
  let opening: Promise<OpenDatabase> | undefined
  // A source that cannot be read is refused before this takes a second.
  const open = () => {
    opening ??= openDatabase(join(folder.path, 'now'), { clock: systemClock, log })
    return opening
  }
  scope.defer(async () => (await opening)?.close())
  using progress = createProgress(session.stderr)
  const rescued = await withPast(from, { log, folder: folder.path, embedded: open, cwd: session.cwd }, async past =>
    rescue(await open(), past, { clock: systemClock, folders, progress: rows => progress.show(counted(rows, 'rows read')) }),
  )
  const db = await open()
  if (folders.has('facts')) await reindexFacts(db)
  await writeWhole(file, session, async out => {
    const gzip = createGzip()
    const written = pipeline(gzip, out, { signal: session.signal })
    await Promise.all([written, dumpTo(db, gzip, { clock: systemClock, jobs: rescued.jobs })])
  })
  tell(rescued, file, outputOf(json, session.stdout))
  if (losses(rescued).length > 0) session.end(1)
}

const losses = ({ kinds, left }: Rescued): readonly Left[] =>
  [...kinds.flatMap(kind => kind.left), ...left].filter(one => one.isLoss)

function tell(rescued: Rescued, file: string, { json, print }: ReturnType<typeof outputOf>): void {
  const { kinds, left, jobs } = rescued
  if (json) {
    print(JSON.stringify({ file, kinds, left, jobs: jobs.length }))
    return
  }
  for (const { what, found, taken, left: behind } of kinds) {
    print(`${what}: ${found === undefined ? 'not counted' : `${found} found`}, ${taken} taken`)
    for (const { rows, why } of behind) print(`  ${rowsOf(rows)} left, ${why}`)
  }
  for (const [why, those] of Map.groupBy(left, one => one.why))
    print(`Left, ${why}: ${those.map(({ what, rows }) => `${what} ${rowsOf(rows)}`).join(', ')}.`)
  print(`Rescued into ${file}. It holds messages of people: keep it as safe as the bot. Next: kikimimi restore ${file}`)
  if (losses(rescued).length > 0) print('Not all of it could be taken: see the lines above, and keep the old data.')
}

const rowsOf = (rows: number) => (Number.isNaN(rows) ? 'an unknown number' : `${rows}`)
