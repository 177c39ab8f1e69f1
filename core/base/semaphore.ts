/** Limits how many calls run at once. The others wait in the order of arrival. */
export interface Semaphore {
  /** Runs `run` when a place is free. An abort while waiting leaves the queue and rejects with the signal's reason. */
  run<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSemaphore(size: number): Semaphore {
  let free = size
  // A set keeps the order and removes from its middle at no cost.
  const waiting = new Set<() => void>()

  function enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return undefined
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(next)
        reject(signal?.reason)
      }
      const next = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(next)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  function exit(): void {
    const [next] = waiting
    if (!next) {
      free++
      return
    }
    // The place goes directly to the next in the queue, so that a later caller cannot overtake.
    waiting.delete(next)
    next()
  }

  return {
    async run(run, signal) {
      await enter(signal)
      try {
        return await run()
      } finally {
        exit()
      }
    },
  }
}
