/**
 * What goes wrong with a call: Slack says no, answers with a status, sets a rate limit (without `retryAfter`: it does
 * not say for how long), answers late, sends elsewhere, never answers, or cuts the line. `done`: the work is done all the
 * same, and only the answer is lost.
 */
export type SlackFault =
  | { readonly error: string }
  | { readonly status: number; readonly done?: boolean }
  | { readonly rateLimit: true; readonly retryAfter?: number }
  | { readonly lateMs: number }
  | { readonly redirect: string }
  | { readonly hang: true; readonly done?: boolean }
  | { readonly reset: true; readonly done?: boolean }

export interface Faults {
  /** The next `times` calls of the method go wrong. */
  add(method: string, fault: SlackFault, times: number): void
  take(method: string): SlackFault | undefined
  clear(): void
}

export function createFaults(): Faults {
  let planned: { readonly method: string; readonly fault: SlackFault; left: number }[] = []
  return {
    add: (method, fault, times) => void planned.push({ method, fault, left: times }),
    take(method) {
      const next = planned.find(one => one.method === method && one.left > 0)
      if (next) next.left--
      return next?.fault
    },
    clear() {
      planned = []
    },
  }
}
