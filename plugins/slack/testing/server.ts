/** The HTTP server: routes requests, records them, and applies faults. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Faults, SlackFault } from './faults.ts'
import type { Limits } from './limits.ts'
import type { Arguments } from './methods.ts'

/** A call of the Web API in the journal. */
export interface SlackCall {
  readonly method: string
  /** Id of the workspace or the organization of the token; empty without one. */
  readonly team: string
  /** Its token; empty without one. */
  readonly token: string
  readonly args: Arguments
  readonly at: Date
}

export interface Request {
  /** Without the leading slash. */
  readonly path: string
  readonly body: string
  /** Token of `Authorization: Bearer …`; empty without one. */
  readonly token: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Answers requests whose path begins with its name. */
export interface Desk {
  /** The name of the call for {@link Faults}. */
  readonly name: (path: string) => string
  readonly answer: (request: Request) => Answer
}

export interface ServerOptions {
  /** By the first part of the path. */
  readonly desks: Readonly<Record<string, Desk>>
  readonly faults: Faults
  readonly limits: Limits
  /** Id of the workspace or the organization of a token; empty for an unknown one. */
  readonly ownerOf: (token: string) => string
  readonly calls: SlackCall[]
  /** Delay of every response. */
  readonly latencyMs: number
}

/** Maximum number of calls in the journal. */
const JOURNAL = 10_000

export function serve(server: Server, { desks, faults, limits, calls, latencyMs, ownerOf }: ServerOptions): void {
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(incoming)
    const [, place = '', path = ''] = /^\/([^/?]*)\/?([^?]*)/.exec(incoming.url ?? '') ?? []
    const desk = desks[place]
    if (!desk) return send(response, { status: 404 })
    const name = desk.name(path)
    const shown = incoming.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { token = shown, ...args } = place === 'api' ? Object.fromEntries(new URLSearchParams(body)) : {}
    const team = ownerOf(token)
    if (place === 'api') {
      calls.push({ method: name, team, token, args, at: new Date() })
      if (calls.length > JOURNAL) calls.shift()
    }
    if (latencyMs > 0) await wait(latencyMs)

    const work = () => desk.answer({ path, body, token })
    const fault = faults.take(name, team)
    if (!fault) {
      const retryAfter = limits(name, args, team)
      return send(response, retryAfter === undefined ? work() : wrong({ rateLimit: true, retryAfter }))
    }
    if ('done' in fault && fault.done) work()
    if ('lateMs' in fault) {
      await wait(fault.lateMs)
      send(response, work())
    } else if ('reset' in fault) incoming.socket.destroy()
    // A hang: no response until the other side gives up.
    else if (!('hang' in fault)) send(response, wrong(fault))
  }

  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    answer(incoming, response).catch((error: unknown) => send(response, { status: 500, body: String(error) }))
  })
}

function wrong(fault: Exclude<SlackFault, { hang: true } | { reset: true } | { lateMs: number }>): Answer {
  if ('error' in fault) return json({ ok: false, error: fault.error })
  if ('redirect' in fault) return { status: 302, headers: { location: fault.redirect } }
  if ('status' in fault) return { status: fault.status, body: '<html>something went wrong</html>' }
  const { retryAfter } = fault
  return { status: 429, ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }) }
}

export function json(body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(body) }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
