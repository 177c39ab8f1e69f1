import type { PluginContext } from '../../api/index.ts'

/** A cache of a small table that is read for every message and rarely changes. */
export interface Cached<T> {
  /** The content of the table. Rejects when it cannot be read; the next call reads again. */
  read(): Promise<T>
  /** The content, when it is in memory and `read` would return it. */
  latest(): T | undefined
  /** Changes the table. When it resolves, the next `read` returns the change, and other processes are notified. */
  write<R>(change: () => Promise<R>): Promise<R>
}

/**
 * A NOTIFY reports a change to the other processes. A lost notification is made up for by reading again after this time.
 */
const STALE_MS = 5_000

/**
 * Keeps the content of a small table of the plugin in memory, when it is read for every message and written seldom. `load` reads the
 * table; all changes go through `write`. It is not for answers of the web: a {@link RecentMap} with times keeps them.
 *
 * @param name name of the table, and channel of the NOTIFY
 */
export async function cached<T>(
  { db, clock, scope }: Pick<PluginContext, 'db' | 'clock' | 'scope'>,
  name: string,
  load: () => Promise<T>,
): Promise<Cached<T>> {
  /** The embedded database has one process. */
  const lasts = db.kind === 'pglite' ? Number.POSITIVE_INFINITY : STALE_MS
  let known: { readonly value: Promise<T>; readonly at: number; content?: T } | undefined
  const forget = () => {
    known = undefined
  }
  scope.defer(await db.listen(name, forget))

  function loading() {
    const begun: NonNullable<typeof known> = { value: load(), at: clock.now() }
    begun.value.then(
      content => {
        begun.content = content
      },
      () => {
        if (known === begun) forget()
      },
    )
    return begun
  }

  // Without `abs`, a clock that is set back would extend the life of the cache.
  const fresh = () => (known && Math.abs(clock.now() - known.at) < lasts ? known : undefined)

  return {
    async read() {
      known = fresh() ?? loading()
      return known.value
    },

    latest: () => fresh()?.content,

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
