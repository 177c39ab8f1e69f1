/**
 * A Slack server in the process of the test: the Web API, Socket Mode, and events over HTTP, for the real clients over
 * real sockets, with a journal of every call and planned faults.
 *
 * @example
 * await using slack = await startSlack()
 * const plugin = slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl })
 * // … start a bot with it …
 * await slack.say({ author: 'alice', channel: 'general', text: 'are you there?', mention: true })
 * slack.posted // [{ channel: 'general', text: 'I am.', … }]
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCommands } from './commands.ts'
import { createDelivery, type SlackOrigin } from './delivery.ts'
import { createEvents, type SlackEvent } from './events.ts'
import { createFaults, type SlackFault } from './faults.ts'
import { createFiles, loginPage } from './files.ts'
import { type SignedRequest, sendSigned } from './http-events.ts'
import { createLimits, DISTRIBUTED_PAGE } from './limits.ts'
import { createPeople, type People, type SlackSaid } from './people.ts'
import { type SlackCall, serve } from './server.ts'
import { type SocketMode, serveSocketMode } from './socket-mode.ts'
import { createSurfaces, type Surfaces } from './surfaces.ts'
import { createWebApi } from './web-api.ts'
import {
  createWorkspace,
  type SlackAttachment,
  type SlackBlock,
  type SlackChannel,
  type SlackFile,
  type SlackMessage,
} from './workspace.ts'

export type {
  SlackAttachment,
  SlackBlock,
  SlackCall,
  SlackChannel,
  SlackEvent,
  SlackFault,
  SlackFile,
  SlackMessage,
  SlackOrigin,
  SlackSaid,
}

export interface SlackOptions {
  /** Account of the bot. Default: `UKIKI`, kiki. */
  readonly bot?: { readonly id: string; readonly name: string }
  /** Scopes of the bot token. Default: all scopes that the plugin needs or uses. */
  readonly scopes?: readonly string[]
  /** Delay of every response, in milliseconds. Default 0. */
  readonly latencyMs?: number
  /** Whether the server stores message metadata. Default true. */
  readonly keepsMetadata?: boolean
  /**
   * Milliseconds after which the server delivers an event again that the app has not acknowledged, after each attempt. Default:
   * at once, after a minute, and after five minutes.
   */
  readonly retries?: readonly number[]
  /** Number of posts that the server takes at once in one channel. From then on it takes one a second. Default 10. */
  readonly burst?: number
  /**
   * As for distributed apps: one call of each method that reads history in this many seconds, with 15 messages at most. With Slack
   * it is 60. Default: no limit.
   */
  readonly historyEvery?: number
}

/** A message of the bot, as Slack stores it. */
export interface SlackPosted {
  readonly ts: string
  readonly channel: string
  readonly thread?: string
  readonly text: string
}

/** An entry of a channel, as people see it. */
export interface SlackSeen {
  readonly author: string
  readonly text: string
  /** Name of the only person who sees it. Absent: everybody in the channel. */
  readonly onlyFor?: string
}

export interface SlackEmulator extends AsyncDisposable, People, Surfaces {
  readonly apiUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly signingSecret: string
  /** Every call of the Web API, oldest first. */
  readonly calls: readonly SlackCall[]
  /** Whether the app has an open socket. */
  readonly connected: boolean
  /** Number of sockets that the app has opened so far. */
  readonly connections: number
  /** Messages that the bot has posted, oldest first. */
  readonly posted: readonly SlackPosted[]
  /** Slack's names of the bot's reactions, oldest first. */
  readonly reactions: readonly string[]
  /** Entries of a channel and its threads, oldest first: messages, slash commands, and responses to these. */
  seen(channel: string): readonly SlackSeen[]
  /** Assistant status of the bot in a channel, such as "is thinking…". Empty when there is none. */
  status(channel: string): string
  /** Delivers events as signed HTTP requests to this URL from now on. `undefined`: to the socket. */
  deliverTo(url: string | undefined): void
  /** Delivers an arbitrary event. */
  event(event: SlackEvent, from?: SlackOrigin): Promise<void>
  /** Delivers the last `count` events again. Default 1. */
  redeliver(count?: number): Promise<void>
  /** Sends a request to the app's URL, with whatever the test makes invalid in it. */
  request(request: Omit<SignedRequest, 'signingSecret'>): Promise<Response>
  /** Asks the app to open a new socket. Default reason `refresh_requested`. */
  refresh(reason?: Parameters<SocketMode['disconnect']>[0]): void
  /** Destroys the socket without a close frame. */
  cut(): void
  /** Makes the next `times` (default 1) calls fail: of a Web API method, a file's `url_private` or a command's `response_url`. */
  fail(method: string, fault: SlackFault, times?: number): void
  /** Removes all planned faults. */
  heal(): void
  /** Invalidates a token. */
  revoke(token: 'bot' | 'app'): void
  close(): Promise<void>
}

const SCOPES = [
  ...['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'commands', 'files:read'],
  ...['groups:history', 'groups:read', 'im:history', 'im:read', 'mpim:history', 'mpim:read'],
  ...['reactions:read', 'reactions:write', 'users:read'],
]

/** Starts the server on a free loopback port. `close`, or `await using`, ends it. */
export async function startSlack(options: SlackOptions = {}): Promise<SlackEmulator> {
  const { bot: given = { id: 'UKIKI', name: 'kiki' }, scopes: botScopes = SCOPES, latencyMs = 0, keepsMetadata = true } = options
  const { retries = [0, 60_000, 300_000], burst = 10, historyEvery } = options
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`

  const workspace = createWorkspace(given, `http://${host}`)
  const { bot, team, channels } = workspace
  const faults = createFaults()
  const calls: SlackCall[] = []
  const tokens = { bot: 'xoxb-1-offline-bot-token', app: 'xapp-1-offline-app-token' }
  const valid = new Set<string>(Object.values(tokens))

  function scopes(token: string, method?: string): readonly string[] | undefined {
    const forApp = method === 'apps.connections.open'
    if (!valid.has(token) || token !== (forApp ? tokens.app : tokens.bot)) return undefined
    return forApp ? ['connections:write'] : botScopes
  }

  const socket = serveSocketMode(server, '/link/')
  const signingSecret = 'offline-signing-secret'
  const delivery = createDelivery({ team, bot: bot.id, signingSecret, socket, retries })
  const events = createEvents(workspace)
  const commands = createCommands(workspace, delivery)
  const api = createWebApi({
    workspace,
    events,
    scopes,
    keepsMetadata,
    mostMessages: historyEvery === undefined ? 1_000 : DISTRIBUTED_PAGE,
    socketUrl: `ws://${host}/link/?ticket=offline`,
    // Slack responds to the call and sends the event of the message, in no fixed order.
    emit: event => void delivery.event(event).catch(() => {}),
  })
  const upload = { name: () => 'upload', answer: () => ({ status: 200, body: 'OK' }) }
  const desks = { api, upload, commands, login: loginPage, 'files-pri': createFiles({ workspace, scopes }) }
  serve(server, { desks, faults, limits: createLimits({ burst, historyEvery }), calls, latencyMs })

  const slack: SlackEmulator = {
    ...createPeople({ workspace, events, delivery, commands }),
    ...createSurfaces({ workspace, events, delivery }),
    apiUrl: `http://${host}/api/`,
    botToken: tokens.bot,
    appToken: tokens.app,
    signingSecret,
    calls,
    get connected() {
      return socket.connected
    },
    get connections() {
      return socket.opened
    },

    get posted() {
      return Array.from(channels.values())
        .flatMap(channel =>
          channel.messages
            .filter(({ user, subtype }) => user === bot.id && subtype === undefined)
            .map(message => ({ channel, message })),
        )
        .sort((one, other) => Number(one.message.ts) - Number(other.message.ts))
        .map(({ channel, message: { ts, text, thread_ts } }) => ({
          ts,
          channel: channel.name,
          ...(thread_ts !== undefined && { thread: thread_ts }),
          text,
        }))
    },
    get reactions() {
      return calls.flatMap(({ method, args }) => (method === 'reactions.add' && args.name !== undefined ? [args.name] : []))
    },
    seen(name) {
      const { messages, notes } = workspace.channel(name)
      const said = messages.map(({ ts, user, text }) => ({ ts, author: workspace.users.get(user)?.name ?? user, text }))
      return [...said, ...notes].sort((one, other) => Number(one.ts) - Number(other.ts)).map(({ ts: _, ...seen }) => seen)
    },
    status(name) {
      const { id } = workspace.channel(name)
      return Array.from(workspace.statuses).find(([key]) => key.startsWith(`${id}/`))?.[1] ?? ''
    },

    deliverTo(url) {
      delivery.url = url
    },
    event: delivery.event,
    redeliver: (count = 1) => delivery.redeliver(count),
    request: request => sendSigned({ ...request, signingSecret }),
    refresh: (reason = 'refresh_requested') => socket.disconnect(reason),
    cut: () => socket.cut(),
    fail: (method, fault, times = 1) => faults.add(method, fault, times),
    heal: () => faults.clear(),
    revoke: token => void valid.delete(tokens[token]),

    async close() {
      delivery.close()
      socket.close()
      server.closeAllConnections()
      if (server.listening) await new Promise(closed => server.close(closed))
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
  return slack
}
