/** Of the network, and of a name that cannot be processed up just now. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])

/**
 * Whether a statement failed because the database cannot be reached, is starting or stopping, or has no room: the same
 * statement may succeed a little later. The codes that have five characters are those of Postgres:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isAway(error: unknown): boolean {
  try {
    if (!(error instanceof Error)) return false
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
    // What `pg` itself says of a connection that is lost, or that it waited for in vain, bears no code.
    if (code === undefined) return /^Connection terminated|^timeout exceeded when trying to connect/.test(error.message)
    return UNREACHABLE.has(code) || /^(?:08...|53...|57P0[123])$/.test(code)
  } catch {
    // A plugin may have thrown it, and its getters throw in turn.
    return false
  }
}
