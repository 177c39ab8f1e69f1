/** The database of the bot as a plugin uses it. */

/**
 * One interface over both homes of the bot's data: PGlite (Postgres in WebAssembly, the default, a folder)
 * and a Postgres server. The same SQL runs on both: write it for PostgreSQL 15.
 */
export interface Database {
  /** `none`: the bot runs in memory alone, and every statement rejects with DATABASE_NONE. */
  readonly kind: 'pglite' | 'postgres' | 'none'
  /**
   * Runs one statement. Inside {@link Database.transaction} it joins the transaction, independent of the caller.
   * bigint comes back as a number while it is safe, timestamptz as a Date, date as text, jsonb parsed, vector as
   * a Float32Array. A Float32Array goes in as a vector, jsonb as JSON text.
   */
  query<T = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<{ rows: T[]; rowCount: number }>
  /**
   * All or nothing: a failed statement undoes it, even when the error was caught. Nested: a savepoint.
   * Never wait for a model, a platform or a plugin in it: PGlite has one connection.
   */
  transaction<T>(run: (db: Database) => Promise<T>): Promise<T>
  /** Many statements without parameters: migrations. Returns the rows of all of them, in order. */
  script(sql: string): Promise<{ rows: Record<string, unknown>[] }>
  /** NOTIFY on `channel`, until the returned function is called. */
  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>
  /** Whether the calling code runs inside {@link Database.transaction}. */
  readonly inTransaction: boolean
  /** Statements and transactions that are running or wait for their turn. Tests wait for zero. */
  readonly inFlight: number
  /** Statements run since it was opened, those of the job queue on PGlite included. */
  readonly statements: number
  /** Housekeeping of the embedded database; nothing on a server, which does its own. */
  maintain(): Promise<void>
  /** Rewrites the files of the embedded database without what was deleted, which takes seconds for each 100 MB; nothing on a server. */
  compact(): Promise<void>
  /** Closes all connections. Statements reject afterwards. */
  close(): Promise<void>
}
