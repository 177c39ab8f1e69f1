/** Checks the Matrix setup for `kikimimi check`. */
import type { Finding } from 'kikimimi'
import { type Account, accountOf, createCalls } from './calls.ts'

/** Milliseconds. */
const TIMEOUT = 10_000

/** Rejects if the homeserver refuses the token or is unreachable. */
export async function check(account: Account): Promise<readonly Finding[]> {
  const { id } = await accountOf(createCalls(account), AbortSignal.timeout(TIMEOUT))
  return [{ what: `the token is that of ${id}` }]
}
