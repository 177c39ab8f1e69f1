import type { Finding } from 'kikimimi'
import { reason } from 'kikimimi/host'

export interface Look<T> {
  /** Absent when it threw. */
  readonly value?: T
  readonly finding: Finding
}

/** What came of it, and the finding: with the problem when it threw. */
export async function look<T>(what: string, run: () => Promise<T>): Promise<Look<T>> {
  try {
    return { value: await run(), finding: { what } }
  } catch (error) {
    // Whose it is, is said already.
    return { finding: { what, problem: reason(error).replace(`[${what}] `, '') } }
  }
}
