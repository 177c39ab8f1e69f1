import type { PluginContext } from '../../api/index.ts'

/** A cache of a small table that is read for every message and rarely changes. */
export interface Cached<T> {
  /** The content of the table: the same promise while it is kept. Rejects when it cannot be read; the next call reads again. */
  read(): Promise<T>
  /** The content that `read` would return, when it is there without a wait. */
  peek(): T | undefined
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
  let known: { readonly value: Promise<T>; readonly at: number; loaded?: T } | undefined
  const forget = () => {
    known = undefined
  }
  scope.defer(await db.listen(name, forget))

  function loading() {
    const begun: NonNullable<typeof known> = { value: Promise.try(load), at: clock.now() }
    begun.value.then(
      loaded => {
        begun.loaded = loaded
      },
      () => {
        if (known === begun) forget()
      },
    )
    return begun
  }

  // Without `abs`, a clock that is set back would extend the life of the cache.
  const isStale = (at: number) => lasts < Number.POSITIVE_INFINITY && Math.abs(clock.now() - at) >= lasts

  return {
    read() {
      if (!known || isStale(known.at)) known = loading()
      return known.value
    },

    peek: () => (known && !isStale(known.at) ? known.loaded : undefined),

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
