import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createPlaces } from '../../base/background.ts'
import { KikimimiError } from '../../base/errors.ts'
import { createSilenceWatch, destroy, type WatchedClient, whichWork } from './silence.ts'
import { lostOr, type Place, unreachable } from './unreachable.ts'

/** One connection while it is lent. Its statements reject when the server falls silent. */
export interface LentConnection {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** Statements without parameters. */
  script(sql: string): Promise<pg.QueryResult[]>
  /** Closes it instead of lending it again. */
  discard(why: Error): void
}

export interface PostgresPool {
  /** Lends a connection. One that broke meanwhile is not lent again. */
  lend<T>(use: (connection: LentConnection) => Promise<T>): Promise<T>
  /** Runs these statements on all connections, later ones included. Call it while no statement runs. */
  addToSession(statements: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface PoolOptions {
  readonly config: pg.ClientConfig
  /** For questions about silent statements: past a pooler, if there is one. */
  readonly direct: pg.ClientConfig
  readonly place: Place
  readonly connections: number
  /** Statements that run on every new connection. */
  readonly session: readonly string[]
  /** Gets the error of a connection that was lost while it was not lent. */
  lost(error: Error): void
}

/** Milliseconds until a new connection answers. */
export const CONNECT_MS = 4_000
/** Milliseconds that a statement waits for one of the connections. */
const WAIT_MS = 10_000

const END = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)'

class NamedClient extends pg.Client implements WatchedClient {
  readonly name: string

  constructor(config: pg.ClientConfig) {
    const name = `kikimimi ${randomBytes(4).toString('hex')}`
    super({ ...config, application_name: name, connectionTimeoutMillis: CONNECT_MS })
    this.name = name
  }
}

export function createPool({ config, direct, place, connections, session: first, lost }: PoolOptions): PostgresPool {
  const session = [...first]
  const idle = new Set<NamedClient>()
  const late = () => new KikimimiError('DATABASE_UNREACHABLE', `No connection to the database was free for ${WAIT_MS / 1_000} s.`)
  const places = createPlaces({ size: connections, limit: { ms: WAIT_MS, late } })
  /** Names of connections that were destroyed while the server may still hold locks for them. */
  let abandoned: string[] = []
  const watch = createSilenceWatch({
    ask: clients => whichWork(direct, clients),
    destroyed: clients => {
      // The next statements would wait for each of them in turn.
      for (const client of idle) destroy(client)
      abandoned.push(...[...clients, ...idle].map(({ name }) => name))
    },
  })

  /** The server has not noticed their end: a packet that tells it was lost, too. */
  async function endAbandoned(client: NamedClient): Promise<void> {
    const names = abandoned
    abandoned = []
    if (names.length === 0) return
    await watch.run(client, () => client.query(END, [names])).catch(() => abandoned.push(...names))
  }

  const pool = new pg.Pool({
    ...config,
    max: connections,
    connectionTimeoutMillis: WAIT_MS,
    Client: NamedClient as unknown as new () => pg.ClientBase,
    onConnect: async given => {
      const client = given as NamedClient
      await watch.run(client, () => client.query(session.join('; ')))
      await endAbandoned(client)
    },
  })
  pool.on('error', error => {
    if (!pool.ending) lost(error)
  })
  pool.on('remove', client => idle.delete(client as unknown as NamedClient))

  async function borrow(): Promise<NamedClient & Pick<pg.PoolClient, 'release'>> {
    const connected = await pool.connect().catch((error: unknown) => {
      throw unreachable(error, place)
    })
    const client = connected as unknown as NamedClient & pg.PoolClient
    idle.delete(client)
    return client
  }

  async function lend<T>(use: (connection: LentConnection) => Promise<T>): Promise<T> {
    const client = await borrow()
    let broken: Error | undefined
    // The pool does not listen for errors on a connection in use, and an unhandled error ends the process.
    const onError = (error: Error) => {
      broken ??= error
    }
    client.on('error', onError)
    const run = <R>(statement: () => Promise<R>) =>
      watch.run(client, statement).catch((error: unknown) => {
        throw lostOr(error, place)
      })
    try {
      return await use({
        query: query => run(() => client.query(query)),
        async script(sql) {
          // One result for each statement, when there are several.
          const results: pg.QueryResult | pg.QueryResult[] = await run(() => client.query(sql))
          return [results].flat()
        },
        discard: onError,
      })
    } finally {
      client.off('error', onError)
      if (!broken) idle.add(client)
      client.release(broken)
    }
  }

  return {
    lend: places.limit(lend),

    async addToSession(statements) {
      if (statements.length === 0) return
      session.push(...statements)
      const clients = await Promise.all(Array.from({ length: pool.totalCount }, borrow))
      for (const client of clients) {
        await client.query(statements.join('; '))
        idle.add(client)
        client.release()
      }
    },

    close: () => pool.end(),
  }
}
