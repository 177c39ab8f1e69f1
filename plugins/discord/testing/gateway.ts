/** Discord's gateway: identify, resume with missed events, heartbeats, and connection faults. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type APIMessage,
  ApplicationFlags,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
  type GatewayReadyDispatchData,
  type GatewaySendPayload,
} from 'discord-api-types/v10'
import { type WebSocket, WebSocketServer } from 'ws'
import { guildData } from './data.ts'
import type { Call } from './faults.ts'
import type { World } from './world.ts'

/**
 * How a connection ends: the socket is destroyed, the connection hangs, heartbeats get no answer (`deaf`), a close code, Discord asks to reconnect (op 7), or
 * the session is invalid (op 9), resumable or not.
 */
export type Cut = 'socket' | 'silent' | 'deaf' | 'reconnect' | 'invalid' | 'invalid, resumable' | number

/** The refusal of an identify: a close code, or op 9. */
export type Refused = number | 'invalid'

/** Events have `s` and `t`. The caller has created the data of the event. */
interface Payload {
  readonly op: GatewayOpcodes
  readonly d?: unknown
  readonly s?: number
  readonly t?: string
}

interface Session {
  readonly id: string
  readonly shard: number
  readonly shards: number
  readonly intents: number
  seq: number
  /** The latest events, oldest first. */
  readonly events: (Payload & { readonly s: number })[]
  socket: WebSocket | undefined
}

export interface Gateway {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends an event to the shard of the guild. Direct messages (no guild) belong to shard 0. */
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  cut(how: Cut): void
  /** Refuses the next identifies. */
  refuse(how: Refused, times: number): void
  /** Ends sessions of a smaller number of shards with the close code 4011, and refuses them from now on. */
  require(shards: number): void
  /** Number of connected shards. */
  readonly online: number
  close(): void
}

export interface GatewayOptions {
  readonly world: World
  readonly token: string
  readonly calls: Call[]
  /** Number of shards that may identify within five seconds, one of each bucket; absent: unlimited. */
  readonly maxConcurrency: number | undefined
  /** Flags of the application, which tell its privileged intents. */
  readonly flags: number
  /** Time between heartbeats, in milliseconds. */
  readonly heartbeatMs: number
  /** The URL for resuming. */
  url(): string
  /** The bot enters a voice channel of a guild, or leaves it (null). */
  moveBot(guild: string, channel: string | null): void
  /** Whether clients get the content of messages. */
  hasContent(): boolean
}

interface Identify {
  readonly token: string
  readonly intents: number
  readonly shard?: readonly [index: number, count: number]
}

const NAMES = new Map([
  [GatewayOpcodes.Heartbeat, 'HEARTBEAT'],
  [GatewayOpcodes.Identify, 'IDENTIFY'],
  [GatewayOpcodes.Resume, 'RESUME'],
  [GatewayOpcodes.VoiceStateUpdate, 'VOICE_STATE_UPDATE'],
])

/** https://discord.com/developers/docs/events/gateway#sharding-max-concurrency */
const IDENTIFY_MS = 5_000
/** Events that a session keeps for a resume. */
const REMEMBERED = 1_000

export function createGateway(options: GatewayOptions): Gateway {
  const { world, token, calls, maxConcurrency, flags, heartbeatMs, url, moveBot, hasContent } = options
  const server = new WebSocketServer({ noServer: true })
  /** By id: a shard can have two connections, and each gets all events. */
  const sessions = new Map<string, Session>()
  /** Time of the last identify of each bucket. */
  const identified = new Map<number, number>()
  const refusals: Refused[] = []
  /** The smallest number of shards that an identify may name. */
  let required = 1
  /** Connections whose heartbeats get no answer. */
  const deaf = new WeakSet<WebSocket>()
  /** Closes a connection without heartbeats. */
  const overdue = new Map<WebSocket, NodeJS.Timeout>()

  const send = (socket: WebSocket | undefined, payload: Payload) => socket?.send(JSON.stringify(payload))

  function emit(session: Session, event: GatewayDispatchEvents, data: unknown): void {
    const payload = { op: GatewayOpcodes.Dispatch, s: ++session.seq, t: event, d: data } satisfies Payload
    session.events.push(payload)
    if (session.events.length > REMEMBERED) session.events.shift()
    send(session.socket, payload)
  }

  function identify(socket: WebSocket, { token: given, intents, shard = [0, 1] }: Identify): void {
    const [index, count] = shard
    const isPrivileged = (intents & GatewayIntentBits.MessageContent) !== 0 && !(flags & MAY_READ)
    const refusal = refusals.shift() ?? (given !== token ? 4004 : isPrivileged ? 4014 : count < required ? 4011 : undefined)
    if (refusal !== undefined) {
      if (refusal === 'invalid') send(socket, invalid(false))
      else socket.close(refusal)
      return
    }
    const bucket = index % (maxConcurrency ?? count)
    if (maxConcurrency !== undefined && Date.now() - (identified.get(bucket) ?? 0) < IDENTIFY_MS) {
      send(socket, invalid(false))
      return
    }
    identified.set(bucket, Date.now())
    const session: Session = { id: world.snowflake(), shard: index, shards: count, intents, seq: 0, events: [], socket }
    sessions.set(session.id, session)
    const own = [...world.guilds.values()].filter(({ id }) => shardOf(id, count) === index)
    const ready = {
      v: 10,
      user: { ...world.bot, mfa_enabled: false, verified: true, flags: 0, email: null },
      guilds: own.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: url(),
      shard: [index, count],
      application: { id: world.bot.id, flags: 0 },
    } as unknown as GatewayReadyDispatchData
    emit(session, GatewayDispatchEvents.Ready, ready)
    for (const guild of own) {
      const { voice_states, ...data } = guildData(guild, world)
      const hearsVoice = (intents & GatewayIntentBits.GuildVoiceStates) !== 0
      emit(session, GatewayDispatchEvents.GuildCreate, { ...data, voice_states: hearsVoice ? voice_states : [] })
    }
  }

  function resume(socket: WebSocket, { session_id, seq }: { session_id: string; seq: number }): void {
    const session = sessions.get(session_id)
    if (!session || session.seq - seq > REMEMBERED) {
      send(socket, invalid(false))
      return
    }
    session.socket = socket
    for (const missed of session.events) if (missed.s > seq) send(socket, missed)
    emit(session, GatewayDispatchEvents.Resumed, {})
  }

  function hear(socket: WebSocket, { op, d }: GatewaySendPayload): void {
    calls.push({
      method: NAMES.get(op) ?? `OP ${op}`,
      path: '/gateway',
      query: new URLSearchParams(),
      body: d,
      at: new Date(),
      status: 200,
    })
    if (op === GatewayOpcodes.Heartbeat && !deaf.has(socket)) {
      expectHeartbeat(socket)
      send(socket, { op: GatewayOpcodes.HeartbeatAck })
    }
    if (op === GatewayOpcodes.VoiceStateUpdate) moveBot(d.guild_id, d.channel_id)
    if (op === GatewayOpcodes.Identify) identify(socket, d)
    if (op === GatewayOpcodes.Resume) resume(socket, d)
  }

  /** Waits for the next heartbeat. */
  function expectHeartbeat(socket: WebSocket): void {
    clearTimeout(overdue.get(socket))
    overdue.set(
      socket,
      setTimeout(() => socket.close(4009), 2 * heartbeatMs),
    )
  }

  function cut(session: Session, how: Cut): void {
    const { socket } = session
    if (!socket) return
    if (how === 'deaf') return void deaf.add(socket)
    // Discord sends nothing on a closing connection. Later events count as missed.
    session.socket = undefined
    if (how === 'socket') socket.terminate()
    else if (how === 'silent') socket.pause()
    else if (how === 'reconnect') send(socket, { op: GatewayOpcodes.Reconnect, d: null })
    else if (typeof how === 'number') socket.close(how)
    else {
      if (how === 'invalid') sessions.delete(session.id)
      send(socket, invalid(how === 'invalid, resumable'))
    }
  }

  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, opened => {
        opened.on('message', data => hear(opened, JSON.parse(String(data)) as GatewaySendPayload))
        opened.on('close', () => {
          clearTimeout(overdue.get(opened))
          overdue.delete(opened)
          for (const session of sessions.values()) if (session.socket === opened) session.socket = undefined
        })
        expectHeartbeat(opened)
        send(opened, { op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs } })
      })
    },

    dispatch(event, data, guild) {
      for (const session of sessions.values()) {
        const wanted = intentFor(event, guild)
        if (wanted !== undefined && !(session.intents & wanted)) continue
        if ((guild === undefined ? 0 : shardOf(guild, session.shards)) === session.shard) {
          const isRead = hasContent() && (session.intents & GatewayIntentBits.MessageContent) !== 0
          emit(session, event, isRead ? data : withoutContent(data, guild, world.bot.id))
        }
      }
    },

    cut(how) {
      for (const session of sessions.values()) cut(session, how)
    },

    refuse: (how, times) => void refusals.push(...Array.from({ length: times }, () => how)),

    require(shards) {
      required = shards
      for (const session of sessions.values()) {
        if (session.shards >= shards) continue
        cut(session, 4011)
        sessions.delete(session.id)
      }
    },

    get online() {
      return [...sessions.values()].filter(({ socket }) => socket !== undefined).length
    },

    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** The intent that an event requires. https://discord.com/developers/docs/events/gateway#list-of-intents */
function intentFor(event: GatewayDispatchEvents, guild: string | undefined): GatewayIntentBits | undefined {
  if (event.startsWith('MESSAGE_REACTION_')) {
    return guild === undefined ? GatewayIntentBits.DirectMessageReactions : GatewayIntentBits.GuildMessageReactions
  }
  if (event.startsWith('MESSAGE_POLL_')) {
    return guild === undefined ? GatewayIntentBits.DirectMessagePolls : GatewayIntentBits.GuildMessagePolls
  }
  if (event === GatewayDispatchEvents.VoiceStateUpdate) return GatewayIntentBits.GuildVoiceStates
  if (event.startsWith('MESSAGE_'))
    return guild === undefined ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages
  return undefined
}

const invalid = (resumable: boolean): Payload => ({ op: GatewayOpcodes.InvalidSession, d: resumable })

/** https://discord.com/developers/docs/events/gateway#sharding */
function shardOf(guild: string, shards: number): number {
  return Number((BigInt(guild) >> 22n) % BigInt(shards))
}

const { GatewayMessageContent, GatewayMessageContentLimited } = ApplicationFlags
const MAY_READ = GatewayMessageContent | GatewayMessageContentLimited

/**
 * A message as a client without the intent gets it, unless it is a direct message, the bot's own, or mentions the bot.
 * https://discord.com/developers/docs/events/gateway#message-content-intent
 */
function withoutContent(data: unknown, guild: string | undefined, bot: string): unknown {
  const { author, mentions, poll: _, ...rest } = data as Partial<APIMessage>
  if (guild === undefined || !author || author.id === bot || mentions?.some(({ id }) => id === bot)) return data
  return { ...rest, author, mentions, content: '', embeds: [], attachments: [], components: [] }
}
