const NETWORK = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/

/**
 * Whether a request ended without an answer, because the network failed or the answer took too long: what it asked for may be done all
 * the same. `fetch` rejects with a TypeError that has a cause; the TypeError of a mistake in code has none. Never throws.
 */
export function isUnanswered(error: unknown): boolean {
  try {
    if (!(error instanceof Error)) return false
    if (error.name === 'TimeoutError' || (error instanceof TypeError && error.cause instanceof Error)) return true
    return 'code' in error && typeof error.code === 'string' && NETWORK.test(error.code)
  } catch {
    return false
  }
}
