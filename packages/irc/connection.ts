/** The connection to a server: log-in, channels, the nick, reconnecting, and lines in the pace that the server allows. */
/// <reference path="./irc-framework.d.ts" />
import { Client } from 'irc-framework'
import { type KeptConnection, KikimimiError, keepConnected, type PlatformContext, sleep } from 'kikimimi'

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly channels: readonly string[]
  readonly nick: string
  readonly account?: string | undefined
  readonly password?: string | undefined
  /** Lines that are sent at once, and the milliseconds between two lines after that. */
  readonly burst: number
  readonly pause: number
}

/** Milliseconds before the bot tries a message again that met no connection. */
const AGAIN = 1_000
/** Milliseconds that a message may wait in this process for its lines. Longer: the bot sends it later. */
const PATIENCE = 15_000
/** Milliseconds for the farewell of the server. */
const FAREWELL = 1_000

export interface Lines {
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** A channel or a nick. */
  readonly target: string
  readonly lines: readonly string[]
  readonly begun?: () => void
}

export interface Connection {
  readonly client: Client
  /** The channels that the bot is in, by name in lower case, with their modes such as `+nst`. */
  readonly modes: ReadonlyMap<string, string>
  unready(): string | undefined
  /** Resolves when the channels are joined or refused. @throws PLATFORM_START_FAILED */
  start(stopping: AbortSignal): Promise<void>
  /**
   * Sends lines. `begun` runs before the first one goes out. Resolves when the server has taken them all. Rejects as `Platform.send`
   * does.
   */
  write(message: Lines, signal: AbortSignal): Promise<void>
}

export function createConnection(options: ConnectionOptions, ctx: PlatformContext): Connection {
  const { clock, log } = ctx
  const { host, port, tls, channels, nick, account, password, burst, pause } = options
  const client = new Client()
  const modes = new Map<string, string>()
  const waiting = new Set<string>()
  let kept: KeptConnection | undefined
  let connected = () => {}
  let last = 'no answer'
  /** When the next line is due if all go at the pace; a burst is ahead of it. */
  let due = 0
  let writing: Promise<unknown> = Promise.resolve()
  let count = 0

  const unready = () => (kept ? kept.unready() : 'not connected yet')

  /** Connects, until the connection ends or must end. */
  async function attempt(begun: () => void, signal: AbortSignal): Promise<never> {
    connected = begun
    modes.clear()
    const closed = Promise.withResolvers<void>()
    client.once('close', () => closed.resolve())
    client.connect({
      ...{ host, port, tls, nick, username: 'kikimimi', gecos: nick, version: 'kikimimi' },
      ...(password !== undefined && (account === undefined ? { password } : { account: { account, password } })),
      // Reconnecting and cutting are done here.
      ...{ auto_reconnect: false, message_max_length: 512, sasl_disconnect_on_fail: account !== undefined },
    })
    const quit = () => {
      client.quit('bye')
      clock.setTimeout(closed.resolve, FAREWELL)
    }
    signal.addEventListener('abort', quit)
    await closed.promise
    signal.removeEventListener('abort', quit)
    throw new KikimimiError('PLATFORM_UNAVAILABLE', `not connected to ${host}: ${last}`)
  }

  function joined(channel: string): void {
    if (!waiting.delete(client.caseLower(channel)) || waiting.size > 0) return
    connected()
  }

  client.on('registered', () => {
    for (const channel of channels) {
      waiting.add(client.caseLower(channel))
      client.join(channel)
    }
  })
  client.on('socket close', error => {
    if (error) last = error.message
  })
  client.on('join', ({ nick: who, channel }) => {
    if (who === client.user.nick) client.raw('MODE', channel)
  })
  client.on('channel info', ({ channel, raw_modes: now }) => {
    if (now === undefined) return
    modes.set(client.caseLower(channel), now)
    joined(channel)
  })
  client.on('mode', ({ target }) => {
    if (modes.has(client.caseLower(target))) client.raw('MODE', target)
  })
  client.on('kick', ({ kicked, channel, message }) => {
    if (kicked !== client.user.nick) return
    modes.delete(client.caseLower(channel))
    log.warn(`the bot was kicked from ${channel}: ${message}`)
  })
  client.on('irc error', ({ error, channel, reason }) => {
    last = reason ?? error
    if (channel === undefined || !waiting.has(client.caseLower(channel))) return
    log.warn(`${channel} cannot be joined: ${last}`)
    joined(channel)
  })
  client.on('nick in use', ({ nick: taken }) => {
    if (client.user.nick !== taken && unready() === undefined) return
    client.changeNick(`${taken}_`)
  })
  // The nick is free again.
  const regain = (gone: { readonly nick: string }) => {
    if (gone.nick === nick && client.user.nick !== nick) client.changeNick(nick)
  }
  client.on('quit', regain)
  client.on('nick', regain)

  /** The times of so many lines. @throws when the last one is too far away */
  function reserve(lines: number): number[] {
    const from = Math.max(due, clock.now())
    const times = Array.from({ length: lines }, (_, index) => from + (index + 1 - burst) * pause)
    const late = (times.at(-1) ?? 0) - clock.now() - PATIENCE
    if (late > 0) throw later('IRC takes no more lines now', late)
    due = from + lines * pause
    return times
  }

  async function send({ command, target, lines, begun }: Lines, times: readonly number[], signal: AbortSignal): Promise<void> {
    const taken = Promise.withResolvers<void>()
    const token = `kikimimi-${++count}`
    const pong = ({ message }: { readonly message: string }) => message === token && taken.resolve()
    let isPosted = false
    const unknown = () => new KikimimiError('PLATFORM_UNAVAILABLE', 'the connection to IRC ended while a message was sent')
    const lost = () => taken.reject(isPosted ? unknown() : later('the connection to IRC ended', AGAIN))
    const refused = ({
      channel,
      nick: person,
      reason,
      error,
    }: { [name in 'channel' | 'nick' | 'reason' | 'error']?: string }) => {
      if (channel !== target && person !== target) return
      taken.reject(new KikimimiError('PLATFORM_REFUSED', `IRC refused a message: ${reason ?? error}`))
    }
    const aborted = () => taken.reject(signal.reason)
    client.on('pong', pong).on('socket close', lost).on('irc error', refused)
    signal.addEventListener('abort', aborted, { once: true })
    try {
      for (const [index, line] of lines.entries()) {
        await Promise.race([sleep(clock, Math.max(0, (times[index] ?? 0) - clock.now()), signal), taken.promise])
        const problem = isPosted ? undefined : unready()
        if (problem !== undefined) throw later(problem, AGAIN)
        if (!isPosted) begun?.()
        isPosted = true
        client.raw(command, target, line)
      }
      // The server answers in order: what it refuses, it refuses before this.
      client.raw('PING', token)
      await taken.promise
    } finally {
      taken.promise.catch(() => {})
      client.off('pong', pong).off('socket close', lost).off('irc error', refused)
      signal.removeEventListener('abort', aborted)
    }
  }

  return {
    client,
    modes,
    unready,
    async start(stopping) {
      kept = keepConnected(ctx, stopping, attempt)
      await kept.tried
      const problem = kept.unready()
      if (problem === undefined) return
      throw new KikimimiError('PLATFORM_START_FAILED', `[irc] ${problem}. Check host, port, tls and password.`)
    },
    async write(message, signal) {
      const problem = unready()
      if (problem !== undefined) throw later(problem, AGAIN)
      const times = reserve(message.lines.length)
      // One message at a time, so that a refusal belongs to it.
      const before = writing
      const sent = before.then(() => send(message, times, signal))
      writing = sent.catch(() => {})
      await sent
    },
  }
}

/** Nothing was posted, and it may be tried again. */
function later(why: string, retryAfterMs: number): KikimimiError {
  return new KikimimiError('PLATFORM_REFUSED', why, { retryAfterMs })
}
