import type { Clock } from 'kikimimi'

/** Milliseconds after which people wonder whether the bot has read their question. */
const LONG = 3_000

/** Adds and removes the mark of a question. */
export interface Mark {
  set(): Promise<unknown>
  remove(): Promise<unknown>
}

/** Marks a question whose answer takes long, until the returned function is called. Failed calls are left out. */
export function markWaiting(clock: Clock, mark: Mark): () => void {
  let marked: Promise<unknown> | undefined
  const timer = clock.setTimeout(() => {
    // A call that failed may have set the mark all the same.
    marked = mark.set().catch(() => {})
  }, LONG)
  return () => {
    clock.clearTimeout(timer)
    void marked?.then(mark.remove).catch(() => {})
  }
}
