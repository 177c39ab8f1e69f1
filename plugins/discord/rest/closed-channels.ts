import { type Clock, KikimimiError } from 'kikimimi'
import { sentence } from './errors.ts'

/** How long a channel counts as closed when nobody says that it was opened again. */
const LIFETIME = 10 * 60_000
const REMEMBERED = 1_000

/**
 * Channels where Discord refuses something for good. What is not worth an error there (typing, history) is left out, for
 * every refused call counts towards Discord's ban of those who make 10,000 in ten minutes.
 */
export interface Closed {
  has(channel: string): boolean
  /** Throws when it is. */
  check(channel: string): void
  /** Notes by its outcome whether the channel is closed. */
  watch<T>(channel: string, run: () => Promise<T>): Promise<T>
  /** Somebody changed what the bot may do. */
  forget(): void
}

/** @param isRefusal whether what a call threw says: not in this channel, and not soon */
export function createClosed(clock: Clock, isRefusal: (error: unknown) => boolean): Closed {
  const since = new Map<string, { readonly at: number; readonly why: string }>()

  function why(channel: string): string | undefined {
    const found = since.get(channel)
    return found && clock.now() - found.at < LIFETIME ? found.why : undefined
  }

  return {
    has: channel => why(channel) !== undefined,

    check(channel) {
      const told = why(channel)
      if (told !== undefined) throw new KikimimiError('PLATFORM_REFUSED', told)
    },

    async watch(channel, run) {
      try {
        const done = await run()
        since.delete(channel)
        return done
      } catch (error) {
        if (isRefusal(error)) {
          since.delete(channel)
          since.set(channel, { at: clock.now(), why: sentence(error) })
          if (since.size > REMEMBERED) since.delete(since.keys().next().value ?? '')
        }
        throw error
      }
    },

    forget: () => since.clear(),
  }
}
