import type { Database } from '../api/index.ts'

/** The folder of the migrations of the kernel's own tables. */
export const KERNEL_MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Drops the tables of the kernel with which an embedded database begins, so that those of another version can be made. Leaves a database
 * that a bot has used as it is.
 */
export async function dropNewTables(db: Database): Promise<void> {
  const { rowCount: hasTables } = await db.query(
    `select 1 from pg_tables where schemaname = 'kikimimi' and tablename in ('personas', 'conversation', 'migration') having count(*) = 3`,
  )
  if (hasTables === 0) return
  // Each start stores the personas.
  const { rowCount: isUsed } = await db.query(
    `select 1 from kikimimi.personas union all select 1 from kikimimi.conversation
     union all select 1 from kikimimi.migration where owner <> 'kikimimi' limit 1`,
  )
  if (isUsed === 0) await db.script('drop schema kikimimi, kikimimi_v1 cascade')
}
