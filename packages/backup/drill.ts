/** A restore that is only a test: into a database in memory, which is compared with the backup. */
import { type Clock, type Database, KikimimiError } from 'kikimimi'
import { type Content, contentOf, createTableSums } from './data/checksums.ts'
import { type RestoreOptions, restore } from './data/restore.ts'
import { migrationsOf, rowsOf, tablesOf } from './data/tables.ts'

export interface Drilled {
  /** What the backup holds. */
  readonly content: Content
  /** Tables of plugins that this bot does not have: they were not restored. */
  readonly left: readonly string[]
}

/**
 * @param db an empty database, which holds the backup afterwards
 * @param read the lines of the backup; it is read twice
 * @throws BACKUP_UNREADABLE for a backup that is not complete, BACKUP_DIFFERS if the database does not hold what the backup has
 */
export async function drill(
  db: Database,
  read: () => AsyncIterable<string>,
  options: RestoreOptions & { readonly clock: Clock },
): Promise<Drilled> {
  const content = await contentOf(read())
  const { left, jobs } = await restore(db, read(), options)
  const restored = await sumsOf(db)
  const wrong = Object.entries(content.tables).filter(
    ([table, { rows, sum }]) => !left.includes(table) && (restored[table]?.rows !== rows || restored[table]?.sum !== sum),
  )
  if (wrong.length > 0 || jobs.length !== content.jobs) {
    const list = wrong.map(([table, { rows }]) => `${table} (${rows} rows in the backup, ${restored[table]?.rows ?? 0} restored)`)
    throw new KikimimiError('BACKUP_DIFFERS', `The restored tables differ from the backup: ${list.join(', ')}.`)
  }
  return { content, left }
}

async function sumsOf(db: Database): Promise<Content['tables']> {
  const sums = createTableSums()
  await db.transaction(async () => {
    for (const table of await tablesOf(db, await migrationsOf(db)))
      for await (const row of rowsOf(db, table)) sums.add(table.name, row)
  })
  return sums.all
}
