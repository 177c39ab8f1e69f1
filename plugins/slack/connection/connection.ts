/**
 * Keeps the socket open. Bolt's own reconnection waits five seconds each time and ends with an unhandled rejection if
 * Slack refuses the token. So it is off, and this loop replaces it.
 */
import type { SocketModeReceiver } from '@slack/bolt'
import { type Clock, type KikimimiError, sleep } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { connectionRefused, isLost, isPassing, slackCode, tokenRefused, unreachable, waitMs, whyOf } from '../web-api/calls.ts'

export interface ConnectionOptions {
  readonly socket: SocketModeReceiver['client']
  readonly apiUrl: string
  /** Time limit of one attempt. */
  readonly timeoutMs: number
  readonly ctx: Pick<PlatformContext, 'clock' | 'random' | 'log'>
  readonly signal: AbortSignal
  /** Called when the connection is lost. The returned function is called when it is open again. */
  readonly lost: () => Promise<() => void>
  readonly fail: (error: Error) => void
}

export interface Connection {
  /** Why the connection is not open. */
  unready(): string | undefined
  end(): Promise<void>
}

/** Number of attempts for the first connection. */
const TRIES = 3
/** A connection that lasted this long counts as good. */
const STOOD_MS = 10_000
const FAREWELL_MS = 2_000

/** Resolves when the first connection is open. Throws a KikimimiError with the remedy. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { socket, apiUrl, timeoutMs, ctx, signal, lost, fail } = options
  const { clock, random, log } = ctx

  /** Throws Slack's error. */
  async function open(): Promise<void> {
    // One for the address, one for the socket.
    const timer = clock.setTimeout(() => void socket.disconnect(), 2 * timeoutMs)
    try {
      await socket.start()
    } finally {
      clock.clearTimeout(timer)
    }
  }

  async function openAgain(failures: number): Promise<void> {
    for (let failed = failures; ; failed++) {
      if (failed > 0) await sleep(clock, waitMs(undefined, failed, random), signal)
      signal.throwIfAborted()
      try {
        return await open()
      } catch (error) {
        signal.throwIfAborted()
        if (!isTemporary(error)) throw refused(error)
        log.warn('Slack cannot be reached; trying again', { why: whyOf(error) })
      }
    }
  }

  async function stay(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const since = clock.now()
      await closed(socket, signal)
      if (signal.aborted) return
      // The first attempt is immediate, unless connections do not last.
      failures = clock.now() - since > STOOD_MS ? 0 : failures + 1
      const back = await lost()
      await openAgain(failures - 1)
      log.info('connected to Slack again')
      back()
    }
  }

  for (let attempt = 1; ; attempt++) {
    try {
      await open()
      break
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error) || attempt >= TRIES) throw cannotOpen(error, apiUrl)
      await sleep(clock, waitMs(error, attempt, random), signal)
    }
  }
  const staying = stay().catch((error: unknown) => {
    if (!signal.aborted) fail(error instanceof Error ? error : new Error(String(error)))
  })
  let ended: Promise<void> | undefined
  async function end(): Promise<void> {
    await close(socket, clock)
    await staying
    // The socket was about to open when the end was called.
    await close(socket, clock)
  }
  return {
    unready: () => (socket.websocket?.isActive() ? undefined : 'no connection to Slack'),
    end() {
      // Two calls would cut the connection during its close handshake.
      ended ??= end()
      return ended
    },
  }
}

/** The client would wait half a minute for the close handshake of the other side. A second call ends the wait. */
async function close(socket: SocketModeReceiver['client'], clock: Clock): Promise<void> {
  if (!socket.websocket?.isActive()) return
  const timer = clock.setTimeout(() => void socket.disconnect(), FAREWELL_MS)
  await socket.disconnect()
  clock.clearTimeout(timer)
}

/** Tokens of another kind, or without `connections:write`. */
const UNFIT: ReadonlySet<string | undefined> = new Set(['not_allowed_token_type', 'missing_scope'])

/** Why Slack opens no connection, and the remedy. */
export function cannotOpen(error: unknown, apiUrl: string): KikimimiError {
  return isTemporary(error) ? unreachable(apiUrl, whyOf(error)) : refused(error)
}

function refused(error: unknown): KikimimiError {
  return isLost(error) || UNFIT.has(slackCode(error)) ? tokenRefused('app', error) : connectionRefused(error)
}

/** An attempt that was cancelled rejects without an error. */
function isTemporary(error: unknown): boolean {
  return slackCode(error) === undefined || isPassing(error)
}

function closed(socket: SocketModeReceiver['client'], signal: AbortSignal): Promise<void> {
  if (!socket.websocket?.isActive()) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      socket.off('disconnected', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    socket.on('disconnected', end)
    signal.addEventListener('abort', end, { once: true })
  })
}
