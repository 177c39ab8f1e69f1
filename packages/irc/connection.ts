/** The connection to a server: log-in, channels, the nick, and lines in the pace that the server allows. */
/// <reference path="./irc-framework.d.ts" />
import { Client } from 'irc-framework'
import { KikimimiError, sleep, withTimeout } from 'kikimimi'
import { keepConnected, type PlatformContext } from 'kikimimi/platform'
import type { IrcOptions } from './index.ts'

/** Milliseconds before the bot tries a message again that met no connection. */
const AGAIN = 1_000
/** Milliseconds that a message may wait in this process for its lines. Longer: the bot sends it later. */
const PATIENCE = 15_000
/** Milliseconds for the answer of the server to a message. */
const TIMEOUT = 30_000
/** Milliseconds for the farewell of the server. */
const FAREWELL = 1_000

export function createConnection(ctx: PlatformContext, options: IrcOptions) {
  const { clock, log } = ctx
  const { host, port, tls, channels, nick, account, password, burst, pause } = options
  const client = new Client()
  /** The channels that the bot is in, by name in lower case, with their modes such as `+nst`. */
  const modes = new Map<string, string>()
  /** What has gone out, by the token of the `PING` behind it, until the server has taken or refused it. */
  const sent = new Map<string, PromiseWithResolvers<void> & { readonly target: string }>()
  const kept = keepConnected(ctx, attempt)
  // The server says how names are compared after the connection has begun.
  const isOurs = (channel: string) => channels.some(name => client.caseLower(name) === client.caseLower(channel))
  let connected = () => {}
  let last = 'no answer'
  /** Why the server does not take the nick. */
  let invalid: string | undefined
  /** When the next line is due if all go at the pace; a burst is ahead of it. */
  let due = 0
  let count = 0

  /** Connects, until the connection ends or must end. */
  async function attempt(begun: () => void, signal: AbortSignal): Promise<never> {
    connected = begun
    invalid = undefined
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
    throw new KikimimiError('PLATFORM_UNAVAILABLE', `not connected to ${host}: ${invalid ?? last}`)
  }

  client.on('registered', () => {
    for (const channel of channels) client.join(channel)
    // With the first answer the channels are joined or refused, with the second their modes are known.
    confirm('')
      .then(() => confirm(''))
      .then(connected, () => {})
  })
  client.on('socket close', error => {
    if (error) last = error.message
    const unknown = new KikimimiError('PLATFORM_UNAVAILABLE', 'the connection to IRC ended while a message was sent')
    for (const { reject } of sent.values()) reject(unknown)
  })
  client.on('join', ({ nick: who, channel }) => {
    if (who !== client.user.nick) return
    if (isOurs(channel)) {
      client.raw('MODE', channel)
      return
    }
    // A full channel, or one for invited people, forwards to another one.
    log.warn(`the bot leaves ${channel}, because it is not among its channels`)
    client.part(channel)
  })
  client.on('channel info', ({ channel, raw_modes: now }) => {
    if (now !== undefined) modes.set(client.caseLower(channel), now)
  })
  client.on('mode', ({ target }) => {
    if (modes.has(client.caseLower(target))) client.raw('MODE', target)
  })
  client.on('kick', ({ kicked, channel, message }) => {
    if (kicked !== client.user.nick) return
    modes.delete(client.caseLower(channel))
    log.warn(`the bot was kicked from ${channel}: ${message}`)
  })
  client.on('irc error', ({ error, channel, nick: person, reason }) => {
    last = reason ?? error
    if (channel !== undefined && kept.unready() !== undefined) log.warn(`${channel} cannot be joined: ${last}`)
    const refused = new KikimimiError('PLATFORM_REFUSED', `IRC refused a message: ${last}`)
    for (const { target, reject } of sent.values()) if (target === channel || target === person) reject(refused)
  })
  client.on('pong', ({ message }) => sent.get(message)?.resolve())
  client.on('nick invalid', ({ nick: refused, reason }) => {
    // Without a nick the server would wait for another one.
    invalid = `the nick ${refused} is refused (${reason})`
    client.quit('')
  })
  client.on('nick in use', ({ nick: taken }) => {
    if (client.user.nick !== taken && kept.unready() === undefined) return
    client.changeNick(`${taken}_`)
  })
  // The nick is free again.
  const regain = (gone: { readonly nick: string }) => {
    if (gone.nick === nick && client.user.nick !== nick) client.changeNick(nick)
  }
  client.on('quit', regain)
  client.on('nick', regain)

  /** Milliseconds until so many lines may go out at once, at most a burst. @throws when that is too long */
  function reserve(lines: number): number {
    const from = Math.max(due, clock.now())
    const wait = from + (lines - burst) * pause - clock.now()
    if (wait > PATIENCE) throw later('IRC takes no more lines now', wait - PATIENCE)
    due = from + lines * pause
    return Math.max(0, wait)
  }

  /** Resolves when the server has taken all before. It answers in order: what it refuses, it refuses before this. */
  async function confirm(target: string, signal?: AbortSignal): Promise<void> {
    const [token, one] = [`kikimimi-${++count}`, { target, ...Promise.withResolvers<void>() }]
    const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', 'IRC did not answer')
    sent.set(token, one)
    client.raw('PING', token)
    await withTimeout({ clock, ms: TIMEOUT, late, signal }, () => one.promise).finally(() => sent.delete(token))
  }

  function checkConnected(): void {
    const problem = client.connected ? kept.unready() : `not connected to ${host}`
    if (problem !== undefined) throw later(problem, AGAIN)
  }

  return {
    client,
    modes: modes as ReadonlyMap<string, string>,
    unready: kept.unready,

    /** Resolves when the channels are joined or refused. @throws PLATFORM_START_FAILED */
    async start(stopping: AbortSignal): Promise<void> {
      await kept.start(stopping)
      const problem = kept.unready()
      if (problem === undefined) return
      throw new KikimimiError(
        'PLATFORM_START_FAILED',
        `[irc] ${problem}. Check ${invalid === undefined ? 'host, port, tls and password' : 'nick'}.`,
      )
    },

    /**
     * Resolves when the server has taken all lines. Rejects as `Platform.send` does.
     * @param target a channel or a nick
     * @param text at most as many lines as go out at once
     */
    async write(command: 'PRIVMSG' | 'NOTICE', target: string, text: string, signal: AbortSignal): Promise<void> {
      const lines = text.split('\n')
      checkConnected()
      await sleep(clock, reserve(lines.length), signal)
      checkConnected()
      for (const line of lines) client.raw(command, target, line)
      await confirm(target, signal)
    },
  }
}

/** Nothing was posted, and it may be tried again. */
function later(why: string, retryAfterMs: number): KikimimiError {
  return new KikimimiError('PLATFORM_REFUSED', why, { retryAfterMs })
}
