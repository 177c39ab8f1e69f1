/** The tables, columns and indexes of some schemas. */
import type { Database } from 'kikimimi'

export interface Index {
  readonly name: string
  readonly table: string
  /** The statement that makes it. */
  readonly definition: string
  readonly isValid: boolean
  /** Of a partitioned table: it cannot be built while others write. */
  readonly isPartitioned: boolean
}

export interface Catalog {
  /** Tables and views, `schema.name`. */
  readonly relations: ReadonlySet<string>
  /** `schema.table.column` */
  readonly columns: ReadonlySet<string>
  /** By `schema.name`. */
  readonly indexes: ReadonlyMap<string, Index>
}

/** Without partitions: their number depends on the date. */
export async function readCatalog(db: Database, schemas: readonly string[]): Promise<Catalog> {
  const { rows: columns } = await db.query<{ relation: string; attribute: string }>(
    `select n.nspname || '.' || c.relname as relation, a.attname as attribute
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = any($1) and c.relkind in ('r', 'p', 'v') and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
    [schemas],
  )
  const indexes = (await readIndexes(db, schemas)).filter(({ isPartition }) => !isPartition)
  return {
    relations: new Set(columns.map(({ relation }) => relation)),
    columns: new Set(columns.map(({ relation, attribute }) => `${relation}.${attribute}`)),
    indexes: new Map(indexes.map(index => [index.name, index])),
  }
}

/** All indexes, those of partitions included. */
export async function readIndexes(
  db: Database,
  schemas: readonly string[],
): Promise<readonly (Index & { readonly isPartition: boolean })[]> {
  const { rows } = await db.query<Index & { readonly isPartition: boolean }>(
    `select n.nspname || '.' || c.relname as name, i.indrelid::regclass::text as table, pg_get_indexdef(c.oid) as definition,
       i.indisvalid and i.indisready as "isValid", c.relkind = 'I' as "isPartitioned", c.relispartition as "isPartition"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) order by 1`,
    [schemas],
  )
  return rows
}

/** An identifier in SQL, `"schema"."name"`. */
export function quoted(name: string): string {
  return name
    .split('.')
    .map(part => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
