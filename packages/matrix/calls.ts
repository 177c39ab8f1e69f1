/** Requests to the homeserver, and what their errors mean for the bot. */
import { KikimimiError, type Person } from 'kikimimi'
import {
  ClientPrefix,
  HTTPError,
  MatrixError,
  MatrixHttpApi,
  Method,
  safeGetRetryAfterMs,
} from 'matrix-js-sdk/lib/http-api/index.js'
import { TypedEventEmitter } from 'matrix-js-sdk/lib/models/typed-event-emitter.js'

export interface Account {
  /** Without a slash at its end. */
  readonly homeserver: string
  readonly token: string
}

/** Milliseconds of a request, and until the next attempt when the homeserver names no time. */
const [TIMEOUT, AGAIN] = [30_000, 2_000]

export interface Request {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly prefix?: ClientPrefix
  /** Milliseconds. */
  readonly timeout?: number
}

/** Makes one request to a path of ids and words. It rejects as a platform does: see `Platform.send`. */
export type Call = <T>(signal: AbortSignal, method: 'Get' | 'Put' | 'Post', path: readonly string[], more?: Request) => Promise<T>

/** Only the HTTP part of the library: its client keeps every event of every room in memory. */
export function createCalls({ homeserver, token }: Account): Call {
  const options = { baseUrl: homeserver, prefix: ClientPrefix.V3, accessToken: token, useAuthorizationHeader: true }
  const http = new MatrixHttpApi(new TypedEventEmitter(), { ...options, onlyData: true })
  return async (signal, method, path, { query = {}, body, prefix = ClientPrefix.V3, timeout = TIMEOUT } = {}) => {
    try {
      const how = { abortSignal: signal, localTimeoutMs: timeout, prefix, priority: 'auto' as const }
      return await http.authedRequest(Method[method], `/${path.map(encodeURIComponent).join('/')}`, { ...query }, body, how)
    } catch (error) {
      signal.throwIfAborted()
      throw meaning(error)
    }
  }
}

function meaning(error: unknown): KikimimiError {
  if (!(error instanceof HTTPError)) return unavailable('the homeserver did not answer', error)
  const told = `the homeserver refused: ${error.httpStatus} ${error instanceof MatrixError ? `${error.errcode} ${error.error}` : ''}`
  if (error instanceof MatrixError && error.errcode === 'M_UNKNOWN_TOKEN')
    return new KikimimiError('PLATFORM_LOST', `${told}. Set MATRIX_TOKEN to an access token of the account.`)
  if ((error.httpStatus ?? 500) >= 500) return unavailable(told, error)
  const wait = error.isRateLimitError() ? { retryAfterMs: safeGetRetryAfterMs(error, AGAIN) } : {}
  return new KikimimiError('PLATFORM_REFUSED', told, { cause: error, ...wait })
}

const unavailable = (told: string, cause: unknown) =>
  new KikimimiError('PLATFORM_UNAVAILABLE', told, { cause, retryAfterMs: AGAIN })

/** Whether the homeserver refused a request with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof KikimimiError && error.cause instanceof MatrixError && codes.includes(error.cause.errcode ?? '')
}

export async function accountOf(call: Call, signal: AbortSignal): Promise<Person> {
  const { user_id: id } = await call<{ readonly user_id: string }>(signal, 'Get', ['account', 'whoami'])
  const { displayname: name = id } = await call<{ readonly displayname?: string }>(signal, 'Get', ['profile', id])
  return { id, name }
}
