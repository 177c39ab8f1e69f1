import { setImmediate } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import { createPlaces } from '../../../base/background.ts'
import { KikimimiError } from '../../../base/errors.ts'
import { OID } from '../sql-values.ts'
import type { Connection, FreeConnections } from '../transactions.ts'
import { PgliteStatements } from './statements.ts'

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
    this.transaction = this.#places.limit(run => lite.transaction(tx => run(this.#connection(tx.exec))))
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
