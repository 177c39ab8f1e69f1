/** Error codes of the network, and of a host name that cannot be looked up at the moment. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])

/**
 * Whether a statement failed because the database cannot be reached, is starting or stopping, or is full: the same
 * statement may succeed later. Codes of five characters are those of Postgres:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isAway(error: unknown): boolean {
  try {
    if (!(error instanceof Error)) return false
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    // `pg` gives no code for a lost connection and for a connection time-out.
    if (code === undefined) return /^Connection terminated|^timeout exceeded when trying to connect/.test(error.message)
    return UNREACHABLE.has(code) || /^(?:08...|53...|57P0[123])$/.test(code)
  } catch {
    // A plugin may have thrown the value, and its getters can throw too.
    return false
  }
}
