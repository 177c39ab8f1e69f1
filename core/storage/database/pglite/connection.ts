import { setImmediate } from 'node:timers/promises'
import type { PGlite, Results } from '@electric-sql/pglite'
import { createPlaces } from '../../../base/background.ts'
import { KikimimiError } from '../../../base/errors.ts'
import { OID } from '../sql-values.ts'
import type { Connection, FreeConnections } from '../transactions.ts'

type Statements = Pick<PGlite, 'query' | 'exec'>

/** Milliseconds that statements may run without a break. */
const AT_A_STRETCH = 10

/** The one connection of PGlite. Its statements stay prepared, and run one after another. */
export class PgliteConnection implements FreeConnections {
  readonly query: FreeConnections['query']
  readonly script: FreeConnections['script']
  readonly transaction: FreeConnections['transaction']
  /** The methods of PGlite itself. */
  readonly own: Statements
  readonly #places = createPlaces({ size: 1 })
  #stretch: { readonly since: number; readonly over: Promise<void> } | undefined

  constructor(lite: PGlite) {
    keepPrepared(lite)
    this.own = { query: lite.query.bind(lite), exec: lite.exec.bind(lite) }
    const { query, script } = this.#connection(this.own)
    this.query = this.#places.limit(query)
    this.script = this.#places.limit(script)
    this.transaction = this.#places.limit(run => lite.transaction(tx => run(this.#connection(tx))))
  }

  /** Runs while the connection is free, with no statement of others in between. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#places.limit(async () => {
      await this.#letOthersRun()
      return run()
    })()
  }

  #connection({ query, exec }: Statements): Connection {
    return {
      query: async <T>(sql: string, params: readonly unknown[]) => {
        await this.#letOthersRun()
        const { rows, rowCount } = await withoutParams(query<T>(sql, [...params]))
        return { rows, rowCount: rowCount ?? 0 }
      },
      script: async sql => {
        await this.#letOthersRun()
        return { rows: (await exec(sql)).flatMap(({ rows }) => rows) }
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

/** PGlite puts the parameters, which can hold texts of people, into its errors. This removes them. */
export async function withoutParams<T>(statement: Promise<Results<T>>): Promise<Results<T>> {
  try {
    return await statement
  } catch (error) {
    if (error instanceof Error) Reflect.deleteProperty(error, 'params')
    throw error
  }
}

// ---------------------------------------------------------------- prepared statements

/** How many statements stay prepared: more than a bot with all plugins has. */
const LIMIT = 500

/** After such a statement, a prepared one can have other columns. */
const CHANGES_TABLES = /\b(alter|create|drop|rollback|deallocate)\b/i

type Send = PGlite['execProtocolStream']
type Options = Parameters<Send>[1]
type Answer = Awaited<ReturnType<Send>>

interface Statement {
  /** Its text and the types of its parameters. */
  readonly key: string
  readonly name: string
  /** The answer to Describe. */
  description?: Answer
}

/**
 * Keeps the statements of PGlite prepared. PGlite parses and plans each one again, which takes two thirds of the time of a short
 * statement, and it has no option against that. So its messages to Postgres are changed: the unnamed statement gets a name, and
 * is parsed only the first time. PGlite sends Parse, Describe, Bind, Describe, Execute and Sync for a query, one query after
 * another. See https://www.postgresql.org/docs/current/protocol-message-formats.html
 *
 * A plan stays as it is while its tables grow: `deallocate all` makes each statement be planned again.
 */
function keepPrepared(lite: PGlite): void {
  const send: Send = lite.execProtocolStream.bind(lite)
  /** In the order of their last use. */
  const prepared = new Map<string, Statement>()
  let current: Statement | undefined
  let count = 0
  let isStale = false

  lite.execProtocolStream = async (message, options) => {
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'P':
        return parse(message, options)
      case 'D':
        return message[5] === 'S'.charCodeAt(0) ? describe(message, options) : send(message, options)
      case 'B':
        return bind(message, options)
      case 'Q':
        isStale ||= CHANGES_TABLES.test(textIn(message))
        return send(message, options)
      case 'S':
        return sync(message, options)
      default:
        return send(message, options)
    }
  }

  async function parse(message: Uint8Array, options: Options): Promise<Answer> {
    const key = textIn(message)
    isStale ||= CHANGES_TABLES.test(key.slice(1).trimStart().slice(0, 12))
    const known = prepared.get(key)
    current = known ?? { key, name: `kept_${++count}` }
    const answer = known ? [] : await send(withName(message, 0, current.name), options)
    prepared.delete(key)
    prepared.set(key, current)
    return answer
  }

  async function describe(message: Uint8Array, options: Options): Promise<Answer> {
    if (!current) return send(message, options)
    current.description ??= await send(withName(message, 1, current.name), options)
    return current.description
  }

  async function bind(message: Uint8Array, options: Options): Promise<Answer> {
    if (!current) return send(message, options)
    try {
      return await send(withName(message, 1, current.name), options)
    } catch (error) {
      // It may be the statement: its tables have changed.
      isStale = true
      throw error
    }
  }

  /** Ends a query, and an error of its messages: from here on Postgres takes others. */
  async function sync(message: Uint8Array, options: Options): Promise<Answer> {
    current = undefined
    const answer = await send(message, options)
    for (const statement of prepared.values()) {
      if (!isStale && prepared.size <= LIMIT) break
      prepared.delete(statement.key)
      await send(messageOf('C', Buffer.from(`S${statement.name}\0`)), options)
    }
    isStale = false
    return answer
  }
}

const HEAD = 5

function textIn(message: Uint8Array): string {
  return Buffer.from(message.subarray(HEAD)).toString()
}

/** The message with a name where its body has an empty one after so many bytes. */
function withName(message: Uint8Array, offset: number, name: string): Uint8Array {
  const at = HEAD + offset
  const body = Buffer.concat([message.subarray(HEAD, at), Buffer.from(name), message.subarray(at)])
  return messageOf(String.fromCharCode(message[0] ?? 0), body)
}

function messageOf(type: string, body: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
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
