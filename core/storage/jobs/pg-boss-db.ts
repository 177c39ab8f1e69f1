/** Runs the statements of pg-boss on the bot's own database. */
import type { Db } from 'pg-boss'
import type { Database } from '../../api/index.ts'
import type { PostgresDatabase } from '../database/postgres.ts'

/** The queue of pg-boss. */
export const QUEUE = 'work'

export function throughOurs(db: Database): Pick<Db, 'executeSql'> {
  return { executeSql: (sql, values) => (values?.length ? db.query(sql, values) : db.script(sql)) }
}

/** pg-boss on the bot's own pool: one set of connections, and the bot sees every statement. */
export function onPool(db: PostgresDatabase): Db {
  return {
    ...throughOurs(db),
    setSessionStatements: statements => db.addToSession(statements),
    async listen(channel, onNotification, onReconnect) {
      const close = await db.listen(channel, onNotification)
      onReconnect()
      return { close }
    },
  }
}
