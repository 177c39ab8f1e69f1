/**
 * Gemini's REST API in the test process, on loopback: scripted answers, a journal of all calls, and faults. The real client
 * uses its address: `new ChatGoogleGenerativeAI({ baseUrl: gemini.baseUrl, apiKey: gemini.apiKey, model })`.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textIn } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import {
  bodiesOf,
  errorBody,
  type GeminiAnswer,
  type GeminiBody,
  type GeminiContent,
  type GeminiError,
  refusalOf,
  textOf,
  vectorOf,
} from './wire.ts'

export type { GeminiAnswer, GeminiBody, GeminiContent, GeminiError, GeminiPart } from './wire.ts'

const ROUTES = ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents'] as const

export type GeminiRoute = (typeof ROUTES)[number]

/** A fault instead of an answer. A number is an HTTP status with Google's error body. */
export type GeminiFault =
  | number
  | GeminiError
  /** 502 with a page of HTML, as a proxy sends it. */
  | 'html'
  /** 200 with a page of HTML. */
  | 'html 200'
  /** No answer. */
  | 'hang'
  /** The answer, after the test calls `release`. */
  | 'slow'
  /** The connection is cut before an answer. */
  | 'cut'
  /** The connection is cut in the middle of the answer. */
  | 'broken'

export interface GeminiCall {
  /** The number of the call, from 1. */
  readonly number: number
  readonly route: GeminiRoute
  readonly model: string
  readonly body: GeminiBody
  /** The last text of the request, or the texts for vectors, one per line. */
  readonly text: string
}

export type GeminiScript = GeminiAnswer | { readonly fault: Exclude<GeminiFault, 'slow'> }

export interface GeminiOptions {
  /** The same answer always, a list of answers (its last entry repeats), or a function of the call. Default: `ok`. */
  readonly answer?: GeminiScript | readonly GeminiScript[] | ((call: GeminiCall) => GeminiScript)
  /** Length of a vector when the call does not set it. Default 768. */
  readonly dimensions?: number
  /** The vector of a text. Default: texts with the same letters are near. */
  readonly vector?: (text: string, dimensions: number) => readonly number[]
}

export interface Gemini extends AsyncDisposable {
  readonly baseUrl: string
  /** The accepted API key. */
  readonly apiKey: string
  /** Every call with the right key, oldest first. */
  readonly calls: readonly GeminiCall[]
  /** Faults of the next calls, one entry each. The script answers after them. */
  readonly faults: GeminiFault[]
  /** Resolves when this many calls have arrived. */
  called(times: number): Promise<void>
  /** Sends the answers that `slow` holds back. */
  release(): void
  /** The number of calls, and of their clients, that hang or wait for `release`. */
  readonly holding: number
  /** Whether a call runs that will be answered. */
  readonly busy: boolean
  /** Resolves when no call runs, except those that hang or wait for `release`, and the client has all answers. */
  idle(): Promise<void>
  /** Resolves when the bot has finished the work after every answer. A call can lead to another. */
  settled(bot: { pass(time: number): Promise<void> }): Promise<void>
}

export async function startGemini({ answer = 'ok', dimensions = 768, vector = vectorOf }: GeminiOptions = {}): Promise<Gemini> {
  const apiKey = 'emulated-gemini-key'
  const calls: GeminiCall[] = []
  const faults: GeminiFault[] = []
  const traffic = watchTraffic()
  const held = new Map<ServerResponse, (() => void) | undefined>()
  let scripted = 0

  const script = (call: GeminiCall): GeminiScript => {
    if (typeof answer === 'function') return answer(call)
    if (isList(answer)) return answer[Math.min(scripted++, answer.length - 1)] ?? { fault: 500 }
    return answer
  }

  function serve(call: GeminiCall, response: ServerResponse): void {
    const speaks = call.route === 'generateContent' || call.route === 'streamGenerateContent'
    const reply = (said: GeminiAnswer) => (speaks ? spoken(call, said) : embedded(call, dimensions, vector))
    const fault = faults.shift()
    const given = fault !== undefined ? { fault } : speaks ? script(call) : 'ok'
    if (typeof given === 'string' || !('fault' in given)) send(response, reply(given))
    else if (given.fault === 'broken') breakOff(response, reply('This answer never arrives as a whole.'))
    else if (given.fault === 'hang') hold(response)
    else if (given.fault === 'slow') hold(response, () => serve(call, response))
    else if (given.fault === 'cut') response.destroy()
    else if (given.fault === 'html') send(response, { status: 502, type: 'text/html', text: PAGE })
    else if (given.fault === 'html 200') send(response, { status: 200, type: 'text/html', text: PAGE })
    else send(response, refused(typeof given.fault === 'number' ? { status: given.fault } : given.fault))
  }

  function hold(response: ServerResponse, released?: () => void): void {
    held.set(response, released)
    response.once('close', () => held.delete(response))
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textIn(request)
    const body: GeminiBody = JSON.parse(text)
    const { pathname, search } = new URL(request.url ?? '', 'http://gemini')
    const [, model = '', route] = /^\/v1(?:beta)?\/models\/([^:/]+):(\w+)$/.exec(pathname) ?? []
    const error = keyError(request.headers['x-goog-api-key'], apiKey)
    if (!isRoute(route) || (route === 'streamGenerateContent' && search !== '?alt=sse')) {
      send(response, refused({ status: 404, message: 'There is no such method here.' }))
      return
    }
    if (error) {
      send(response, refused(error))
      return
    }
    if (text.length > REQUEST) {
      send(response, refused({ status: 400, message: `Request payload size exceeds the limit: ${REQUEST} bytes.` }))
      return
    }
    const call = { number: calls.length + 1, route, model, body, text: textOf(lastOf(body)) }
    calls.push(call)
    serve(call, response)
    traffic.changed()
  }

  const server = createServer((request, response) => {
    traffic.serving(response)
    receive(request, response).catch(error => response.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The server has just bound a port, so its address is an object.
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  traffic.watch(baseUrl)

  const busy = () => traffic.underWay() > held.size

  async function idle(): Promise<void> {
    do {
      while (busy()) await traffic.change()
      // Code that waited for the answer continues, and can call again.
      await setImmediate()
    } while (busy())
  }

  return {
    baseUrl,
    apiKey,
    calls,
    faults,
    async called(times) {
      while (calls.length < times) await traffic.change()
    },
    release() {
      for (const [response, released] of [...held]) {
        if (released === undefined) continue
        held.delete(response)
        released()
      }
    },
    get holding() {
      return held.size
    },
    get busy() {
      return busy()
    },
    idle,
    async settled(bot) {
      do {
        await idle()
        await bot.pass(0)
      } while (busy())
    },
    async [Symbol.asyncDispose]() {
      traffic.close()
      if (!server.listening) return
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Largest request, in bytes. */
const REQUEST = 20 * 1024 * 1024

/** Largest number of texts in one batch. */
const BATCH = 100

const PAGE = '<!DOCTYPE html><html><head><title>502</title></head><body>Bad Gateway</body></html>'

interface Page {
  readonly status: number
  readonly type: string
  readonly text: string
}

function send(response: ServerResponse, { status, type, text }: Page): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text)
}

function breakOff(response: ServerResponse, { status, type, text }: Page): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function json(status: number, body: unknown): Page {
  return { status, type: 'application/json', text: JSON.stringify(body) }
}

function refused(error: GeminiError): Page {
  return json(error.status, errorBody(error))
}

function spoken({ route, model, body }: GeminiCall, said: GeminiAnswer): Page {
  const message = refusalOf(body)
  if (message !== undefined) return refused({ status: 400, message })
  const stream = route === 'streamGenerateContent'
  const bodies = bodiesOf(said, body, model, stream)
  if (!stream) return json(200, bodies[0])
  const events = bodies.map(one => `data: ${JSON.stringify(one)}\r\n\r\n`)
  return { status: 200, type: 'text/event-stream', text: events.join('') }
}

function embedded({ route, body }: GeminiCall, dimensions: number, vector: NonNullable<GeminiOptions['vector']>): Page {
  const values = ({ content, outputDimensionality = dimensions }: GeminiBody) => ({
    values: vector(content ? textOf([content]) : '', outputDimensionality),
  })
  if (route === 'embedContent') return json(200, { embedding: values(body) })
  const { requests = [] } = body
  if (requests.length <= BATCH) return json(200, { embeddings: requests.map(values) })
  const message = `* BatchEmbedContentsRequest.requests: at most ${BATCH} requests can be in one batch`
  return refused({ status: 400, message })
}

function keyError(given: string | string[] | undefined, key: string): GeminiError | undefined {
  if (given === key) return undefined
  if (given === undefined) return { status: 403, message: 'Method does not allow unregistered callers.' }
  return { status: 400, reason: 'API_KEY_INVALID', message: 'API key not valid. Please pass a valid API key.' }
}

function lastOf({ contents = [], content, requests = [] }: GeminiBody): GeminiContent[] {
  return [...contents.slice(-1), ...[content, ...requests.map(request => request.content)].filter(one => one !== undefined)]
}

/**
 * Running calls, seen from both ends: `fetch` reports calls that have not arrived yet, and calls whose answer is on its way
 * to a client in this process.
 */
function watchTraffic() {
  const sent = new Set<unknown>()
  const served = new Set<ServerResponse>()
  let next = Promise.withResolvers<void>()
  let origin: string | undefined
  const changed = () => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const requestOf = (message: unknown) => field(message, 'request')
  const began = (message: unknown) => {
    const request = requestOf(message)
    if (origin !== undefined && field(request, 'origin') === origin) sent.add(request)
  }
  const ended = (message: unknown) => {
    if (sent.delete(requestOf(message))) changed()
  }
  subscribe('undici:request:create', began)
  subscribe('undici:request:trailers', ended)
  subscribe('undici:request:error', ended)
  return {
    changed,
    change: () => next.promise,
    underWay: () => Math.max(sent.size, served.size),
    watch(baseUrl: string) {
      origin = baseUrl
    },
    serving(response: ServerResponse) {
      served.add(response)
      response.once('close', () => {
        served.delete(response)
        changed()
      })
    },
    close() {
      unsubscribe('undici:request:create', began)
      unsubscribe('undici:request:trailers', ended)
      unsubscribe('undici:request:error', ended)
      sent.clear()
      changed()
    },
  }
}

function isRoute(route: string | undefined): route is GeminiRoute {
  return ROUTES.some(one => one === route)
}

function isList(answer: GeminiScript | readonly GeminiScript[]): answer is readonly GeminiScript[] {
  return Array.isArray(answer)
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
