/** The HTTP server: reads a call, applies faults, records and answers it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Answer } from './answers.ts'
import type { Call, Fault, Faults } from './faults.ts'
import type { Limits } from './limits.ts'

export interface ServerOptions {
  readonly token: string
  readonly calls: Call[]
  readonly faults: Faults
  readonly limits: Limits
  /** While true, every connection is destroyed. */
  isDown(): boolean
  answer(method: string, path: string, query: URLSearchParams, body: unknown): Answer
  /** An uploaded file, by path. It needs no token. */
  file(path: string): File | undefined
}

export interface File {
  readonly type: string
  readonly data: Uint8Array
}

export function createRestServer({ token, calls, faults, limits, isDown, answer, file }: ServerOptions): Server {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isDown()) return void request.socket.destroy()
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost')
    const path = decodeURIComponent(pathname.replace(/^\/api(\/v\d+)?/, ''))
    const { method = 'GET' } = request
    const call: Call = { method, path, query, body: await bodyOf(request), at: new Date(), status: 0 }
    calls.push(call)
    const fault = faults.next(method, path)
    if (fault === 'hang') return
    if (fault === 'socket') return void request.socket.destroy()
    if (fault === 'page') {
      call.status = 403
      return void response.writeHead(403, { 'Content-Type': 'text/html' }).end('<html><h1>Access denied</h1></html>')
    }
    const uploaded = fault === undefined ? file(path) : undefined
    if (uploaded) {
      call.status = 200
      return void response.setHeader('Content-Type', uploaded.type).end(uploaded.data)
    }
    const isDropped = fault === 'dropped'
    const late = typeof fault === 'object' && 'afterwards' in fault
    const limit = fault && !late && !isDropped ? undefined : limits.take(method, path)
    const { status, body, headers } =
      limit?.refusal ??
      (fault && !late && !isDropped ? failed(fault) : authorized(request, path) ? answer(method, path, query, call.body) : DENIED)
    if (isDropped) return void request.socket.destroy()
    for (const [name, value] of Object.entries({ ...limit?.headers, ...headers })) response.setHeader(name, value)
    call.status = late ? fault.status : status
    response.statusCode = call.status
    if (fault && !late && fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter)
    if (body === undefined || late) return void response.end()
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(body))
  }

  /** Routes with the token of an interaction need no other. */
  const authorized = ({ headers }: IncomingMessage, path: string) =>
    headers.authorization === `Bot ${token}` || /^\/(?:interactions|webhooks)\//.test(path)

  return createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
}

const DENIED: Answer = { status: 401, body: { code: 0, message: '401: Unauthorized' } }

function failed(fault: Exclude<Fault, string | { readonly afterwards: true }>): Answer {
  const { status, code = 0, message = `${status}: on request`, retryAfter } = fault
  return { status, body: { code, message, ...(retryAfter !== undefined && { retry_after: retryAfter, global: false }) } }
}

/** JSON, or the `payload_json` of a form with files. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const data = Buffer.concat(chunks)
  if (data.length === 0) return undefined
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return JSON.parse(data.toString())
  const form = await new Response(data, { headers: { 'content-type': type } }).formData()
  return JSON.parse(String(form.get('payload_json') ?? '{}'))
}
