import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

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
export class PgliteStatements {
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

  /** Runs one statement. Errors are those of Postgres, without the parameters, which can hold texts of people. */
  async query<T>(sql: string, params: readonly unknown[] = []): Promise<Results<T>> {
    const lite = this.#lite
    return lite.runExclusive(async () => {
      const { name, types, columns } = await this.#prepare(sql)
      const values = params.map((value, at) => this.#serialize(value, types[at] ?? 0))
      const answer = await this.#send([serialize.bind({ statement: name, values }), serialize.execute({})])
      this.#isStale ||= CHANGES_TABLES.test(sql.trimStart().slice(0, 12))
      if (!lite.isInTransaction()) await lite.syncToFs()
      const [result] = parse.parseResults([...columns, ...answer], lite.parsers)
      return result as Results<T>
    })
  }

  /** Runs several statements. @param exec of the transaction. Default: outside of one */
  exec(sql: string, exec: PGlite['exec'] = this.#exec): ReturnType<PGlite['exec']> {
    this.#isStale ||= CHANGES_TABLES.test(sql)
    return exec(sql)
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
