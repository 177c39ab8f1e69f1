import type { PGlite } from '@electric-sql/pglite'
import { inBackground } from '../../../base/background.ts'
import type { Clock } from '../../../base/clock.ts'
import { reason } from '../../../base/errors.ts'
import type { Logger } from '../../../base/log.ts'
import { type FreeConnections, TransactionalDatabase } from '../transactions.ts'
import { PgliteConnection } from './connection.ts'
import type { DataFolder } from './data-folder.ts'

const DAY = 24 * 60 * 60 * 1000

/** Postgres in this process. It has one connection: statements and transactions run one after another. */
export class PgliteDatabase extends TransactionalDatabase {
  readonly kind = 'pglite'
  /**
   * The PGlite instance for the job queue. A call to it inside a transaction waits for itself for ever: give pg-boss its
   * `db` option there.
   */
  readonly lite: PGlite
  protected readonly free: FreeConnections
  readonly #connection: PgliteConnection
  readonly #folder: DataFolder | undefined
  readonly #clock: Clock
  readonly #log: Logger
  #closed: Promise<void> | undefined
  #undoes = false

  constructor(lite: PGlite, folder: DataFolder | undefined, clock: Clock, log: Logger) {
    super()
    const connection = new PgliteConnection(lite)
    const { statements } = connection
    this.free = connection
    this.#connection = connection
    // pg-boss uses PGlite directly, and its statements count too.
    const ofQueue = <T>(run: () => Promise<T>) => inBackground(() => this.counted(() => connection.alone(run)))
    lite.query = <T>(sql: string, params?: unknown[]) => ofQueue(() => statements.query<T>(sql, params))
    lite.exec = sql => ofQueue(() => statements.exec(sql))
    this.lite = lite
    this.#folder = folder
    this.#clock = clock
    this.#log = log
  }

  async listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>> {
    const name = `"${channel.replaceAll('"', '""')}"`
    const listener = (payload: string) => this.outside(() => on(payload))
    await this.lite.listen(name, listener)
    // The function that PGlite returns does not quote the channel.
    return () => this.lite.unlisten(name, listener)
  }

  /** Why the files of its folder cannot be used; nothing when they can. Postgres keeps them open, and may not notice. */
  async unusable(): Promise<string | undefined> {
    return this.#folder?.unusable()
  }

  /** Call it every few minutes: PGlite has no background process for it. */
  async maintain(): Promise<void> {
    await this.lite.exec('checkpoint')
    // Plans that were made when tables were small.
    await this.lite.exec('deallocate all')
    // Kept with the data, so that a bot that restarts every day is vacuumed too.
    const { rows } = await this.lite.query<{ vacuumed: string | null }>(
      `select shobj_description(oid, 'pg_database') as vacuumed from pg_database where datname = current_database()`,
    )
    const now = this.#clock.now()
    if (now - Date.parse(rows[0]?.vacuumed ?? '') < DAY) return
    await this.lite.exec('vacuum (analyze)')
    await this.lite.exec(`comment on database postgres is '${new Date(now).toISOString()}'`)
  }

  /** Whether a process that was killed between {@link beginUpgrade} and {@link endUpgrade} has left a copy of the data folder. */
  get isUpgrading(): boolean {
    return this.#folder?.copied ?? false
  }

  /**
   * Copies the data folder. Until {@link endUpgrade}, `close` gives the folder the state of the copy. The copy of a process that was killed
   * counts.
   */
  async beginUpgrade(): Promise<void> {
    const folder = this.#folder
    if (!folder) return
    await this.lite.exec('checkpoint')
    await this.#connection.alone(() => folder.copy())
    this.#undoes = true
  }

  async endUpgrade(): Promise<void> {
    if (!this.#undoes) return
    this.#undoes = false
    await this.#folder?.dropCopy()
  }

  async compact(): Promise<void> {
    // ANALYZE keeps values in samples, and the write-ahead log keeps them in files that are reused without being erased.
    await this.lite.exec('set wal_recycle = off')
    await this.lite.exec('analyze')
    await this.lite.exec('vacuum full')
    await this.lite.exec('checkpoint')
    await this.lite.exec('select pg_switch_wal()')
    await this.lite.exec('checkpoint')
    await this.lite.exec('reset wal_recycle')
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    try {
      await this.lite.exec('checkpoint')
    } catch (error) {
      this.#log.warn(`the last checkpoint failed: ${reason(error)}`)
    }
    await this.lite.close()
    try {
      if (this.#undoes && this.#folder) {
        this.#folder.putBack()
        this.#log.warn(`The upgrade of the tables has not ended. The data folder ${this.#folder.path} is as it was before it.`)
      }
    } finally {
      this.#folder?.release()
    }
  }
}
