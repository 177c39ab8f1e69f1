import type { Clock } from 'kikimimi'

/** What is asked for again and again under the same id, remembered for a while. */
export interface Lookup<T> {
  /** `otherwise` when it cannot be told, or not soon enough; what was known before goes before that. */
  get(id: string, otherwise: T): Promise<T>
  /** What is known already. */
  peek(id: string): T | undefined
  set(id: string, value: T): void
  /** Changes what is known; nothing happens when nothing is. */
  change(id: string, change: (value: T) => T): void
  forget(id: string): void
}

export interface LookupOptions<T> {
  readonly load: (id: string) => Promise<T>
  readonly clock: Clock
  /** How many are remembered. */
  readonly size: number
  readonly ttlMs: number
  /** Whoever asks waits no longer; the answer is remembered all the same. */
  readonly patienceMs: number
}

interface Entry<T> {
  value: Promise<T>
  until: number
  /** The last value that was told. */
  last?: { readonly value: T }
}

/** A failure is remembered for so long, so that it is no storm. */
const FAILED_MS = 60_000

export function createLookup<T>({ load, clock, size, ttlMs, patienceMs }: LookupOptions<T>): Lookup<T> {
  const entries = new Map<string, Entry<T>>()

  function keep(id: string, entry: Entry<T>): Entry<T> {
    entries.delete(id)
    entries.set(id, entry)
    if (entries.size > size) entries.delete(entries.keys().next().value ?? '')
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
