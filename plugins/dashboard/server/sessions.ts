import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from 'kikimimi'

/** A session is valid for a week after its last use. */
export const LIFETIME = 7 * 24 * 60 * 60_000

/** Maximum number of sessions. The oldest is deleted. */
const MOST = 1_000

export interface Sessions {
  /** A new session for the right password; undefined otherwise. */
  begin(password: string): string | undefined
  holds(session: string): boolean
  end(session: string): void
}

/** In memory: a restart ends all sessions. */
export function createSessions(password: string, clock: Pick<Clock, 'now'>): Sessions {
  const until = new Map<string, number>()
  const known = digest(password)
  return {
    begin(given) {
      if (!timingSafeEqual(digest(given), known)) return undefined
      const session = randomBytes(32).toString('base64url')
      until.set(session, clock.now() + LIFETIME)
      if (until.size > MOST) until.delete(until.keys().next().value ?? '')
      return session
    },
    holds: session => (until.get(session) ?? 0) > clock.now(),
    end: session => void until.delete(session),
  }
}

/** Hashes have equal lengths, so the time of the comparison shows nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
