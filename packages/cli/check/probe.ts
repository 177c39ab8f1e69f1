import type { Finding } from 'kikimimi'
import { reason } from 'kikimimi/host'

export interface Probe<T> {
  /** Absent if the call threw. */
  readonly value?: T
  readonly finding: Finding
}

/** Runs a check. If it throws, the finding names the problem. */
export async function probe<T>(what: string, run: () => Promise<T>): Promise<Probe<T>> {
  try {
    return { value: await run(), finding: { what } }
  } catch (error) {
    // The finding names the plugin already.
    return { finding: { what, problem: reason(error).replace(`[${what}] `, '') } }
  }
}
