/** Reads the whole content of a database as text. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Database } from '../../api/index.ts'
import { testServer } from '../test-database.ts'

/** Each row of each table of each schema as text, with all columns, bytes in hex; ordered by `schema.table`. */
export async function dump(db: Database): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     order by 1`,
  )
  const dumped = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`)
    dumped.set(name, rows.map(({ row }) => row).join('\n'))
  }
  return dumped
}

/** The output of the server's own `pg_dump`. */
export async function pgDump(db: Database): Promise<string> {
  const { rows } = await db.query<{ name: string; bin: string }>(
    `select current_database() as name, (select setting from pg_config where name = 'BINDIR') as bin`,
  )
  const [{ name, bin } = { name: '', bin: '' }] = rows
  const url = Object.assign(new URL(testServer() ?? ''), { pathname: name }).href
  const run = promisify(execFile)
  const options = { maxBuffer: 1_000_000_000 }
  // A remote server has its programs elsewhere.
  const { stdout } = await run(join(bin, 'pg_dump'), [url], options).catch(() => run('pg_dump', [url], options))
  return stdout
}

/** Tables that contain one of the words, as text or in bytes, each with its first matching row. */
export function findIn(dumped: ReadonlyMap<string, string>, words: readonly string[]): readonly string[] {
  const forms = words.flatMap(word => [
    word,
    Buffer.from(word).toString('hex'),
    Buffer.from(word)
      .toString('base64')
      .replace(/.{0,2}=*$/, ''),
  ])
  return [...dumped].flatMap(([table, rows]) => {
    const row = rows.split('\n').find(one => forms.some(form => one.toLowerCase().includes(form.toLowerCase())))
    return row === undefined ? [] : `${table}: ${row.slice(0, 300)}`
  })
}
