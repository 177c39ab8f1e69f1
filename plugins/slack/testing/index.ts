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
import { createDeliveries, type SlackOrigin } from './delivery.ts'
import type { SlackEvent } from './events.ts'
import { createFaults, type SlackFault } from './faults.ts'
import { createFiles, loginPage } from './files.ts'
import { type SignedRequest, sendSigned } from './http-events.ts'
import { createLimits, DISTRIBUTED_PAGE } from './limits.ts'
import { SlackRefusal } from './methods.ts'
import type { SlackSaid } from './people.ts'
import { type Desk, type SlackCall, serve } from './server.ts'
import { type SocketMode, serveSocketMode } from './socket-mode.ts'
import { createOAuth } from './teams/oauth.ts'
import type { SlackPosted, SlackSeen, SlackTeam } from './teams/team.ts'
import { createTeams, type SlackTeamOptions } from './teams/teams.ts'
import { createTokens } from './teams/tokens.ts'
import { createWebApi } from './web-api.ts'
import type { SlackAttachment, SlackBlock, SlackChannel, SlackFile, SlackMessage, SlackOrg } from './workspace.ts'

export type {
  SlackAttachment,
  SlackBlock,
  SlackCall,
  SlackChannel,
  SlackEvent,
  SlackFault,
  SlackFile,
  SlackMessage,
  SlackOrg,
  SlackOrigin,
  SlackPosted,
  SlackSaid,
  SlackSeen,
  SlackTeam,
  SlackTeamOptions,
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

/** The server. Its own methods for people are those of its first workspace. */
export interface SlackEmulator extends AsyncDisposable, SlackTeam {
  readonly apiUrl: string
  readonly appToken: string
  readonly signingSecret: string
  readonly clientId: string
  readonly clientSecret: string
  /** Every call of the Web API, oldest first. */
  readonly calls: readonly SlackCall[]
  /** Whether the app has an open socket. */
  readonly connected: boolean
  /** Number of sockets that the app has opened so far. */
  readonly connections: number
  /** Another workspace by its id, made when there is none. Ids of channels and people are the same in each, as in the worst case. */
  team(id: string, options?: SlackTeamOptions): SlackTeam
  /**
   * A person opens the address to which the app links for an installation, and allows it in a workspace or an organization. Returns
   * the address to which Slack sends the browser back. `refused`: the person cancels.
   */
  allow(authorizeUrl: string, id: string, redirectUrl: string, how?: { readonly refused?: boolean }): string
  /** A further bot token of a workspace or an organization. */
  issue(id: string): string
  /** Lifetime in seconds of tokens that are issued from now on, with token rotation. `undefined`: they do not expire. */
  rotate(seconds: number | undefined): void
  /** Delivers events as signed HTTP requests to these URLs in turn from now on. None: to the socket. */
  deliverTo(...urls: readonly (string | undefined)[]): void
  /** Delivers the last `count` events again. Default 1. */
  redeliver(count?: number): Promise<void>
  /** Sends a request to the app's URL, with whatever the test makes invalid in it. */
  request(request: Omit<SignedRequest, 'signingSecret'>): Promise<Response>
  /** Asks the app to open a new socket. Default reason `refresh_requested`. */
  refresh(reason?: Parameters<SocketMode['disconnect']>[0]): void
  /** Destroys the socket without a close frame. */
  cut(): void
  /**
   * Makes the next `times` (default 1) calls fail: of a Web API method, a file's `url_private` or a command's `response_url`.
   * `team`: only calls of this workspace.
   */
  fail(method: string, fault: SlackFault, times?: number, team?: string): void
  /** Removes all planned faults. */
  heal(): void
  /** Invalidates a token. */
  revoke(token: 'bot' | 'app'): void
  close(): Promise<void>
}

const SCOPES = [
  ...[
    'app_mentions:read',
    'assistant:write',
    'channels:history',
    'channels:read',
    'chat:write',
    'chat:write.customize',
    'commands',
  ],
  ...['files:read', 'groups:history', 'groups:read', 'im:history', 'im:read', 'im:write', 'mpim:history', 'mpim:read'],
  ...['pins:read', 'reactions:read', 'reactions:write', 'usergroups:read', 'users:read'],
]

/** Starts the server on a free loopback port. `close`, or `await using`, ends it. */
export async function startSlack(options: SlackOptions = {}): Promise<SlackEmulator> {
  const { bot = { id: 'UKIKI', name: 'kiki' }, scopes = SCOPES, latencyMs = 0, keepsMetadata = true } = options
  const { retries = [0, 60_000, 300_000], burst = 10, historyEvery } = options
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`

  const origin = `http://${host}`
  const faults = createFaults()
  const calls: SlackCall[] = []
  const tokens = createTokens()
  const appToken = 'xapp-1-offline-app-token'
  let isAppTokenValid = true
  const clientId = '1.2'
  const clientSecret = 'offline-client-secret'
  let lifetime: number | undefined

  const socket = serveSocketMode(server, '/link/')
  const signingSecret = 'offline-signing-secret'
  const deliveries = createDeliveries({ signingSecret, socket, retries })
  const mostMessages = historyEvery === undefined ? 1_000 : DISTRIBUTED_PAGE
  const teams = createTeams({
    ...{ origin, bot, scopes, tokens, deliveries, calls, keepsMetadata, mostMessages },
  })
  const { slack: main, workspace } = teams.add('TKIKIMIMI', { name: 'kikimimi' })
  const find = (id: string) => teams.installable(id)
  const oauth = createOAuth({ tokens, clientId, clientSecret, find, lifetime: () => lifetime })

  const api = createWebApi((token, method, args) => {
    const run = oauth.methods[method]
    if (run) return { run, scopes: [] }
    if (method !== 'apps.connections.open') return teams.granted(token, method, args)
    if (token !== appToken || !isAppTokenValid) throw new SlackRefusal('invalid_auth')
    return { run: () => ({ ok: true, url: `ws://${host}/link/?ticket=offline` }), scopes: ['connections:write'] }
  })
  const upload = { name: () => 'upload', answer: () => ({ status: 200, body: 'OK' }) }
  const files = createFiles({ find: id => teams.get(id)?.workspace, mayRead: teams.mayRead })
  const commands: Desk = {
    name: () => 'response_url',
    answer: request => teams.get(request.path.replace(/-.*/, ''))?.commands.answer(request) ?? { status: 404 },
  }
  const desks = { api, upload, commands, login: loginPage, 'files-pri': files }
  const limits = createLimits({ burst, historyEvery })
  serve(server, { desks, faults, limits, calls, latencyMs, ownerOf: tokens.ownerOf })

  const slack: SlackEmulator = {
    ...main,
    get botToken() {
      return main.botToken
    },
    get posted() {
      return main.posted
    },
    get reactions() {
      return main.reactions
    },
    apiUrl: `http://${host}/api/`,
    ...{ appToken, signingSecret, clientId, clientSecret, calls },
    get connected() {
      return socket.connected
    },
    get connections() {
      return socket.opened
    },

    team: (id, options = {}) => (teams.get(id) ?? teams.add(id, options)).slack,
    allow(authorizeUrl, id, redirectUrl, { refused = false } = {}) {
      const { searchParams } = new URL(authorizeUrl)
      const back = new URL(redirectUrl)
      back.searchParams.set('state', searchParams.get('state') ?? '')
      if (refused) back.searchParams.set('error', 'access_denied')
      else back.searchParams.set('code', oauth.allow(id, (searchParams.get('scope') ?? '').split(',')))
      return back.href
    },
    issue: id => tokens.issue(id, scopes, lifetime).token,
    rotate(seconds) {
      lifetime = seconds
    },
    deliverTo(...urls) {
      deliveries.urls = urls.filter(url => url !== undefined)
    },
    redeliver: (count = 1) => deliveries.redeliver(count),
    request: request => sendSigned({ ...request, signingSecret }),
    refresh: (reason = 'refresh_requested') => socket.disconnect(reason),
    cut: () => socket.cut(),
    fail: (method, fault, times, team) => faults.add(method, fault, times ?? 1, team),
    heal: () => faults.clear(),
    revoke(token) {
      if (token === 'app') isAppTokenValid = false
      else tokens.refuse(workspace.team, 'invalid_auth')
    },

    async close() {
      deliveries.close()
      socket.close()
      server.closeAllConnections()
      if (server.listening) await new Promise(closed => server.close(closed))
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
  return slack
}
