/** One MCP server: connected on demand, paused while it fails, with its tools as it last listed them. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { JsonSchemaValidatorResult, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import { createBreaker, KikimimiError, type PluginContext, withTimeout } from 'kikimimi'
import { z } from 'zod'
import { type CallResult, callResult, type ResourceContents, readResult } from '../data/result.ts'
import { shortText } from '../data/schema.ts'
import type { ServerOptions } from '../options.ts'
import { type ListedTool, listPages, toolOf } from './lists.ts'
import { openTransport, type TransportDeps } from './transport.ts'

/** Milliseconds for a connection and the first list. `npx` may install the server first. */
const CONNECT_MS = 30_000

/** Milliseconds for a request, less than a tool of a model has. */
const REQUEST_MS = 25_000

/** Milliseconds between two lists of tools, however often the server says that they have changed. */
const LIST_EVERY = 5_000

/** The clock of the bot limits requests, and not that of the SDK. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1, maxTotalTimeout: 2 ** 31 - 1 }

export interface Connection extends AsyncDisposable {
  readonly name: string
  /** The tools as last listed. They stay while the server is away. */
  readonly tools: readonly ListedTool[]
  readonly hasResources: boolean
  readonly hasPrompts: boolean
  /** Why it does not work now. `undefined`: it works, or was not needed yet. */
  readonly problem: string | undefined
  readonly isConnected: boolean
  /** True: it failed repeatedly, and is left alone for a while. */
  readonly isPaused: boolean
  /** Connects in the background, unless it is connected or paused. Resolves when the attempt has ended; never rejects. */
  wake(): Promise<void>
  /** @throws Error for the model: what the server answered, or why it did not */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<CallResult>
  listResources(signal: AbortSignal): Promise<readonly unknown[]>
  readResource(uri: string, signal: AbortSignal): Promise<readonly ResourceContents[]>
  listPrompts(signal: AbortSignal): Promise<readonly unknown[]>
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly unknown[]>
}

/** The server refused a request, in its own words: quote them. */
export class ServerError extends Error {}

export interface ConnectionOptions extends TransportDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'log'>
  readonly options: ServerOptions
  /** The tools have changed. */
  changed(): void
}

export function createConnection(name: string, { ctx, options, changed, ...deps }: ConnectionOptions): Connection {
  const { clock, log } = ctx
  const breaker = createBreaker()
  const closing = new AbortController()
  let client: Client | undefined
  let connecting: Promise<Client> | undefined
  let tools: readonly ListedTool[] = []
  let problem: string | undefined
  let listedAt = 0
  let capabilities: ReturnType<Client['getServerCapabilities']>
  let listing: unknown

  const pausedNow = () => breaker.state(clock.now()) === 'open'

  function failed(why: string): void {
    if (problem !== why) log.warn(`the server ${name} does not work: ${why}`)
    problem = why
    breaker.failed(clock.now(), why)
  }

  async function open(): Promise<Client> {
    const { transport, lastLine } = await openTransport(name, options, deps)
    const [{ Client }, { ToolListChangedNotificationSchema }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    // The bot offers the server nothing: no files, no model, no questions to people.
    const made = new Client({ name: 'kikimimi', version: '1' }, { jsonSchemaValidator: accepting })
    made.setNotificationHandler(ToolListChangedNotificationSchema, () => listSoon(made))
    let error: Error | undefined
    made.onerror = thrown => {
      error = thrown
    }
    made.onclose = () => {
      if (client !== made) return
      client = undefined
      failed(told(error) ?? lastLine() ?? 'the connection was closed')
    }
    try {
      const late = () => new Error(`no connection within ${CONNECT_MS / 1_000} s`)
      await withTimeout({ clock, ms: CONNECT_MS, late, signal: closing.signal }, async signal => {
        await made.connect(transport, { ...NO_TIMEOUT, signal })
        await list(made, signal)
      })
      return made
    } catch (thrown) {
      void made.close().catch(() => {})
      throw unavailable(told(thrown) ?? 'no connection', lastLine())
    }
  }

  async function list(from: Client, signal: AbortSignal): Promise<void> {
    listedAt = clock.now()
    const offered = from.getServerCapabilities()
    const listed = offered?.tools ? await listPages(from, 'tools/list', 'tools', { ...NO_TIMEOUT, signal }) : []
    capabilities = offered
    tools = listed.flatMap(one => toolOf(one) ?? [])
    changed()
  }

  /** The server says that its tools have changed. */
  function listSoon(from: Client): void {
    listing ??= clock.setTimeout(
      () => {
        listing = undefined
        if (client !== from) return
        const late = () => new Error('no list of tools in time')
        withTimeout({ clock, ms: REQUEST_MS, late, signal: closing.signal }, signal => list(from, signal)).catch(error => {
          if (!closing.signal.aborted) log.warn(`the tools of the server ${name} stay as they were: ${told(error)}`)
        })
      },
      Math.max(0, listedAt + LIST_EVERY - clock.now()),
    )
  }

  function connect(): Promise<Client> {
    if (client) return Promise.resolve(client)
    if (connecting !== undefined) return connecting
    if (closing.signal.aborted || !breaker.allows(clock.now()))
      return Promise.reject(unavailable(`the server ${name} does not work (${problem}), and is tried again later`))
    connecting = open().then(
      made => {
        client = made
        problem = undefined
        if (breaker.opened) breaker.succeeded()
        log.info(`connected to the server ${name}: ${tools.length} tools`)
        return made
      },
      error => {
        const { message, cause } = error as Error
        if (closing.signal.aborted) breaker.released()
        else failed(typeof cause === 'string' ? `${message} (${cause})` : message)
        throw error
      },
    )
    connecting
      .finally(() => {
        connecting = undefined
      })
      .catch(() => {})
    return connecting
  }

  /** @param isRetry the session was lost before: the server has not seen the request */
  async function request<S extends z.ZodType>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    schema: S,
    signal: AbortSignal,
    isRetry = false,
  ): Promise<z.output<S>> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `the server ${name} did not answer within ${REQUEST_MS / 1_000} s`)
    let used: Client | undefined
    try {
      return await withTimeout({ clock, ms: REQUEST_MS, late, signal }, async ended => {
        used = await connect()
        ended.throwIfAborted()
        const result = await used.request({ method, params }, schema, { ...NO_TIMEOUT, signal: ended })
        breaker.succeeded()
        problem = undefined
        return result as z.output<S>
      })
    } catch (error) {
      signal.throwIfAborted()
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (!used) throw error
      if (isAnswer(error)) {
        breaker.succeeded()
        throw new ServerError(told(error))
      }
      // The server has forgotten the session, as after a restart.
      if (code === 404 && !isRetry) {
        await drop(used)
        return request(method, params, schema, signal, true)
      }
      if (client === used) {
        failed(told(error) ?? 'it failed')
        // One that hangs is connected anew, and so is one that is gone.
        if (pausedNow() || typeof code === 'number') await drop(used)
      }
      throw unavailable(told(error) ?? 'it failed')
    }
  }

  async function drop(one: Client): Promise<void> {
    if (client === one) client = undefined
    await one.close().catch(() => {})
  }

  const pages = async (method: string, key: string, signal: AbortSignal) => {
    const late = () => new Error(`the server ${name} did not answer in time`)
    return withTimeout({ clock, ms: REQUEST_MS, late, signal }, async ended =>
      listPages(await connect(), method, key, { ...NO_TIMEOUT, signal: ended }),
    )
  }

  return {
    name,
    get tools() {
      return tools
    },
    get hasResources() {
      return options.resources && capabilities?.resources !== undefined
    },
    get hasPrompts() {
      return capabilities?.prompts !== undefined
    },
    get problem() {
      return problem
    },
    get isConnected() {
      return client !== undefined
    },
    get isPaused() {
      return pausedNow()
    },
    async wake() {
      if (client || pausedNow()) return
      await connect().catch(() => {})
    },
    call: (tool, args, signal) => request('tools/call', { name: tool, arguments: args }, callResult, signal),
    listResources: signal => pages('resources/list', 'resources', signal),
    readResource: async (uri, signal) => (await request('resources/read', { uri }, readResult, signal)).contents,
    listPrompts: signal => pages('prompts/list', 'prompts', signal),
    getPrompt: async (prompt, args, signal) =>
      (await request('prompts/get', { name: prompt, arguments: args }, promptResult, signal)).messages,
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the plugin stops'))
      clock.clearTimeout(listing)
      await connecting?.catch(() => {})
      const last = client
      client = undefined
      await last?.close().catch(() => {})
    },
  }
}

const unavailable = (why: string, cause?: string) => new KikimimiError('TOOL_UNAVAILABLE', why, { cause })

const promptResult = z.looseObject({ messages: z.array(z.unknown()) })

/** Schemas of a server are not compiled: a pattern in them could take for ever. */
const accepting: jsonSchemaValidator = {
  getValidator<T>() {
    return (data: unknown) => ({ valid: true, data: data as T, errorMessage: undefined }) as const as JsonSchemaValidatorResult<T>
  },
}

/** JSON-RPC errors that the SDK makes itself: the connection is closed, the request is late. */
const OF_THE_SDK: readonly unknown[] = [-32000, -32001]

/** Whether the server has answered with an error. An error of HTTP has another name. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && error.name === 'McpError' && 'code' in error && !OF_THE_SDK.includes(error.code)
}

/** An error on one line. The errors of zod list what does not fit. */
function told(error: unknown): string | undefined {
  if (!(error instanceof Error)) return error === undefined ? undefined : shortText(String(error), 200)
  if ('issues' in error) return 'its answer does not fit the protocol'
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return shortText(`${error.message}${cause}`, 200)
}
