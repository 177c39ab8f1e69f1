/** What goes wrong on request, and the journal of all that was asked. */

export type Fault =
  /** An error answer. `code` is Discord's own (50001, 10003, …), `retryAfter` the header of a 429, in seconds. */
  | { readonly status: number; readonly code?: number; readonly message?: string; readonly retryAfter?: number }
  /** The request is carried out, and the answer to it is this status. */
  | { readonly status: number; readonly afterwards: true }
  /** No answer ever comes. */
  | 'hang'
  /** The socket is destroyed before anything is done. */
  | 'socket'

/** A request of the bot, or what it sent to the gateway: then `method` is IDENTIFY, RESUME or HEARTBEAT. */
export interface Call {
  readonly method: string
  /** Without `/api/v10` and the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** What the server answered; 0 when it has not. */
  status: number
}

interface Planned {
  readonly pattern: RegExp
  readonly fault: Fault
  left: number
}

export interface Faults {
  /** @param route `POST /channels/:id/messages`; `*` stands for any method, and as the path for all. */
  plan(route: string, fault: Fault, times: number): void
  /** The fault that befalls this call, used up. */
  next(method: string, path: string): Fault | undefined
}

export function createFaults(): Faults {
  let planned: Planned[] = []
  return {
    plan(route, fault, times) {
      planned.push({ pattern: patternOf(route), fault, left: times })
    },
    next(method, path) {
      const found = planned.find(({ pattern }) => pattern.test(`${method} ${path}`))
      if (!found) return undefined
      found.left--
      planned = planned.filter(({ left }) => left > 0)
      return found.fault
    },
  }
}

/** `POST /channels/:id/messages` matches one part for each name; what a name matched is a group of the result. */
export function patternOf(route: string): RegExp {
  const [method = '*', path = '*'] = route.split(' ')
  const parts = path === '*' ? '.*' : path.replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${method === '*' ? '\\w+' : method} ${parts}$`)
}
