/** The database of the bot as a plugin uses it. */

/**
 * One interface for both databases: PGlite (Postgres in WebAssembly, the default, a folder) and a Postgres server. The same
 * SQL runs on both. Write it for PostgreSQL 15.
 */
export interface Database {
  /** `none`: the bot runs in memory alone, and every statement rejects with DATABASE_NONE. */
  readonly kind: 'pglite' | 'postgres' | 'none'
  /**
   * Runs one statement. Inside {@link Database.transaction} it joins the transaction. A safe bigint comes back as a number,
   * timestamptz as a Date, date as text, jsonb parsed, vector as a Float32Array. A Float32Array goes in as a vector, jsonb
   * as JSON text.
   */
  query<T = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<{ rows: T[]; rowCount: number }>
  /**
   * Runs a transaction. A failed statement undoes all of it, even when the caller caught the error. A nested transaction is
   * a savepoint. Never wait for a model, a platform or a plugin in it: PGlite has one connection.
   */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>
  /** Runs many statements without parameters, such as migrations. Returns the rows of all statements, in order. */
  script(sql: string): Promise<{ rows: Record<string, unknown>[] }>
  /** Listens for NOTIFY on `channel`. The returned function ends it. */
  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>
  /** Whether the calling code runs inside {@link Database.transaction}. */
  readonly inTransaction: boolean
  /** The number of statements and transactions that run or wait. Tests wait for zero. */
  readonly inFlight: number
  /** The number of statements since it was opened, those of the job queue on PGlite included. */
  readonly statements: number
  /** Does the housekeeping of the embedded database. A server does its own; there it does nothing. */
  maintain(): Promise<void>
  /**
   * Rewrites the files of the embedded database without deleted rows. This takes seconds for each 100 MB. On a server it
   * does nothing.
   */
  compact(): Promise<void>
  /** Closes all connections. Statements reject afterwards. */
  close(): Promise<void>
}
