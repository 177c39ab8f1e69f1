import pg from 'pg'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'

export interface PostgresListener {
  listen(channel: string, on: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

/**
 * One connection for all channels. It opens at the first `listen` and again after each loss. Notifications in between are
 * lost: they are hints, and the tables have the data.
 */
export function createListener(config: pg.ClientConfig, log: Logger): PostgresListener {
  const channels = new Map<string, Set<(payload: string) => void>>()
  let client: Promise<pg.Client> | undefined
  let pauseMs = FIRST_PAUSE_MS
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client(config)
    next.on('error', error => log.warn(`lost the connection that listens: ${reason(error)}`))
    next.on('notification', ({ channel, payload = '' }) => {
      for (const on of channels.get(channel) ?? []) on(payload)
    })
    try {
      await next.connect()
      for (const channel of channels.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end()
      throw error
    }
    next.on('end', lost)
    pauseMs = FIRST_PAUSE_MS
    return next
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
    retry = setTimeout(() => connected().catch(failed), pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  function failed(error: unknown): void {
    log.warn(`cannot listen to the database: ${reason(error)}`)
    lost()
  }

  async function leave(channel: string, on: (payload: string) => void): Promise<void> {
    const listeners = channels.get(channel)
    listeners?.delete(on)
    if (listeners?.size !== 0) return
    channels.delete(channel)
    // A lost connection listens to nothing.
    await client?.then(open => open.query(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => {})
  }

  return {
    async listen(channel, on) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(on))
      try {
        await (await connected()).query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        await leave(channel, on)
        throw error
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
