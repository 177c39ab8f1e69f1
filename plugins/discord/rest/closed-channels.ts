import { type Clock, KikimimiError, RecentMap } from 'kikimimi'
import { sentence } from './errors.ts'

/** Time that a channel counts as closed, unless Discord reports a change. */
const LIFETIME = 10 * 60_000
const REMEMBERED = 1_000

/**
 * Channels that refuse a call permanently. Unimportant calls (typing, history) are skipped there, because every refused
 * call counts towards Discord's ban at 10,000 in ten minutes.
 */
export interface Closed {
  has(channel: string): boolean
  /** Throws if the channel is closed. */
  check(channel: string): void
  /** Runs a call, and stores from its outcome whether the channel is closed. */
  watch<T>(channel: string, run: () => Promise<T>): Promise<T>
  /** Permissions of the bot have changed. */
  forget(): void
}

/** @param isRefusal whether an error means a lasting refusal in this channel */
export function createClosed(clock: Clock, isRefusal: (error: unknown) => boolean): Closed {
  const since = new RecentMap<{ readonly at: number; readonly why: string }>(REMEMBERED)

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
          since.set(channel, { at: clock.now(), why: sentence(error) })
        }
        throw error
      }
    },

    forget: () => since.clear(),
  }
}
