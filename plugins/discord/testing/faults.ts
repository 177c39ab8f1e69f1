/** Planned faults, and the journal of all calls. */

export type Fault =
  /** An error response. `code` is Discord's own (50001, 10003, …), `retryAfter` the header of a 429, in seconds. */
  | { readonly status: number; readonly code?: number; readonly message?: string; readonly retryAfter?: number }
  /** The request is executed, and its response has this status. */
  | { readonly status: number; readonly afterwards: true }
  /** The request is executed, and the socket is destroyed before its response. */
  | 'dropped'
  /** No response. */
  | 'hang'
  /** The socket is destroyed before the request is executed. */
  | 'socket'
  /** A page of a proxy, with status 403. */
  | 'page'

/** A request, or a gateway command: then `method` is IDENTIFY, RESUME or HEARTBEAT. */
export interface Call {
  readonly method: string
  /** Without `/api/v10` and the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly at: Date
  /** Status of the response; 0 without one. */
  status: number
}

interface Planned {
  readonly pattern: RegExp
  readonly fault: Fault
  left: number
}

export interface Faults {
  /** @param route `POST /channels/:id/messages`; `*` matches any method, and as the path any path. */
  plan(route: string, fault: Fault, times: number): void
  /** The fault of this call, which is removed from the plan. */
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

/** `POST /channels/:id/messages` matches one path part per name. The names are groups of the result. */
export function patternOf(route: string): RegExp {
  const [method = '*', path = '*'] = route.split(' ')
  const parts = path === '*' ? '.*' : path.replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${method === '*' ? '\\w+' : method} ${parts}$`)
}
