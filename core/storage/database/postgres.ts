import pg from 'pg'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { createListener, type PostgresListener } from './postgres-listener.ts'
import { OID, readInt8, readText, readVector, toSql } from './sql-values.ts'
import { type Connection, TransactionalDatabase } from './transactions.ts'
import { wrongPassword } from './wrong-password.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
  readonly log: Logger
  /** Default 10. One more connection listens. */
  readonly maxConnections?: number
}

/** Name of a connection that each process has while it runs. */
const LISTENING = 'kikimimi listens'

/**
 * Connects to a Postgres server and ensures that pgvector is installed. Throws DATABASE_UNREACHABLE or
 * DATABASE_EXTENSION_MISSING.
 */
export async function openPostgres({ url, log, maxConnections = 10 }: PostgresOptions): Promise<PostgresDatabase> {
  const parsers = createParsers()
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'kikimimi',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
    },
  }
  const place = placeOf(config)
  // As in PGlite, so that the same SQL means the same day.
  const session = [`set time zone 'UTC'`]
  const pool = new pg.Pool({
    ...config,
    max: maxConnections,
    onConnect: async client => {
      for (const sql of session) await client.query(sql)
    },
  })
  pool.on('error', error => {
    if (!pool.ending) log.warn(`lost a connection to ${place.name}: ${reason(error)}`)
  })
  const db = new PostgresDatabase(url, pool, session, createListener({ ...config, application_name: LISTENING }, log))
  try {
    parsers.set(await findVector(db, pool, place), readVector)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A Postgres server, over a pool of connections. */
export class PostgresDatabase extends TransactionalDatabase {
  readonly kind = 'postgres'
  protected readonly plain: Connection
  readonly #url: string
  readonly #pool: pg.Pool
  readonly #session: string[]
  readonly #listener: PostgresListener
  #closed: Promise<unknown> | undefined

  /** @param session statements that run on every new connection */
  constructor(url: string, pool: pg.Pool, session: string[], listener: PostgresListener) {
    super()
    this.#url = url
    this.#pool = pool
    this.#session = session
    this.#listener = listener
    this.plain = this.#connection(pool)
  }

  /** The URL with its password: not for logs. */
  get url(): string {
    return this.#url
  }

  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listener.listen(channel, payload => this.outside(() => on(payload)))
  }

  /**
   * Runs these statements on every connection, later ones included. For pg-boss, whose test clock is a setting of the
   * session. Call it while no statement runs.
   */
  async addToSession(statements: readonly string[]): Promise<void> {
    if (statements.length === 0) return
    this.#session.push(...statements)
    const clients = await Promise.all(Array.from({ length: this.#pool.totalCount }, () => this.#pool.connect()))
    for (const client of clients) {
      for (const sql of statements) await client.query(sql)
      client.release()
    }
  }

  async maintain(): Promise<void> {}

  async compact(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed ??= Promise.all([this.#listener.close(), this.#pool.end()])
    await this.#closed
  }

  protected async begin<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let lost: Error | undefined
    // The pool does not listen for errors on a connection in use, and an unhandled error ends the process.
    const onError = (error: Error) => {
      lost = error
    }
    client.on('error', onError)
    try {
      await client.query('begin')
      const result = await run(this.#connection(client))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failed: Error) => {
        lost ??= failed
      })
      throw error
    } finally {
      client.off('error', onError)
      client.release(lost)
    }
  }

  #connection(client: pg.Pool | pg.PoolClient): Connection {
    return {
      async query(sql, params) {
        const { rows, rowCount } = await client.query({ ...ONE_STATEMENT, text: sql, values: params.map(toSql) })
        return { rows, rowCount: rowCount ?? 0 }
      },
      async script(sql) {
        // One result for each statement, when there are several.
        const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
        return { rows: [results].flat().flatMap(({ rows }) => rows) }
      },
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

interface Place {
  readonly name: string
  readonly database: string
  readonly user: string
  readonly url: string
}

function placeOf(config: pg.ClientConfig): Place {
  try {
    const { host, port, database = '', user = '' } = new pg.Client(config)
    return { name: `Postgres at ${host}:${port}, database "${database}"`, database, user, url: config.connectionString ?? '' }
  } catch {
    // Without the cause: it quotes the URL with its password.
    throw new KikimimiError(
      'DATABASE_UNREACHABLE',
      'The database URL cannot be read. Write postgres://user:password@host:5432/database, with special characters of the password percent-encoded (# is %23).',
    )
  }
}

/** The oid of the type, which differs between servers. */
async function findVector(db: PostgresDatabase, pool: pg.Pool, place: Place): Promise<number> {
  try {
    ;(await pool.connect()).release()
  } catch (error) {
    throw new KikimimiError('DATABASE_UNREACHABLE', `Cannot reach ${place.name}: ${whyUnreachable(error, place)}`, {
      cause: error,
    })
  }
  try {
    await db.transaction(async () => {
      // `if not exists` alone fails when two processes start at once.
      await db.query('select pg_advisory_xact_lock($1)', [EXTENSION_LOCK])
      await db.query('create extension if not exists vector')
    })
  } catch (error) {
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

function whyUnreachable(error: unknown, { database, user, url }: Place): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Start the server, or correct host and port in DATABASE_URL.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'no such host. Correct it in DATABASE_URL.'
    case '28P01':
      return `wrong password for the user "${user}". ${wrongPassword(url)}`
    case '3D000':
      return `no such database. Make it with: createdb ${database}`
    default:
      return `${reason(error)}. Check DATABASE_URL, and that the server lets this machine in.`
  }
}
