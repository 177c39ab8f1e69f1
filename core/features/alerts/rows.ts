/** The states that were found, in the database: for all processes, and over restarts. */
import type { Database } from '../../api/index.ts'
import type { StateName } from './states.ts'

export interface AlertRow {
  readonly name: StateName
  readonly subject: string
  readonly text: string
  readonly since: Date
  readonly seen: Date
  readonly told: readonly string[]
}

type Key = Pick<AlertRow, 'name' | 'subject'>

export interface AlertRows {
  /** A state is there now. */
  found(state: Pick<AlertRow, 'name' | 'subject' | 'text'>, now: Date): Promise<void>
  all(): Promise<readonly AlertRow[]>
  /** Marks that a target knows of the state, or not. Returns false when another process has done so: then it tells. */
  mark(state: Key, target: string, isTold: boolean): Promise<boolean>
  remove(state: Key): Promise<void>
}

export function createAlertRows(db: Pick<Database, 'query'>): AlertRows {
  return {
    async found({ name, subject, text }, now) {
      await db.query(
        `insert into kikimimi.alert as a (name, subject, text, since, seen) values ($1, $2, $3, $4, $4)
         on conflict (name, subject) do update set text = excluded.text, seen = greatest(a.seen, excluded.seen)`,
        [name, subject, text, now],
      )
    },

    async all() {
      const { rows } = await db.query<AlertRow>('select * from kikimimi.alert order by since, name, subject')
      return rows
    },

    async mark({ name, subject }, target, isTold) {
      const { rowCount } = await db.query(
        `update kikimimi.alert set told = case when $4 then array_append(told, $3::text) else array_remove(told, $3::text) end
         where name = $1 and subject = $2 and ($3 = any(told)) <> $4`,
        [name, subject, target, isTold],
      )
      return rowCount > 0
    },

    async remove({ name, subject }) {
      await db.query('delete from kikimimi.alert where name = $1 and subject = $2', [name, subject])
    },
  }
}
