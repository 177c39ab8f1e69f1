/**
 * A Slack that runs in the test process: the Web API, Socket Mode, and events over HTTP, for the real clients over
 * real sockets, with a journal of every call and switches for what goes wrong.
 *
 * @example
 * await using slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
 * const plugin = slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl })
 * // … start a bot with it …
 * await slack.say({ author: 'alice', channel: 'general', text: 'are you there?', mention: true })
 * slack.posted // [{ channel: 'general', text: 'I am.', … }]
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createDelivery, type SlackEventBody } from './slack/delivery.ts'
import { createFaults, type SlackFault } from './slack/faults.ts'
import { type SignedRequest, sendSigned } from './slack/http-events.ts'
import { type SlackCall, serveWebApi } from './slack/server.ts'
import { type SocketMode, serveSocketMode } from './slack/socket-mode.ts'
import { channelType, createWebApi } from './slack/web-api.ts'
import { type ChannelKind, createWorkspace, type SlackChannel, type SlackFile, type SlackMessage } from './slack/workspace.ts'

export type { SlackCall, SlackChannel, SlackFault, SlackFile, SlackMessage }

export interface SlackOptions {
  readonly bot: { readonly id: string; readonly name: string }
  /** What the bot's token may do. Default: all that the plugin asks for. */
  readonly scopes?: readonly string[]
  /** Every answer of the Web API takes so long. Default 0. */
  readonly latencyMs?: number
}

export interface SlackSaid {
  /** A name; the user is made when there is none. */
  readonly author: string
  /** A name; made when there is none. `@alice` is the conversation of alice with the bot. */
  readonly channel: string
  /** As people type it: `<`, `>` and `&` are escaped, and `@name` and `#name` stay as they are. */
  readonly text: string
  /** The `ts` of the message that it stands under. */
  readonly thread?: string
  /** Mentions the bot. */
  readonly mention?: boolean
  /** The same again is the same message. */
  readonly ts?: string
  /** The author is another app. */
  readonly bot?: boolean
  readonly files?: readonly SlackFile[]
  /** The text is Slack's own markup, `<@U1>` and all. */
  readonly raw?: boolean
  /** Nobody is told of it: for what was said while the app was away. */
  readonly quietly?: boolean
}

/** Something the bot posted, as Slack holds it. */
export interface SlackPosted {
  readonly ts: string
  readonly channel: string
  readonly thread?: string
  readonly text: string
}

export interface Slack extends AsyncDisposable {
  readonly apiUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly signingSecret: string
  /** Every call of the Web API, oldest first. */
  readonly calls: readonly SlackCall[]
  /** Whether the app has a socket open, and how many it has opened so far. */
  readonly connected: boolean
  readonly connections: number
  /** What the bot has posted, oldest first. */
  readonly posted: readonly SlackPosted[]
  /** The bot's reactions, by Slack's names, oldest first. */
  readonly reactions: readonly string[]
  /** What the bot is seen doing in a channel, such as "is thinking…"; empty when nothing. */
  status(channel: string): string
  /** Sends events to this address from now on, signed; nothing: to the socket. */
  deliverTo(url: string | undefined): void
  /** Resolves once the app has acknowledged it, or has not within 3 s. A mention is told twice, as Slack does. */
  say(said: SlackSaid): Promise<SlackMessage>
  edit(channel: string, ts: string, text: string): Promise<void>
  delete(channel: string, ts: string): Promise<void>
  react(author: string, channel: string, ts: string, name: string): Promise<void>
  /** A slash command. Resolves with the app's answer. */
  command(author: string, channel: string, command: string, text: string): Promise<unknown>
  /** Makes a channel, or finds it. */
  channel(name: string, kind?: ChannelKind): SlackChannel
  rename(channel: string, name: string): Promise<void>
  /** The bot is invited, or thrown out. */
  join(channel: string): Promise<void>
  leave(channel: string): Promise<void>
  renameUser(name: string, to: string): Promise<void>
  /** Tells any event. */
  event(event: SlackEventBody): Promise<void>
  /** Tells the last `count` events again. Default 1. */
  redeliver(count?: number): Promise<void>
  /** A request to the app's address, with anything about it wrong that the test wants. */
  request(request: Omit<SignedRequest, 'signingSecret'>): Promise<Response>
  /** Asks the app to open a new socket. Default `refresh_requested`. */
  refresh(reason?: Parameters<SocketMode['disconnect']>[0]): void
  /** Cuts the socket without a word. */
  cut(): void
  /** The next `times` calls of a method go wrong. Default 1. */
  fail(method: string, fault: SlackFault, times?: number): void
  /** Nothing goes wrong any more. */
  heal(): void
  /** The token is worth nothing from now on. */
  revoke(token: 'bot' | 'app'): void
  close(): Promise<void>
}

const SCOPES = [
  ...['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'commands', 'files:read'],
  ...['groups:history', 'groups:read', 'im:history', 'im:read', 'mpim:history', 'mpim:read', 'reactions:write', 'users:read'],
]

export async function startSlack(options: SlackOptions): Promise<Slack> {
  const workspace = createWorkspace(options.bot)
  const { bot, team } = workspace
  const faults = createFaults()
  const calls: SlackCall[] = []
  const tokens = { bot: 'xoxb-1-offline-bot-token', app: 'xapp-1-offline-app-token' }
  const valid = new Set<string>(Object.values(tokens))
  const { scopes: botScopes = SCOPES, latencyMs = 0 } = options

  function scopes(token: string, method: string): readonly string[] | undefined {
    const forApp = method === 'apps.connections.open'
    if (!valid.has(token) || token !== (forApp ? tokens.app : tokens.bot)) return undefined
    return forApp ? ['connections:write'] : botScopes
  }

  const server = serveWebApi({ methods: () => methods, faults, calls, scopes, latencyMs })
  const socket = serveSocketMode(server, '/link/')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo

  const signingSecret = 'offline-signing-secret'
  const delivery = createDelivery({ team, bot: bot.id, signingSecret, socket: () => socket })
  const tell = (event: SlackEventBody) => delivery.event(event)
  const methods = createWebApi({
    workspace,
    origin: () => `http://127.0.0.1:${port}`,
    socketUrl: () => `ws://127.0.0.1:${port}/link/?ticket=offline`,
    // Slack answers the call and tells the app of its own message, in no fixed order.
    emit: event => void tell(event).catch(() => {}),
  })

  const about = (channel: SlackChannel) => ({ channel: channel.id, channel_type: channelType(channel) })
  const find = (channel: SlackChannel, ts: string): SlackMessage => {
    const found = channel.messages.find(message => message.ts === ts)
    if (!found) throw new Error(`There is no message ${ts} in ${channel.name}.`)
    return found
  }

  const slack: Slack = {
    apiUrl: `http://127.0.0.1:${port}/api/`,
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
      return Array.from(workspace.channels.values())
        .flatMap(channel => channel.messages.filter(({ user }) => user === bot.id).map(message => ({ channel, message })))
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
    status(name) {
      const { id } = workspace.channel(name)
      return Array.from(workspace.statuses).find(([key]) => key.startsWith(`${id}/`))?.[1] ?? ''
    },

    deliverTo(url) {
      delivery.url = url
    },

    async say({ author, channel: name, text, thread, mention = false, ts, bot: isBot = false, files, raw = false, quietly }) {
      const user = workspace.user(author, isBot)
      const channel = workspace.channel(name)
      const escaped = raw ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      const message = workspace.post(channel, {
        user: user.id,
        text: mention ? `<@${bot.id}> ${escaped}` : escaped,
        ...(files && { subtype: 'file_share', files }),
        ...(ts !== undefined && { ts }),
        ...(thread !== undefined && { thread_ts: thread }),
        ...(isBot && { bot_id: `B${user.id.slice(1)}` }),
      })
      if (quietly) return message
      const event = { ...message, team, event_ts: message.ts }
      const told = [tell({ ...event, ...about(channel) })]
      if (mention && channel.kind !== 'direct') {
        const { subtype: _, ...rest } = event
        told.push(tell({ ...rest, type: 'app_mention', channel: channel.id }))
      }
      await Promise.all(told)
      return message
    },

    async edit(name, ts, text) {
      const channel = workspace.channel(name)
      const message = find(channel, ts)
      const previous = { ...message }
      message.text = text
      message.edited = { user: message.user, ts: workspace.nextTs() }
      const changed = {
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        message: { ...message },
        previous_message: previous,
      }
      await tell({ ...changed, ...about(channel), ts: workspace.nextTs(), event_ts: workspace.nextTs() })
    },

    async delete(name, ts) {
      const channel = workspace.channel(name)
      const message = find(channel, ts)
      channel.messages.splice(channel.messages.indexOf(message), 1)
      const gone = { type: 'message', subtype: 'message_deleted', hidden: true, deleted_ts: ts, previous_message: message }
      await tell({ ...gone, ...about(channel), ts: workspace.nextTs(), event_ts: workspace.nextTs() })
    },

    async react(author, name, ts, reaction) {
      const channel = workspace.channel(name)
      const item = { type: 'message', channel: channel.id, ts }
      const { user: item_user } = find(channel, ts)
      const user = workspace.user(author).id
      await tell({ type: 'reaction_added', user, reaction, item_user, item, event_ts: workspace.nextTs() })
    },

    async command(author, name, command, text) {
      const user = workspace.user(author)
      const channel = workspace.channel(name)
      return delivery.command({
        command,
        text,
        user_id: user.id,
        user_name: user.name,
        channel_id: channel.id,
        channel_name: channel.kind === 'direct' ? 'directmessage' : channel.name,
        response_url: `http://127.0.0.1:${port}/upload/response`,
      })
    },

    channel: (name, kind) => workspace.channel(name, kind),

    async rename(name, to) {
      const channel = workspace.channel(name)
      channel.name = to
      const type = channel.kind === 'private' ? 'group_rename' : 'channel_rename'
      await tell({ type, channel: { id: channel.id, name: to, name_normalized: to }, event_ts: workspace.nextTs() })
    },

    async join(name) {
      const channel = workspace.channel(name)
      channel.isMember = true
      await tell({ type: 'member_joined_channel', user: bot.id, team, ...about(channel), event_ts: workspace.nextTs() })
    },

    async leave(name) {
      const channel = workspace.channel(name)
      channel.isMember = false
      const type = channel.kind === 'private' ? 'group_left' : 'channel_left'
      await tell({ type, channel: channel.id, actor_id: 'UADMIN', event_ts: workspace.nextTs() })
    },

    async renameUser(name, to) {
      const user = workspace.user(name)
      user.name = to
      const profile = { display_name: to, real_name: to }
      await tell({ type: 'user_change', user: { id: user.id, name: to, profile }, event_ts: workspace.nextTs() })
    },

    event: tell,
    redeliver: (count = 1) => delivery.redeliver(count),
    request: request => sendSigned({ ...request, signingSecret }),
    refresh: (reason = 'refresh_requested') => socket.disconnect(reason),
    cut: () => socket.cut(),
    fail: (method, fault, times = 1) => faults.add(method, fault, times),
    heal: () => faults.clear(),
    revoke: token => void valid.delete(tokens[token]),

    async close() {
      socket.close()
      server.closeAllConnections()
      if (server.listening) await new Promise(closed => server.close(closed))
    },
    [Symbol.asyncDispose]: () => slack.close(),
  }
  return slack
}
