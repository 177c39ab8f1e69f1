/** The web in a test of a plugin that calls `fetch`. */
import type { Awaitable } from '../base/awaitable.ts'

/** What the fake web answers. A text alone is an answer with the status 200. */
export interface WebAnswer {
  /** The status. Default: 200. */
  readonly status?: number
  /** The headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as a text. */
  readonly text?: string
  /** The body as JSON. */
  readonly json?: unknown
  /** True: no answer comes until the caller gives up, as at a timeout. */
  readonly hangs?: boolean
}

/** A request that the plugin made. */
export interface WebRequest {
  /** `GET`, `POST` … */
  readonly method: string
  /** The whole address. */
  readonly url: string
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as a text. Empty: there is none. */
  readonly body: string
}

/** An answer, or an error with which `fetch` rejects. */
export type WebResult = string | WebAnswer | Error

/** A result for each request; a list of results, for one request each; or a function of the request. */
export type WebScript = WebResult | readonly WebResult[] | ((request: WebRequest) => Awaitable<WebResult>)

/** The fake web of a test: see {@link fakeFetch}. */
export interface FakeWeb extends Disposable {
  /** The requests so far, oldest first. */
  readonly requests: readonly WebRequest[]
}

/**
 * Replaces `fetch` until the end of the test. A request that no script expects fails the test with its address. Requests to this machine
 * (`127.0.0.1`, `localhost`) go through, unless a script has them.
 *
 * @param scripts by address, with a method before it or without: `'https://weather.example/today'`, `'POST https://hooks.example/1'`. An
 *   address without a query stands for each query, and a `*` at its end for each address that begins so. The first that fits is used
 * @example using web = fakeFetch({ 'https://weather.example/today': { json: { rain: true } } })
 */
export function fakeFetch(scripts: Readonly<Record<string, WebScript>>): FakeWeb {
  const requests: WebRequest[] = []
  const unexpected: string[] = []
  const real = globalThis.fetch
  const ended = new AbortController()
  const rules = Object.entries(scripts).map(([key, script]) => ({ fits: matcher(key), next: results(script) }))

  async function answer(request: WebRequest): Promise<Response> {
    requests.push(request)
    const rule = rules.find(({ fits }) => fits(request))
    const result = await rule?.next(request)
    if (result instanceof Error) throw result
    if (result === undefined) {
      const call = `${request.method} ${request.url}`
      unexpected.push(rule ? `${call} (all answers of its list are given)` : call)
      throw new TypeError(`fakeFetch expects no request ${call}`)
    }
    if (typeof result === 'object' && result.hangs) return new Promise(() => {})
    return responseOf(request.url, typeof result === 'string' ? { text: result } : result)
  }

  globalThis.fetch = async (input, init) => {
    const asked = new Request(input, init)
    if (isLocal(asked.url) && !rules.some(({ fits }) => fits(asked))) return real(asked)
    // A text is read at once: the clock of the test does not wait for streams.
    const body = typeof init?.body === 'string' ? init.body : await asked.text()
    const { method, url } = asked
    const signal = AbortSignal.any([asked.signal, ended.signal])
    signal.throwIfAborted()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    return Promise.race([answer({ method, url, headers: Object.fromEntries(asked.headers), body }), aborted])
  }

  return {
    requests,

    [Symbol.dispose]() {
      globalThis.fetch = real
      ended.abort(new Error('the test has ended'))
      if (unexpected.length === 0) return
      throw new Error(
        `fakeFetch expects no such requests. Add them to its scripts, or correct the plugin:${unexpected.map(one => `\n  - ${one}`).join('')}`,
      )
    },
  }
}

/** Whether a request fits an address of the scripts. */
function matcher(key: string): (request: Pick<WebRequest, 'method' | 'url'>) => boolean {
  const [, method, address = ''] = /^(?:([A-Z]+) )?(\S+)$/.exec(key) ?? []
  if (!URL.canParse(address))
    throw new TypeError(`fakeFetch: expected an address such as "https://weather.example/today", got "${key}"`)
  const isPrefix = address.endsWith('*')
  const wanted = isPrefix ? address.slice(0, -1) : new URL(address).href
  return request => {
    if (method !== undefined && method !== request.method) return false
    const url = wanted.includes('?') || isPrefix ? request.url : request.url.replace(/\?.*$/s, '')
    return isPrefix ? url.startsWith(wanted) : url === wanted
  }
}

/** Gives the results of a script, one for each request. Undefined: its list is at its end. */
function results(script: WebScript): (request: WebRequest) => Awaitable<WebResult | undefined> {
  if (typeof script === 'function') return script
  if (!isList(script)) return () => script
  const left = [...script]
  return () => left.shift()
}

function isList(script: WebResult | readonly WebResult[]): script is readonly WebResult[] {
  return Array.isArray(script)
}

function responseOf(url: string, { status = 200, headers = {}, text, json }: WebAnswer): Response {
  const body = text ?? (json === undefined ? null : JSON.stringify(json))
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  return Object.defineProperty(new Response(body, { status, headers: { ...type, ...headers } }), 'url', { value: url })
}

function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
