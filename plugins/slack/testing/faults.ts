/**
 * Faults of a call: an error of Slack, an HTTP status, a rate limit (without `retryAfter`: without the header), a late
 * response, a redirect, no response, or a cut connection. `done`: the call is executed, and only its response
 * is lost.
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
  /** Plans a fault for the next `times` calls of the method, in one workspace or in all. */
  add(method: string, fault: SlackFault, times: number, team?: string): void
  take(method: string, team: string): SlackFault | undefined
  clear(): void
}

export function createFaults(): Faults {
  let planned: { readonly method: string; readonly fault: SlackFault; readonly team: string | undefined; left: number }[] = []
  return {
    add: (method, fault, times, team) => void planned.push({ method, fault, team, left: times }),
    take(method, team) {
      const next = planned.find(one => one.method === method && one.left > 0 && (one.team ?? team) === team)
      if (next) next.left--
      return next?.fault
    },
    clear() {
      planned = []
    },
  }
}
