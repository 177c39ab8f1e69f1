/** The Web API over HTTP: reads the form, checks the token, keeps the journal, goes wrong when it was asked to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Faults } from './faults.ts'
import { type Arguments, SlackRefusal } from './web-api.ts'

/** One call, as the journal has it. */
export interface SlackCall {
  readonly method: string
  readonly args: Arguments
  readonly at: Date
}

export interface ServerOptions {
  readonly methods: () => ReadonlyMap<string, (args: Arguments) => object>
  readonly faults: Faults
  readonly calls: SlackCall[]
  /** What the token may do; absent when Slack does not know it. */
  readonly scopes: (token: string, method: string) => readonly string[] | undefined
  /** Every answer takes so long. */
  readonly latencyMs: number
}

/** Long runs would fill the memory. */
const JOURNAL = 10_000

export function serveWebApi(options: ServerOptions): Server {
  const { methods, faults, calls, scopes, latencyMs } = options

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request)
    const path = new URL(request.url ?? '', 'http://loopback').pathname
    if (path.startsWith('/upload/')) return void response.end('OK')
    const method = path.replace(/^\/api\//, '')
    const { token = '', ...args } = Object.fromEntries(new URLSearchParams(body))
    calls.push({ method, args, at: new Date() })
    if (calls.length > JOURNAL) calls.shift()
    if (latencyMs > 0) await wait(latencyMs)

    const fault = faults.take(method)
    const work = () => perform(method, args, request.headers.authorization?.replace(/^Bearer /, '') || token)
    if (!fault) return json(response, ...work())
    if ('done' in fault && fault.done) work()
    if ('error' in fault) return json(response, { ok: false, error: fault.error })
    if ('rateLimit' in fault) {
      const seconds = fault.retryAfter
      response.writeHead(429, seconds === undefined ? {} : { 'retry-after': String(seconds) }).end()
    } else if ('status' in fault) {
      response.writeHead(fault.status).end('<html>something went wrong</html>')
    } else if ('reset' in fault) {
      request.socket.destroy()
    }
    // A hang: nothing is said until the other side has had enough.
  }

  function perform(method: string, args: Arguments, token: string): [body: object, scopes?: readonly string[]] {
    const run = methods().get(method)
    if (!run) return [{ ok: false, error: 'unknown_method' }]
    const granted = scopes(token, method)
    if (!granted) return [{ ok: false, error: token === '' ? 'not_authed' : 'invalid_auth' }]
    try {
      return [{ ok: true, ...run(args) }, granted]
    } catch (error) {
      if (error instanceof SlackRefusal) return [{ ok: false, error: error.message }, granted]
      throw error
    }
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
}

function json(response: ServerResponse, body: object, scopes: readonly string[] = []): void {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  if (scopes.length > 0) response.setHeader('x-oauth-scopes', scopes.join(','))
  response.end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
