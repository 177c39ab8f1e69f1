import type { Platform } from '../../api/index.ts'

export interface Closed {
  /** Resolves when every platform that the bot has then has closed. Companions are not waited for, unless there is nobody else. */
  readonly all: Promise<void>
  /** Call it before the bot gets others: who closes meanwhile is to be replaced. */
  hold(): void
  /** Call it when the bot has others. */
  look(): void
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

  function look(): void {
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

  return { all, hold, look }
}
