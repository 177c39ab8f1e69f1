/** Connects to a server: a child process or streamable HTTP, with limits on what it may send. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type Clock, KikimimiError } from 'kikimimi'
import { shortText } from '../data/schema.ts'
import type { HttpOptions, ServerOptions, StdioOptions } from '../options.ts'

/** The most bytes of one message. */
const MESSAGE_BYTES = 8 * 1024 * 1024

/** The most messages in a window that answer no request, and the most bytes of a stream in it. */
const WINDOW_MS = 10_000
const MESSAGES = 1_000
const STREAM_BYTES = 16 * 1024 * 1024

/** Characters of the last line on standard error that are kept. */
const LAST_LINE = 200

export interface TransportDeps {
  readonly clock: Clock
  /** For a server with `oauth`. */
  readonly auth?: OAuthClientProvider | undefined
}

export interface OpenedTransport {
  readonly transport: Transport
  /** The last line that a child process wrote to standard error. */
  lastLine(): string | undefined
}

/** @throws OPTIONS_INVALID if an environment variable is not set */
export async function openTransport(name: string, options: ServerOptions, deps: TransportDeps): Promise<OpenedTransport> {
  const opened = 'command' in options ? await openChild(name, options) : await openHttp(name, options, deps)
  limitMessages(opened.transport, deps.clock)
  return opened
}

async function openChild(name: string, { command, args, cwd, env }: StdioOptions): Promise<OpenedTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const transport = new StdioClientTransport({
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    // The SDK adds PATH, HOME and the like; no other variable of the bot reaches the child.
    env: valuesOf(name, env),
    stderr: 'pipe',
    maxBufferSize: MESSAGE_BYTES,
  })
  let said = ''
  // What is not read would block the child.
  transport.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2 * LAST_LINE)
  })
  return { transport, lastLine: () => shortText(said.trim().split('\n').at(-1) ?? '', LAST_LINE) || undefined }
}

async function openHttp(name: string, { url, headers }: HttpOptions, { clock, auth }: TransportDeps): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  // A stream that ends with an error would leave the request waiting.
  const end = (error: Error) => {
    transport.onerror?.(error)
    void transport.close()
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: valuesOf(name, headers) },
    fetch: async (address, init) => limited(await fetch(address, init), clock, end),
    ...(auth && { authProvider: auth }),
  })
  // With exactOptionalPropertyTypes, the class of the SDK does not fit its own interface.
  return { transport: transport as Transport, lastLine: () => undefined }
}

/** The values of environment variables. */
function valuesOf(server: string, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).map(([key, variable]) => {
      const value = process.env[variable]
      if (value === undefined || value === '')
        throw new KikimimiError('OPTIONS_INVALID', `[mcp] ${server}: the environment variable ${variable} is not set.`)
      return [key, value]
    }),
  )
}

/** A server that floods the bot with notifications is disconnected. */
function limitMessages(transport: Transport, clock: Clock): void {
  const isOver = windowed(clock, MESSAGES)
  // The client of the SDK calls this handler before its own.
  transport.onmessage = message => {
    if ('method' in message && isOver(1)) {
      transport.onerror?.(new Error('it sends too many notifications'))
      void transport.close().catch(() => {})
    }
  }
}

/** A response whose body ends with an error when it is too large. A stream of events has a limit for each window instead. */
function limited(response: Response, clock: Clock, end: (error: Error) => void): Response {
  const { body } = response
  if (!body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const isStreamOver = windowed(clock, STREAM_BYTES)
  let total = 0
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        total += chunk.length
        if (isStream ? !isStreamOver(chunk.length) : total <= MESSAGE_BYTES) return controller.enqueue(chunk)
        const error = new Error('it sends too much at once')
        controller.error(error)
        end(error)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(counted, { status, statusText, headers })
}

/** Counts in windows. The returned function adds to the count, and says whether it is over the limit. */
function windowed(clock: Clock, limit: number): (count: number) => boolean {
  let since = clock.now()
  let counted = 0
  return count => {
    const now = clock.now()
    if (now - since >= WINDOW_MS) [since, counted] = [now, 0]
    counted += count
    return counted > limit
  }
}
