import pg from 'pg'
import { reason } from '../../base/errors.ts'
import { CONNECT_MS } from './postgres-pool.ts'
import { destroy } from './silence.ts'
import { lostOr, type Place, unreachable } from './unreachable.ts'

export interface PostgresListener {
  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>
  /** Why it does not listen, and since when on the clock of `performance`; nothing when it does. */
  readonly deaf: { readonly why: string; readonly since: number } | undefined
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** A silent connection is noticed after twice this time at the latest. */
const ASK_MS = 4_000

/**
 * One connection for all channels. It opens at the first `listen` and again after each loss. Notifications in between are
 * lost: they are hints, and the tables have the data. The connection waits for notifications only, so it asks the server
 * something regularly, to notice that the server has fallen silent.
 *
 * @param failed gets each error of the connection
 */
export function createListener(given: pg.ClientConfig, place: Place, failed: (error: unknown) => void): PostgresListener {
  const config = { ...given, connectionTimeoutMillis: CONNECT_MS }
  const channels = new Map<string, Set<(payload: string) => void>>()
  let client: Promise<pg.Client> | undefined
  let pauseMs = FIRST_PAUSE_MS
  let retry: NodeJS.Timeout | undefined
  let deaf: PostgresListener['deaf']
  let closed = false

  function fail(error: unknown): void {
    if (closed) return
    deaf = { why: reason(error), since: deaf?.since ?? performance.now() }
    failed(error)
  }

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client(config)
    next.on('error', fail)
    next.on('notification', ({ channel, payload = '' }) => {
      for (const on of channels.get(channel) ?? []) on(payload)
    })
    try {
      await next.connect()
      for (const channel of channels.keys()) await answered(next, `listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      destroy(next)
      throw unreachable(error, place)
    }
    const asking = setInterval(() => void answered(next, 'select 1').catch(() => {}), ASK_MS).unref()
    next.on('end', () => {
      clearInterval(asking)
      lost()
    })
    deaf = undefined
    pauseMs = FIRST_PAUSE_MS
    return next
  }

  /** Destroys the connection when the answer is late. */
  async function answered(open: pg.Client, sql: string): Promise<void> {
    const late = setTimeout(() => destroy(open), ASK_MS)
    try {
      await open.query(sql)
    } finally {
      clearTimeout(late)
    }
  }

  function connected(): Promise<pg.Client> {
    client ??= connect().catch(error => {
      client = undefined
      throw error
    })
    return client
  }

  function lost(): void {
    client = undefined
    if (closed) return
    // Real time, not the bot's clock: the server is another machine.
    retry = setTimeout(() => connected().catch(again), pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function again(error: unknown): void {
    fail(error)
    lost()
  }

  async function leave(channel: string, on: (payload: string) => void): Promise<void> {
    const listeners = channels.get(channel)
    listeners?.delete(on)
    if (listeners?.size !== 0) return
    channels.delete(channel)
    // A lost connection listens to nothing.
    await client?.then(open => answered(open, `unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => {})
  }

  return {
    get deaf() {
      return deaf
    },

    async listen(channel, on) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(on))
      try {
        await answered(await connected(), `listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        await leave(channel, on)
        throw lostOr(error, place)
      }
      return () => leave(channel, on)
    },

    async close() {
      closed = true
      clearTimeout(retry)
      const open = await client?.catch(() => undefined)
      await open?.end()
    },
  }
}
