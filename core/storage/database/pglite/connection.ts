import { setImmediate } from 'node:timers/promises'
import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import { createPlaces } from '../../../base/background.ts'
import { KikimimiError } from '../../../base/errors.ts'
import { OID } from '../sql-values.ts'
import type { Connection, FreeConnections } from '../transactions.ts'

/** Milliseconds that statements may run without a break. */
const AT_A_STRETCH = 10

/** The one connection of PGlite. Its statements stay prepared, and run one after another. */
export class PgliteConnection implements FreeConnections {
  readonly query: FreeConnections['query']
  readonly script: FreeConnections['script']
  readonly transaction: FreeConnections['transaction']
  readonly statements: PgliteStatements
  readonly #places = createPlaces({ size: 1 })
  #stretch: { readonly since: number; readonly over: Promise<void> } | undefined

  constructor(lite: PGlite) {
    this.statements = new PgliteStatements(lite)
    const { query, script } = this.#connection()
    this.query = this.#places.limit(query)
    this.script = this.#places.limit(script)
    this.transaction = this.#places.limit(async run => {
      try {
        return await lite.transaction(tx => run(this.#connection(tx.exec)))
      } catch (error) {
        // PGlite has rolled back.
        this.statements.outdate()
        throw error
      }
    })
  }

  /** Runs while the connection is free, with no statement of others in between. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#places.limit(async () => {
      await this.#letOthersRun()
      return run()
    })()
  }

  /** @param exec of the transaction. Default: outside of one */
  #connection(exec?: PGlite['exec']): Connection {
    const { statements } = this
    return {
      query: async <T>(sql: string, params: readonly unknown[]) => {
        await this.#letOthersRun()
        const { rows, rowCount } = await statements.query<T>(sql, params)
        return { rows, rowCount: rowCount ?? 0 }
      },
      script: async sql => {
        await this.#letOthersRun()
        return { rows: (await statements.exec(sql, exec)).flatMap(({ rows }) => rows) }
      },
    }
  }

  /** PGlite answers within the tick: without a break a series of statements would block other work for seconds. */
  async #letOthersRun(): Promise<void> {
    this.#stretch ??= {
      since: performance.now(),
      over: setImmediate().then(() => {
        this.#stretch = undefined
      }),
    }
    if (performance.now() - this.#stretch.since >= AT_A_STRETCH) await this.#stretch.over
  }
}

// ---------------------------------------------------------------- prepared statements

const { serialize } = protocol

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>

interface Prepared {
  readonly name: string
  /** The types of its parameters. */
  readonly types: readonly number[]
  /** The message with its columns, if it returns rows. */
  readonly columns: Messages
}

/** How many statements stay prepared: more than a bot with all plugins has. */
const LIMIT = 500

/** After such a statement, a prepared one can have other columns. */
const CHANGES_TABLES = /\b(alter|create|drop|rollback|deallocate)\b/i

/**
 * Runs the statements of PGlite, and keeps them prepared. `PGlite.query` parses and plans each statement again, which takes two thirds
 * of the time of a short one, and sends five messages one by one. See
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 *
 * A plan stays as it is while its tables grow: `deallocate all` makes each statement be planned again.
 */
class PgliteStatements {
  readonly #lite: PGlite
  readonly #exec: PGlite['exec']
  /** By their text, in the order of their last use. */
  readonly #prepared = new Map<string, Prepared>()
  #count = 0
  #isStale = false

  constructor(lite: PGlite) {
    this.#lite = lite
    this.#exec = lite.exec.bind(lite)
  }

  /** Runs one statement, while the connection is free. Errors are those of Postgres, without the parameters, which can hold texts of people. */
  async query<T>(sql: string, params: readonly unknown[] = []): Promise<Results<T>> {
    const { name, types, columns } = await this.#prepare(sql)
    const values = params.map((value, at) => this.#serialize(value, types[at] ?? 0))
    const answer = await this.#send([serialize.bind({ statement: name, values }), serialize.execute({})])
    this.#isStale ||= CHANGES_TABLES.test(sql.trimStart().slice(0, 12))
    if (!this.#lite.isInTransaction()) await this.#lite.syncToFs()
    const [result] = parse.parseResults([...columns, ...answer], this.#lite.parsers)
    return result as Results<T>
  }

  /** Runs several statements. @param exec of the transaction. Default: outside of one */
  exec(sql: string, exec: PGlite['exec'] = this.#exec): ReturnType<PGlite['exec']> {
    this.#isStale ||= CHANGES_TABLES.test(sql)
    return exec(sql)
  }

  /** The tables may be others: each statement is prepared again. */
  outdate(): void {
    this.#isStale = true
  }

  async #prepare(sql: string): Promise<Prepared> {
    const known = this.#isStale ? undefined : this.#prepared.get(sql)
    if (this.#isStale) await this.#forget(this.#prepared.size)
    const prepared = known ?? (await this.#parse(sql))
    this.#prepared.delete(sql)
    this.#prepared.set(sql, prepared)
    if (this.#prepared.size > LIMIT) await this.#forget(1)
    return prepared
  }

  async #parse(text: string): Promise<Prepared> {
    const name = `kept_${++this.#count}`
    const answer = await this.#send([serialize.parse({ name, text }), serialize.describe({ type: 'S', name })])
    const columns = answer.filter(message => message.name === 'rowDescription')
    return { name, types: parse.parseDescribeStatementResults(answer), columns }
  }

  /** Forgets the statements that were not used for the longest time. Closing one that Postgres does not know is no error. */
  async #forget(count: number): Promise<void> {
    const oldest = [...this.#prepared].slice(0, count)
    for (const [sql] of oldest) this.#prepared.delete(sql)
    this.#isStale = false
    if (oldest.length > 0) await this.#send(oldest.map(([, { name }]) => serialize.close({ type: 'S', name })))
  }

  async #send(messages: readonly Uint8Array[]): Promise<Messages> {
    try {
      return await this.#lite.execProtocolStream(Buffer.concat([...messages, serialize.sync()]), { syncToFs: false })
    } catch (error) {
      // It may be a prepared statement: its tables have changed.
      this.#isStale = true
      throw error
    }
  }

  #serialize(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null
    return this.#lite.serializers[type]?.(value) ?? String(value)
  }
}

// ---------------------------------------------------------------- parameters

/**
 * Refuses parameters that PGlite accepts and a Postgres server refuses or misreads, so that the mistake appears before
 * production. The `pg` driver has no parameter types and converts by the value alone.
 */
export const strictSerializers = {
  [OID.json]: writeJson,
  [OID.jsonb]: writeJson,
  [OID.timestamptz]: writeInstant,
  [OID.timestamp]: writeDay,
  [OID.date]: writeDay,
}

function writeJson(value: unknown): string {
  if (Array.isArray(value))
    throw refused('an array for jsonb must be passed as JSON.stringify(array), because Postgres has an array type of its own')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function writeInstant(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return value
  throw refused(`a timestamptz parameter must be a Date or ISO text, not a ${typeof value}`)
}

function writeDay(value: unknown): string {
  if (typeof value === 'string') return value
  throw refused('a date or timestamp parameter must be text, because a Date would shift with the time zone of the process')
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ARGUMENT_INVALID', why)
}
