/** Calls of the Bot API, and what their errors mean for the bot. */
import { Api, GrammyError, HttpError } from 'grammy'
import { KikimimiError } from 'kikimimi'

/** Errors of a connection that was never made: the server has seen no request. */
const UNREACHED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** Milliseconds before a call that did not reach the server is made again. */
const AGAIN = 3_000

/** grammY's own type of a signal. It takes those of Node. */
type Signal = NonNullable<Parameters<Api['getMe']>[0]>

/** Seconds of one call. Longer than Telegram waits for an update. */
const TIMEOUT = 60

export function createApi({ token, apiUrl }: { readonly token: string; readonly apiUrl: string }): Api {
  return new Api(token, { apiRoot: apiUrl, timeoutSeconds: TIMEOUT })
}

/** Makes one call. It rejects as a platform does: see `Platform.send`. */
export async function call<T>(signal: AbortSignal, run: (signal: Signal) => Promise<T>): Promise<T> {
  try {
    return await run(signal as unknown as Signal)
  } catch (error) {
    throw meaning(error)
  }
}

/** The error without its cause, which contains the token or what people wrote. */
function meaning(error: unknown): unknown {
  if (error instanceof GrammyError) {
    const { error_code: code, description, method, parameters } = error
    const told = `Telegram refused ${method}: ${code} ${description}`
    if (code === 401) return new KikimimiError('PLATFORM_LOST', `${told}. Check TELEGRAM_TOKEN.`)
    const wait = parameters.retry_after === undefined ? {} : { retryAfterMs: parameters.retry_after * 1_000 }
    return new KikimimiError(code >= 500 ? 'PLATFORM_UNAVAILABLE' : 'PLATFORM_REFUSED', told, wait)
  }
  if (!(error instanceof HttpError)) return error
  const code = error.error instanceof Error && 'code' in error.error ? error.error.code : undefined
  const told = `Telegram did not answer${typeof code === 'string' ? `: ${code}` : ''}`
  return UNREACHED.has(code)
    ? new KikimimiError('PLATFORM_REFUSED', told, { retryAfterMs: AGAIN })
    : new KikimimiError('PLATFORM_UNAVAILABLE', told)
}

/** Whether Telegram refused a call with these words. It has no codes. */
export function isRefusal(error: unknown, words: RegExp): boolean {
  return error instanceof KikimimiError && error.code === 'PLATFORM_REFUSED' && words.test(error.message)
}
