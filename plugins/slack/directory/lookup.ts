import { type Clock, RecentMap } from 'kikimimi'

/** A cache for repeated requests by id. */
export interface Lookup<T> {
  /** `otherwise` is returned after an error or a timeout, unless an older value is known. */
  get(id: string, otherwise: T): Promise<T>
  /** The cached value. */
  peek(id: string): T | undefined
  set(id: string, value: T): void
  /** Changes a cached value, if there is one. */
  change(id: string, change: (value: T) => T): void
  forget(id: string): void
}

export interface LookupOptions<T> {
  readonly load: (id: string) => Promise<T>
  readonly clock: Clock
  /** Maximum number of values. */
  readonly size: number
  readonly ttlMs: number
  /** Maximum wait of a caller. The response is cached anyway. */
  readonly patienceMs: number
}

interface Entry<T> {
  value: Promise<T>
  until: number
  /** The last value. */
  last?: { readonly value: T }
}

/** An error is cached for this long, to limit the number of requests. */
const FAILED_MS = 60_000

export function createLookup<T>({ load, clock, size, ttlMs, patienceMs }: LookupOptions<T>): Lookup<T> {
  const entries = new RecentMap<Entry<T>>(size)

  function keep(id: string, entry: Entry<T>): Entry<T> {
    entries.set(id, entry)
    return entry
  }

  function ask(id: string): Entry<T> {
    const known = entries.get(id)
    if (known && known.until > clock.now()) return known
    const entry: Entry<T> = { value: load(id), until: clock.now() + ttlMs, ...(known?.last && { last: known.last }) }
    entry.value.then(
      value => {
        entry.last = { value }
      },
      () => {
        entry.until = clock.now() + FAILED_MS
      },
    )
    return keep(id, entry)
  }

  return {
    async get(id, otherwise) {
      const entry = ask(id)
      const { promise: late, reject } = Promise.withResolvers<never>()
      const timer = clock.setTimeout(() => reject(new Error('late')), patienceMs)
      try {
        return await Promise.race([entry.value, late])
      } catch {
        return entry.last ? entry.last.value : otherwise
      } finally {
        clock.clearTimeout(timer)
      }
    },

    peek: id => entries.get(id)?.last?.value,

    set: (id, value) => void keep(id, { value: Promise.resolve(value), until: clock.now() + ttlMs, last: { value } }),

    change(id, change) {
      const last = entries.get(id)?.last
      if (last) this.set(id, change(last.value))
    },

    forget: id => void entries.delete(id),
  }
}
