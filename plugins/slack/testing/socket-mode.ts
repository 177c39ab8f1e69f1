/** The server side of Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

export interface SocketMode {
  readonly connected: boolean
  /** Number of connections so far. */
  readonly opened: number
  /** Sends an envelope. Resolves with the acknowledgement, or undefined after the time limit. */
  send(envelope: Envelope): Promise<Acknowledged | undefined>
  /** Asks the app to reconnect, as Slack does every few hours. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void
  /** Cuts every connection without a close frame. */
  cut(): void
  close(): void
}

export interface Acknowledged {
  /** The immediate response of the app. */
  readonly answer: unknown
}

export interface Envelope {
  readonly envelope_id: string
  readonly type: 'events_api' | 'slash_commands' | 'interactive'
  readonly payload: unknown
  readonly retry_attempt?: number
  readonly retry_reason?: string
}

/** Time limit for an acknowledgement. */
const ACK_MS = 3_000
/** A client that was pinged once gives up without a ping for 30 s. */
const PING_MS = 10_000

/** @param path path for connections, with a ticket */
export function serveSocketMode(server: Server, path: string): SocketMode {
  const sockets = new WebSocketServer({ noServer: true })
  const waiting = new Map<string, (answer: unknown) => void>()
  let opened = 0

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url?.startsWith(path)) sockets.handleUpgrade(request, socket, head, welcome)
    else socket.destroy()
  }
  server.on('upgrade', onUpgrade)
  const pinging = setInterval(() => {
    for (const client of sockets.clients) client.ping()
  }, PING_MS)

  function welcome(client: WebSocket): void {
    opened++
    // One for each event that waits for its acknowledgement.
    client.setMaxListeners(0)
    client.on('message', data => {
      const { envelope_id, payload } = JSON.parse(String(data))
      waiting.get(envelope_id)?.(payload)
    })
    client.on('error', () => client.terminate())
    client.send(
      JSON.stringify({ type: 'hello', num_connections: sockets.clients.size, connection_info: { app_id: 'AKIKIMIMI' } }),
    )
  }

  const open = () => Array.from(sockets.clients).filter(client => client.readyState === client.OPEN)

  return {
    get connected() {
      return open().length > 0
    },
    get opened() {
      return opened
    },

    async send(envelope) {
      // With several connections Slack chooses one for each event.
      const client = open().at(-1)
      if (!client) return undefined
      const { promise, resolve } = Promise.withResolvers<Acknowledged | undefined>()
      const giveUp = () => resolve(undefined)
      const timer = setTimeout(giveUp, ACK_MS)
      client.once('close', giveUp)
      waiting.set(envelope.envelope_id, answer => resolve({ answer }))
      client.send(JSON.stringify({ accepts_response_payload: envelope.type === 'slash_commands', ...envelope }))
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        client.off('close', giveUp)
        waiting.delete(envelope.envelope_id)
      }
    },

    disconnect(reason) {
      for (const client of open()) client.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'loopback' } }))
    },

    cut() {
      for (const client of sockets.clients) client.terminate()
    },

    close() {
      clearInterval(pinging)
      server.off('upgrade', onUpgrade)
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}
