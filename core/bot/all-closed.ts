import type { Platform } from '../api/index.ts'

export interface Closed {
  /** Resolves when all present platforms have closed. A companion counts only when there is no other platform. */
  readonly all: Promise<void>
  /** Call it before a reload replaces platforms: a closed platform then does not end the bot. */
  hold(): void
  /** Call it after the reload. */
  refresh(): void
}

export function whenClosed(platforms: ReadonlyMap<string, Platform>): Closed {
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const watched = new WeakSet<Platform>()
  const closed = new WeakSet<Platform>()
  let isHeld = false

  function decide(): void {
    const now = [...platforms.values()]
    const keeping = now.filter(({ companion }) => !companion)
    const awaited = keeping.length > 0 ? keeping : now
    if (!isHeld && awaited.length > 0 && awaited.every(platform => closed.has(platform))) resolve()
  }

  function hold(): void {
    isHeld = true
  }

  function refresh(): void {
    isHeld = false
    decide()
    for (const platform of platforms.values()) {
      if (watched.has(platform)) continue
      watched.add(platform)
      void platform.closed?.then(() => {
        closed.add(platform)
        decide()
      })
    }
  }

  return { all, hold, refresh }
}
