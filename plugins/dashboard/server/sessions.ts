import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from 'kikimimi'

/** Who was here within the week does not log in again. */
export const LIFETIME = 7 * 24 * 60 * 60_000

/** The oldest goes. */
const MOST = 1_000

export interface Sessions {
  /** A new session for who knows the password; nothing for anybody else. */
  begin(password: string): string | undefined
  holds(session: string): boolean
  end(session: string): void
}

/** In memory: a restart logs everybody out. */
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

/** Of equal length, whatever was given: how long the comparison takes tells nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
