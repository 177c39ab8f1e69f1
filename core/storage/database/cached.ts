import type { PluginContext } from '../../api/index.ts'

/** A small table that is asked for with every message and hardly ever changes, kept in memory. */
export interface Cached<T> {
  /** Rejects when it cannot be read; the next call reads again. */
  read(): Promise<T>
  /** Changes the table. When it resolves the next `read` knows, and the other processes hear of it. */
  write<R>(change: () => Promise<R>): Promise<R>
}

/** A NOTIFY tells the other processes of a change. Should it be lost with a connection, they have read again by then. */
const STALE_MS = 5_000

/** @param name of the table: the channel of the NOTIFY */
export async function cached<T>(
  { db, clock, scope }: Pick<PluginContext, 'db' | 'clock' | 'scope'>,
  name: string,
  load: () => Promise<T>,
): Promise<Cached<T>> {
  /** The embedded database has one process. */
  const lasts = db.kind === 'pglite' ? Number.POSITIVE_INFINITY : STALE_MS
  let known: { readonly value: Promise<T>; readonly at: number } | undefined
  const forget = () => {
    known = undefined
  }
  scope.defer(await db.listen(name, forget))

  function loading() {
    const begun = { value: load(), at: clock.now() }
    begun.value.catch(() => {
      if (known === begun) forget()
    })
    return begun
  }

  return {
    async read() {
      // A clock that was set back would keep it for as long.
      if (!known || Math.abs(clock.now() - known.at) >= lasts) known = loading()
      return known.value
    },

    async write(change) {
      try {
        return await change()
      } finally {
        forget()
        await db.query(`select pg_notify($1, '')`, [name]).catch(() => {})
      }
    },
  }
}
