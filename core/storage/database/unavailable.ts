/**
 * Error codes of the network, of a host name that cannot be looked up, and of a database that is silent. Docker Compose takes away the
 * name of a service that is stopped.
 */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'DATABASE_UNREACHABLE',
])

/** `pg` gives no code for a lost connection and for a connection time-out. */
const LOST = /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client .* is not queryable)/

/** The message of a call that stopped waiting for the database. */
export const NO_ANSWER = 'the database does not answer'

/**
 * Whether a statement failed because the database cannot be reached, is starting or stopping, takes no writes, is locked or full: the
 * same statement may succeed later. Codes of five characters are those of Postgres:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 *
 * When the connection was lost at a commit, the transaction may have been committed. So a caller that repeats it must be idempotent.
 */
export function isAway(error: unknown): boolean {
  try {
    const { code, message } = origin(error)
    if (code === undefined) return LOST.test(message)
    return UNREACHABLE.has(code) || /^(?:08...|53...|57P0[1235]|25006|25P03|55P03|58030|58P01)$/.test(code)
  } catch {
    // A plugin may have thrown the value, and its getters can throw too.
    return false
  }
}

/** Whether nothing answers at the other end: a server that refuses a connection because it has too many does answer. */
export function isSilent(error: unknown): boolean {
  return isAway(error) && !/^(?:53|25|55|58)/.test(codeOf(error) ?? '')
}

/** A state that lasts until a person acts, in words; nothing for others. */
export function needsPerson(error: unknown): string | undefined {
  switch (codeOf(error)) {
    case '25006':
      return 'it is read-only'
    case '53100':
      return 'its disk is full'
    case '58030':
    case '58P01':
      return 'it cannot use its files'
    case 'DATABASE_BROKEN':
      return 'it is broken'
    default:
      return undefined
  }
}

/** Whether another session locks what the statement needs. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** The code of Postgres, of the network, or our own. */
export function codeOf(error: unknown): string | undefined {
  return origin(error).code
}

/** What the server or the network said: DATABASE_UNREACHABLE has it as its cause. */
export function origin(error: unknown): { readonly code: string | undefined; readonly message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === 'DATABASE_UNREACHABLE' && error.cause instanceof Error) return origin(error.cause)
  return { code, message: error.message }
}
