import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../api/index.ts'

/** Runs statements: a database, or the one connection of a transaction. */
export interface Connection {
  query<T>(sql: string, params: readonly unknown[]): Promise<{ rows: T[]; rowCount: number }>
  script(sql: string): Promise<{ rows: Record<string, unknown>[] }>
}

/** Statements and transactions, each on a connection that is free. */
export interface FreeConnections extends Connection {
  /** Runs the function between begin and commit, on one connection. Rolls back and rejects when it rejects. */
  transaction<T>(run: (connection: Connection) => Promise<T>): Promise<T>
}

/**
 * The part of a Database that both kinds share: which call joins which transaction, and the order of statements.
 * A transaction, and each savepoint in it, runs its statements one after another. It ends after all statements that were
 * requested before its end. Code that still holds it afterwards uses the transaction around it: the outer one while that is
 * open, otherwise none.
 */
export abstract class TransactionalDatabase implements Database {
  abstract readonly kind: Database['kind']
  readonly #context = new AsyncLocalStorage<Transaction | undefined>()
  /** Gets the error of each failed statement and transaction, and of each lost connection. */
  onFailure: (error: unknown) => void = () => {}
  #inFlight = 0
  #statements = 0

  protected abstract readonly free: FreeConnections
  abstract listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>
  abstract maintain(): Promise<void>
  abstract compact(): Promise<void>
  abstract close(): Promise<void>

  get inTransaction(): boolean {
    return this.#current() !== undefined
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get statements(): number {
    return this.#statements
  }

  query<T = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<{ rows: T[]; rowCount: number }> {
    return this.#run(connection => connection.query<T>(sql, params))
  }

  script(sql: string): Promise<{ rows: Record<string, unknown>[] }> {
    return this.#run(connection => connection.script(sql))
  }

  async transaction<T>(run: (db: Database) => Promise<T>): Promise<T> {
    const outer = this.#current()
    this.#inFlight++
    try {
      if (outer) return await outer.turn(() => this.#savepoint(outer, run))
      return await this.free.transaction(connection => this.#inside(new Transaction(connection), run))
    } catch (error) {
      this.onFailure(error)
      throw error
    } finally {
      this.#inFlight--
    }
  }

  /** Counts a statement while it runs. */
  protected async counted<T>(run: () => Promise<T>): Promise<T> {
    this.#statements++
    this.#inFlight++
    try {
      return await run()
    } catch (error) {
      this.onFailure(error)
      throw error
    } finally {
      this.#inFlight--
    }
  }

  /** For callbacks, which otherwise inherit the transaction of the code that triggered them. */
  protected outside<T>(run: () => T): T {
    return this.#context.run(undefined, run)
  }

  #run<T>(statement: (connection: Connection) => Promise<T>): Promise<T> {
    const transaction = this.#current()
    return this.counted(async () => {
      if (!transaction) return statement(this.free)
      return transaction.turn(() => transaction.spoiledBy(() => statement(transaction.connection)))
    })
  }

  #current(): Transaction | undefined {
    let transaction = this.#context.getStore()
    while (transaction && !transaction.open) transaction = transaction.outer
    return transaction
  }

  async #savepoint<T>(outer: Transaction, run: (db: Database) => Promise<T>): Promise<T> {
    // Savepoints of one name stack up, and ours are strictly nested.
    await outer.spoiledBy(() => outer.connection.script('savepoint nested'))
    try {
      const result = await this.#inside(new Transaction(outer.connection, outer), run)
      await outer.connection.script('release savepoint nested')
      return result
    } catch (error) {
      const undo = () => outer.connection.script('rollback to savepoint nested; release savepoint nested')
      await outer.spoiledBy(undo).catch(() => {})
      throw error
    }
  }

  async #inside<T>(transaction: Transaction, run: (db: Database) => Promise<T>): Promise<T> {
    let result: T
    try {
      result = await this.#context.run(transaction, () => run(this))
    } finally {
      await transaction.end()
    }
    // Postgres turns the commit of a transaction with a failed statement into a rollback without an error.
    if (transaction.failure) throw transaction.failure.error
    return result
  }
}

class Transaction {
  readonly connection: Connection
  readonly outer: Transaction | undefined
  open = true
  failure: { readonly error: unknown } | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: Connection, outer?: Transaction) {
    this.connection = connection
    this.outer = outer
  }

  /** Runs the function after everything that was requested before it. */
  turn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run)
    this.#last = result.catch(() => {})
    return result
  }

  async spoiledBy<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement()
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }

  async end(): Promise<void> {
    this.open = false
    await this.#last
  }
}
