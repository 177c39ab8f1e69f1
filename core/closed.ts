import type { Platform } from './plugin.ts'

export interface Closed {
  /** Resolves when every platform that the bot has then has closed. */
  readonly all: Promise<void>
  /** Call it when the bot has others. */
  look(): void
}

export function whenClosed(platforms: ReadonlyMap<string, Platform>): Closed {
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const watched = new WeakSet<Platform>()
  const closed = new WeakSet<Platform>()

  function look(): void {
    const now = [...platforms.values()]
    // None at all: others are about to come.
    if (now.length > 0 && now.every(platform => closed.has(platform))) resolve()
    for (const platform of now) {
      if (watched.has(platform)) continue
      watched.add(platform)
      void platform.closed?.then(() => {
        closed.add(platform)
        look()
      })
    }
  }

  return { all, look }
}
