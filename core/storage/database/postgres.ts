import pg from 'pg'
import { type Clock, sleep } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { createListener, type PostgresListener } from './postgres-listener.ts'
import { createPool, type LentConnection, type PostgresPool } from './postgres-pool.ts'
import { OID, readInt8, readText, readVector, toSql } from './sql-values.ts'
import { type Connection, type FreeConnections, TransactionalDatabase } from './transactions.ts'
import { isAway } from './unavailable.ts'
import { type Place, placeOf, unreachable } from './unreachable.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
  /** For a start, at which the server can start, too: waits for half a minute for a server that is unavailable. Default: no. */
  readonly wait?: Wait | undefined
  /** The same database past a pooler such as PgBouncer. Default: `url`. */
  readonly directUrl?: string | undefined
  /** Only for reading: nothing is changed in the database, and it needs no pgvector. Default: no. */
  readonly readOnly?: boolean | undefined
  /** Largest number of connections for statements. Default 10. One more connection listens. */
  readonly connections?: number | undefined
}

export interface Wait {
  readonly clock: Clock
  readonly log: Logger
  /** Gives up. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds that a start waits for a server that is unavailable. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 1_000

/** Name of a connection that each process has while it runs. */
const LISTENING = 'kikimimi listens'

/**
 * Connects to a Postgres server and ensures that pgvector is installed. Throws DATABASE_UNREACHABLE or
 * DATABASE_EXTENSION_MISSING.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const { url, directUrl = url, connections = 10, wait, readOnly } = options
  const parsers = createParsers()
  const config: pg.ClientConfig = {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
    },
  }
  const direct = { ...config, connectionString: directUrl }
  const place = placeOf(config)
  const directPlace = placeOf(direct)
  const db: PostgresDatabase = new PostgresDatabase(
    url,
    createPool({
      ...{ config, direct, place, connections },
      session: [
        ...SESSION,
        ...(directUrl === url ? DIRECT_SESSION : []),
        ...(readOnly ? ['set default_transaction_read_only = on'] : []),
      ],
      lost: error => db.onFailure(error),
    }),
    createListener({ ...direct, application_name: LISTENING }, directPlace, error => db.onFailure(error)),
  )
  try {
    await untilAvailable(wait, () => db.query('select 1'))
    if (!readOnly) parsers.set(await findVector(db, place), readVector)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Milliseconds without traffic after which the operating system asks whether the server is there, ten times in ten seconds. */
const KEEP_ALIVE_MS = 5_000

/** As in PGlite, so that the same SQL means the same day. PgBouncer keeps this setting for each of its clients. */
const SESSION = [`set time zone 'UTC'`]

/** The server gives up a bot that is gone or frozen, and with it its locks. Not through a pooler, which would pass it on to others. */
const DIRECT_SESSION = [
  'set tcp_keepalives_idle = 5',
  'set tcp_keepalives_interval = 2',
  'set tcp_keepalives_count = 5',
  'set tcp_user_timeout = 15000',
  `set idle_in_transaction_session_timeout = '60s'`,
]

/** A Postgres server, over a pool of connections. */
export class PostgresDatabase extends TransactionalDatabase {
  readonly kind = 'postgres'
  protected readonly free: FreeConnections
  readonly #url: string
  readonly #pool: PostgresPool
  readonly #listener: PostgresListener
  #closed: Promise<unknown> | undefined

  constructor(url: string, pool: PostgresPool, listener: PostgresListener) {
    super()
    this.#url = url
    this.#pool = pool
    this.#listener = listener
    this.free = {
      query: (sql, params) => pool.lend(lent => this.#connection(lent).query(sql, params)),
      script: sql => pool.lend(lent => this.#connection(lent).script(sql)),
      transaction: run =>
        pool.lend(async lent => {
          try {
            await lent.script('begin')
            const result = await run(this.#connection(lent))
            await lent.script('commit')
            return result
          } catch (error) {
            await lent.script('rollback').catch(lent.discard)
            throw error
          }
        }),
    }
  }

  /** The URL with its password: not for logs. */
  get url(): string {
    return this.#url
  }

  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listener.listen(channel, payload => this.outside(() => on(payload)))
  }

  /** Why notifications do not arrive; see {@link PostgresListener.deaf}. */
  get deaf(): PostgresListener['deaf'] {
    return this.#listener.deaf
  }

  /**
   * Runs these statements on every connection, later ones included. For pg-boss, whose test clock is a setting of the
   * session. Call it while no statement runs.
   */
  addToSession(statements: readonly string[]): Promise<void> {
    return this.#pool.addToSession(statements)
  }

  async maintain(): Promise<void> {}

  async compact(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed ??= Promise.all([this.#listener.close(), this.#pool.close()])
    await this.#closed
  }

  #connection(lent: LentConnection): Connection {
    return {
      async query(sql, params) {
        const { rows, rowCount } = await lent.query({ ...ONE_STATEMENT, text: sql, values: params.map(toSql) })
        return { rows, rowCount: rowCount ?? 0 }
      },
      script: async sql => ({ rows: (await lent.script(sql)).flatMap(({ rows }) => rows) }),
    }
  }
}

/** Without it a query without parameters could have several statements, which PGlite refuses. */
const ONE_STATEMENT = { queryMode: 'extended' }

function createParsers(): Map<number, (text: string) => unknown> {
  const texts: (text: string) => (string | null)[] = pg.types.getTypeParser(OID.textArray)
  return new Map<number, (text: string) => unknown>([
    [OID.int8, readInt8],
    [OID.int8Array, text => texts(text).map(one => (one === null ? null : readInt8(one)))],
    [OID.date, readText],
    [OID.dateArray, texts],
    [OID.numericArray, texts],
    [OID.interval, readText],
  ])
}

// ---------------------------------------------------------------- opening

async function untilAvailable(wait: Wait | undefined, run: () => Promise<unknown>): Promise<void> {
  const until = wait && wait.clock.now() + PATIENCE_MS
  for (let attempt = 0; ; attempt++) {
    try {
      return void (await run())
    } catch (error) {
      if (!wait || !until || !isAway(error) || wait.clock.now() >= until) throw error
      if (attempt === 0) wait.log.warn(`${reason(error)} The start tries it again for ${PATIENCE_MS / 1_000} s.`)
      await sleep(wait.clock, PAUSE_MS, wait.signal)
    }
  }
}

/** The oid of the type, which differs between servers. */
async function findVector(db: PostgresDatabase, place: Place): Promise<number> {
  try {
    await db.transaction(async () => {
      // `if not exists` alone fails when two processes start at once.
      await db.query('select pg_advisory_xact_lock($1)', [EXTENSION_LOCK])
      await db.query('create extension if not exists vector')
    })
  } catch (error) {
    if (isAway(error)) throw error instanceof KikimimiError ? error : unreachable(error, place)
    throw new KikimimiError(
      'DATABASE_EXTENSION_MISSING',
      `${place.name} has no pgvector: ${reason(error)}. Install it on the server (package postgresql-<version>-pgvector), then run "create extension vector" in the database as its administrator.`,
      { cause: error },
    )
  }
  const { rows } = await db.query<{ oid: number }>(`select oid from pg_type where typname = 'vector'`)
  return rows[0]?.oid ?? 0
}

const EXTENSION_LOCK = 0x6b696b00
