/** A voice server of Discord: the gateway of version 8 over TLS, and sound over UDP. It has no end-to-end encryption. */
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { VoiceOpcodes, type VoiceSendPayload } from 'discord-api-types/voice/v8'
import { type WebSocket, WebSocketServer } from 'ws'
import { trustedCertificate } from './certificate.ts'
import { addressResponse, createSender, MODE, opusIn } from './rtp.ts'

const HOST = '127.0.0.1'
const BOT_SSRC = 1

export interface VoiceServerOptions {
  /** The token that VOICE_SERVER_UPDATE has told the bot. */
  readonly token: string
  /** The bot has spoken 20 ms. */
  heard(opus: Buffer): void
  /** The bot begins or ends to speak. */
  speaking(isSpeaking: boolean): void
}

export interface VoiceServer {
  /** `127.0.0.1:443` */
  readonly endpoint: string
  /** Whether the bot is connected. */
  readonly isReady: boolean
  /** Sends what a person says, 20 ms each. Resolves when it is sent. */
  say(account: string, packets: readonly Uint8Array[]): Promise<void>
  close(): Promise<void>
}

export async function startVoiceServer({ token, heard, speaking }: VoiceServerOptions): Promise<VoiceServer> {
  const https = createServer(trustedCertificate())
  const sockets = new WebSocketServer({ server: https })
  const udp = createSocket('udp4')
  const key = randomBytes(32)
  /** By the id of the person. */
  const senders = new Map<string, { readonly ssrc: number; readonly seal: (opus: Uint8Array) => Buffer }>()
  let client: WebSocket | undefined
  let remote: RemoteInfo | undefined
  let isReady = false

  const send = (socket: WebSocket, op: VoiceOpcodes, d: unknown) => socket.send(JSON.stringify({ op, d }))

  function hear(socket: WebSocket, { op, d }: VoiceSendPayload): void {
    if (op === VoiceOpcodes.Heartbeat) send(socket, VoiceOpcodes.HeartbeatAck, { t: d.t })
    if (op === VoiceOpcodes.Identify) {
      // https://discord.com/developers/docs/topics/opcodes-and-status-codes#voice-voice-close-event-codes
      if (d.token !== token) {
        socket.close(4004)
        return
      }
      const { port } = udp.address()
      send(socket, VoiceOpcodes.Ready, { ssrc: BOT_SSRC, ip: HOST, port, modes: [MODE, 'aead_xchacha20_poly1305_rtpsize'] })
    }
    if (op === VoiceOpcodes.SelectProtocol) {
      client = socket
      isReady = true
      const session = { mode: d.data.mode, secret_key: [...key], dave_protocol_version: 0, audio_codec: 'opus' }
      send(socket, VoiceOpcodes.SessionDescription, session)
    }
    if (op === VoiceOpcodes.Speaking) speaking(Number(d.speaking) !== 0)
  }

  sockets.on('connection', socket => {
    socket.on('message', data => hear(socket, JSON.parse(String(data)) as VoiceSendPayload))
    socket.on('close', () => {
      if (client !== socket) return
      client = undefined
      isReady = false
    })
    send(socket, VoiceOpcodes.Hello, { v: 8, heartbeat_interval: 41_250 })
  })
  udp.on('message', (message, from) => {
    const response = addressResponse(message, from.address, from.port)
    if (response) {
      remote = from
      udp.send(response, from.port, from.address)
    } else if (message.length > 12 && message.readUInt32BE(8) === BOT_SSRC) heard(opusIn(message, key))
  })
  udp.bind(0, HOST)
  https.listen(0, HOST)
  await Promise.all([once(udp, 'listening'), once(https, 'listening')])

  return {
    endpoint: `${HOST}:${(https.address() as AddressInfo).port}`,
    get isReady() {
      return isReady
    },

    async say(account, packets) {
      if (!client || !remote) throw new Error('The bot is not connected to the voice server.')
      const ssrc = senders.get(account)?.ssrc ?? senders.size + 2
      const sender = senders.get(account) ?? { ssrc, seal: createSender(key, ssrc) }
      senders.set(account, sender)
      send(client, VoiceOpcodes.Speaking, { user_id: account, ssrc, speaking: 1 })
      // The bot has read the line above when it answers.
      const pong = once(client, 'pong')
      client.ping()
      await pong
      for (const opus of packets) {
        const { port, address } = remote
        const packet = sender.seal(opus)
        await new Promise(resolve => udp.send(packet, port, address, resolve))
      }
    },

    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      udp.close()
      https.closeAllConnections()
      await new Promise(resolve => https.close(resolve))
    },
  }
}
