/**
 * The gateway, through discord.js, which resumes a cut session and replays what was missed. The rest is ours: logging in
 * until Discord answers, telling when no reconnecting helps, and reading the history after a session was lost.
 */
import { type Client, Events, Status } from 'discord.js'
import { type App, type KikimimiError, sleep } from 'kikimimi'
import { type ClientOptions, createClient, type OpenClient } from './client.ts'
import { fatal, fatalError, loginRefused, sentence, unreachable } from './trouble.ts'

export interface ConnectionOptions extends ClientOptions {
  readonly token: string
  /** Called before anything can be received. */
  listen(client: Client): void
}

export interface Connection {
  /** Resolves when the bot is logged in and knows its servers. Throws a KikimimiError that says what to do. */
  open(signal: AbortSignal): Promise<Client<true>>
  /** Why the bot hears nothing right now. */
  unready(): string | undefined
}

type ConnectionApp = Pick<App, 'bookmark' | 'clock' | 'fail' | 'log' | 'random' | 'scope'>

interface LoggedIn extends OpenClient {
  readonly client: Client<true>
}

interface NotLoggedIn {
  readonly error: unknown
  /** Trying again would not help. */
  readonly refused: KikimimiError | undefined
}

const PLATFORM = 'discord'
const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000
/** The kernel gives a platform a minute; what keeps the bot out is told before that. */
const PATIENCE = 45_000

export function createConnection(app: ConnectionApp, options: ConnectionOptions): Connection {
  const { clock, log, random } = app
  let client: Client<true> | undefined

  async function logIn(signal: AbortSignal): Promise<LoggedIn> {
    const deadline = clock.now() + PATIENCE
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const made = await attempt(signal, Math.max(1, deadline - clock.now()))
      if ('client' in made) return made
      if (made.refused) throw made.refused
      if (clock.now() + wait >= deadline) throw unreachable(made.error, options.apiUrl)
      log.warn(`could not log in, trying again: ${sentence(made.error)}`)
      await sleep(clock, wait * (0.75 + random() / 2), signal)
    }
  }

  /** A client that failed to log in is of no further use. */
  async function attempt(signal: AbortSignal, ms: number): Promise<LoggedIn | NotLoggedIn> {
    const { client: made, end: endClient } = createClient(clock, options)
    let closeCode: number | undefined
    made.on(Events.ShardDisconnect, ({ code }) => {
      closeCode = code
    })
    made.on(Events.Error, error => log.warn(`discord.js: ${sentence(error)}`))
    options.listen(made)
    const { promise: end, reject } = Promise.withResolvers<never>()
    const ready = new Promise<Client<true>>(resolve => made.once(Events.ClientReady, resolve))
    const timer = clock.setTimeout(() => reject(new Error('no answer')), ms)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return { client: await Promise.race([made.login(options.token).then(() => ready), end]), end: endClient }
    } catch (error) {
      await endClient()
      signal.throwIfAborted()
      return { error, refused: loginRefused(error, closeCode) }
    } finally {
      clock.clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  function watch(opened: Client<true>, signal: AbortSignal): void {
    const marks = new Map<number, Promise<() => Promise<void>>>()

    opened.on(Events.ShardReconnecting, shard => {
      if (signal.aborted || marks.has(shard)) return
      log.info('lost the connection, trying again', { shard })
      const mark = app.bookmark(PLATFORM)
      mark.catch(() => {})
      marks.set(shard, mark)
    })
    // The session goes on, and Discord has told what happened meanwhile.
    opened.on(Events.ShardResume, shard => {
      log.info('connected again', { shard })
      marks.delete(shard)
    })
    opened.on(Events.ShardReady, shard => {
      log.info('connected anew', { shard })
      const mark = marks.get(shard)
      marks.delete(shard)
      if (mark !== undefined) void catchUp(async () => (await mark)(), signal)
    })
    opened.on(Events.ShardDisconnect, ({ code }) => {
      if (!signal.aborted && fatal(code)) app.fail(fatalError(code, 'PLATFORM_LOST'))
    })
    // After one of these discord.js forgets the token: it would go on listening, and never say a word again.
    opened.rest.on('response', ({ data: { auth } }, { status }) => {
      if (status === 401 && auth !== false && !signal.aborted) app.fail(fatalError(status, 'PLATFORM_LOST'))
    })
  }

  async function catchUp(read: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!signal.aborted) log.warn(`could not read what was missed: ${sentence(error)}`)
    }
  }

  return {
    async open(signal) {
      const read = await app.bookmark(PLATFORM)
      const { client: opened, end } = await logIn(signal)
      app.scope.defer(end)
      client = opened
      watch(opened, signal)
      log.info('connected', { servers: opened.guilds.cache.size, shards: opened.ws.shards.size })
      // Not waited for: people who call now are answered now.
      void catchUp(read, signal)
      return opened
    },

    unready() {
      if (!client) return 'not connected to Discord'
      const lost = client.ws.shards.filter(({ status }) => status !== Status.Ready)
      return lost.size === 0 ? undefined : `no connection to Discord (shard ${lost.map(({ id }) => id).join(', ')})`
    },
  }
}
