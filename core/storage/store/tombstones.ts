/** Hashes of deleted messages and forgotten people, which outlive a restored backup. */
import type { Database, PersonKey } from '../../api/index.ts'

export interface Tombstone {
  /** A hash in hexadecimal digits. */
  readonly key: string
  /** When the message was deleted; for a person, until when their messages are forgotten. */
  readonly at: Date
}

export interface Tombstones {
  /** Those with a number above `after`, in order. */
  since(after: number): Promise<readonly (Tombstone & { readonly seq: number })[]>
  /** Adds tombstones. Returns whether there was a new or a later one. */
  add(tombstones: readonly Tombstone[]): Promise<boolean>
  /** Deletes the messages that have a tombstone. Returns the people who have to be forgotten again. */
  bury(at: Date): Promise<readonly (PersonKey & { readonly before: Date })[]>
}

const PAGE = 10_000

export function createTombstones(db: Database): Tombstones {
  return {
    async since(after) {
      const { rows } = await db.query<Tombstone & { seq: number }>(
        `select seq, key, at from kikimimi.tombstone where seq > $1 order by seq limit ${PAGE}`,
        [after],
      )
      return rows
    },

    async add(tombstones) {
      let added = 0
      for (let from = 0; from < tombstones.length; from += PAGE) {
        const page = tombstones.slice(from, from + PAGE)
        const { rowCount } = await db.query(
          `insert into kikimimi.tombstone as t (key, at)
           select key, max(at) from unnest($1::text[], $2::timestamptz[]) as given(key, at) group by key
           on conflict (key) do update set at = excluded.at, seq = default where t.at < excluded.at`,
          [page.map(({ key }) => key), page.map(({ at }) => at)],
        )
        added += rowCount
      }
      return added > 0
    },

    async bury(at) {
      const { rows } = await db.query<PersonKey & { before: Date }>(
        'select platform, person as id, before from kikimimi.bury($1)',
        [at],
      )
      return rows
    },
  }
}
