/** Counts the statements of a database, by plugin. */
import type { openDatabase } from '../../core/storage/database/database.ts'
import { round } from './measure.ts'

export interface Statements {
  /** Counts from zero again. */
  begin(): void
  /** The counts per message, for this number of messages: by plugin, and the most frequent statements. */
  each(messages: number): { readonly by: Record<string, number>; readonly most: Record<string, number> }
}

/** The length of a shown statement, and the number of statements. */
const SHOWN = 90
const MOST = 12

export function countStatements(db: Awaited<ReturnType<typeof openDatabase>>): Statements {
  const counts = new Map<string, number>()
  const spy =
    <A extends [string, ...unknown[]], R>(run: (...args: A) => R, on: object) =>
    (...args: A) => {
      counts.set(args[0], (counts.get(args[0]) ?? 0) + 1)
      return run.apply(on, args)
    }
  Object.assign(db, { query: spy(db.query, db), script: spy(db.script, db) })
  // The job queue uses the embedded database directly.
  if (db.kind === 'pglite') Object.assign(db.lite, { query: spy(db.lite.query, db.lite), exec: spy(db.lite.exec, db.lite) })
  return {
    begin: () => counts.clear(),
    each(messages) {
      const perMessage = (all: ReadonlyMap<string, number>, limit: number) =>
        Object.fromEntries(
          [...all]
            .sort(([, a], [, b]) => b - a)
            .slice(0, limit)
            .map(([what, count]) => [what, round(count / messages, 3)]),
        )
      const by = new Map<string, number>()
      for (const [sql, count] of counts) by.set(ownerOf(sql), (by.get(ownerOf(sql)) ?? 0) + count)
      return { by: perMessage(by, by.size), most: perMessage(shortened(counts), MOST) }
    },
  }
}

/** The owner of the tables: a plugin, or the kernel, whose tables plugins read too. */
function ownerOf(sql: string): string {
  const schemas = [...sql.matchAll(/\b(?:from|join|into|update|table)\s+"?([a-z_]+)"?\.[a-z"]/gi)].flatMap(
    ([, schema]) => schema ?? [],
  )
  const [owner = 'none'] = schemas.toSorted((a, b) => Number(a === 'kikimimi') - Number(b === 'kikimimi'))
  return owner
}

function shortened(counts: ReadonlyMap<string, number>): Map<string, number> {
  const short = new Map<string, number>()
  for (const [sql, count] of counts) {
    const key = sql.replace(/\s+/g, ' ').trim().slice(0, SHOWN)
    short.set(key, (short.get(key) ?? 0) + count)
  }
  return short
}
