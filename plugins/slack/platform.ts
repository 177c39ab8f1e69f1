/** The Slack platform: events and calls of the bot. */
import { type App as BoltApp, type Receiver, SocketModeReceiver, type webApi } from '@slack/bolt'
import { KikimimiError, type Platform, type PlatformContext, type PlatformHooks, sleep } from 'kikimimi'
import { listenToCommands } from './commands/commands.ts'
import { createBoltApp } from './connection/bolt-app.ts'
import { type Connection, connect } from './connection/connection.ts'
import { eventsOverHttp } from './connection/events-over-http.ts'
import { createChannels } from './directory/channels.ts'
import { createNames } from './directory/names.ts'
import { createInOrder } from './events/channel-queue.ts'
import { listen } from './events/listener.ts'
import { emojiName } from './messages/emoji.ts'
import { createFetchFile } from './messages/files.ts'
import { createHistory } from './messages/history.ts'
import { createIncoming, isTimestamp } from './messages/incoming.ts'
import { createPost } from './messages/post.ts'
import { createThinking } from './messages/thinking.ts'
import { goesOn } from './messages/threads.ts'
import { type Account, whoAmI } from './web-api/account.ts'
import { clientOptions, createCalls, quietLogger, refusalOf } from './web-api/calls.ts'
import { checkScopes } from './web-api/scopes.ts'

export interface SlackOptions {
  readonly botToken: string
  /** Either `appToken` or `signingSecret`. */
  readonly appToken?: string | undefined
  readonly signingSecret?: string | undefined
  readonly apiUrl: string
  /** Whether people see an answer while it is written. */
  readonly streaming: boolean
  /** Time limit of one call, in milliseconds. */
  readonly timeout: number
}

export type SlackApp = Pick<
  PlatformContext,
  | ('clock' | 'db' | 'random' | 'log' | 'locale' | 'scope' | 'trackPosition' | 'fail')
  | ('receive' | 'command' | 'handleStopCommand' | 'edit' | 'describe' | 'remove' | 'reaction' | 'history')
>

/** Time limit for calls while the bot stops. */
const FAREWELL_MS = 5_000

export function createPlatform(
  ctx: SlackApp,
  options: SlackOptions,
): Pick<PlatformHooks, 'platform' | 'routes' | 'address' | 'after'> {
  const { botToken, appToken, signingSecret, apiUrl, timeout } = options
  const { clock, random, log, scope } = ctx
  const secrets = [botToken, appToken, signingSecret].filter(secret => secret !== undefined)
  const webOptions = clientOptions(apiUrl, timeout, quietLogger(log.debug, secrets))
  const stopped = new AbortController()
  scope.defer(() => stopped.abort(new Error('The bot has stopped.')))

  let account: Account = { me: { id: '', name: '', bot: true }, botId: '', team: '', workspace: '' }
  const self = () => account
  let isUp = false
  let connection: Connection | undefined
  const lost = (error: Error) => {
    // During the start, the start itself fails.
    if (isUp) ctx.fail(error)
  }
  const calls = createCalls({ token: botToken, clientOptions: { ...webOptions }, clock, random, lost })
  const names = createNames(ctx, calls, stopped.signal)
  const thinking = createThinking({ ctx, calls, signal: stopped.signal })
  scope.defer(() => Promise.race([thinking.end(), sleep(clock, FAREWELL_MS, stopped.signal).catch(() => {})]))
  let closing: AbortSignal = stopped.signal
  const incoming = createIncoming({ names, self })
  const { history, message } = createHistory({ clock, calls, incoming, closing: () => closing })

  const socket = appToken === undefined ? undefined : socketReceiver(appToken, { ...webOptions }, ctx)
  const idle: Receiver = { init() {}, start: async () => {}, stop: async () => {} }
  const bolt = createBoltApp({ receiver: socket ?? idle, botToken, self, log, clientOptions: { ...webOptions } })
  const inOrder = createInOrder()
  const describe = async (channel: string) => ctx.describe(await incoming.conversation({}, channel))
  const channels = createChannels(bolt, { ctx, calls, names, self, describe })
  const commands = listenToCommands(bolt, { ctx, names, incoming, self, inOrder })
  listen(bolt, { ctx, names, incoming, self, inOrder, heard: thinking.heard, changed: channels.changed, describe })

  /** Runs work in the background until the bot stops. */
  function inBackground(work: () => Promise<void>): void {
    void work().catch((error: unknown) => {
      if (!closing.aborted) log.warn('could not read missed messages', { error })
    })
  }

  const platform: Platform = {
    name: 'slack',
    get me() {
      return account.me
    },
    // Slack splits texts of more than 4,000 characters. The difference is for escape sequences.
    limits: { textLength: 3_800 },

    async start(signal) {
      closing = signal
      account = await whoAmI(calls, { apiUrl, signal })
      checkScopes(account.scopes, log)
      const catchUp = await ctx.trackPosition('slack')
      if (socket) {
        connection = await connect({
          socket: socket.client,
          apiUrl,
          timeoutMs: timeout,
          ctx,
          signal,
          fail: ctx.fail,
          lost: async () => {
            channels.forget()
            const read = await ctx.trackPosition('slack')
            return () => inBackground(read)
          },
        })
        const { end } = connection
        scope.defer(end)
        signal.addEventListener('abort', () => void end(), { once: true })
      }
      isUp = true
      inBackground(catchUp)
      log.info('connected to Slack', { team: account.team, bot: account.me.id, by: socket ? 'socket' : 'http' })
    },

    unready: () => connection?.unready(),
    ...createPost({ calls, clock, commands, self }),

    async react({ channel }, message, emoji, signal) {
      const target = { channel, timestamp: message, name: emojiName(emoji) }
      try {
        await calls.call('reactions.add', client => client.reactions.add(target), { signal })
      } catch (error) {
        // An earlier attempt without a response did it.
        if (refusalOf(error) !== 'already_reacted') throw error
      }
    },

    typing: (conversation, signal) => thinking.begin(conversation, signal),
    // A command is answered at its own address.
    streams: (_, answers) => options.streaming && isTimestamp(answers),
    fetchAttachment: createFetchFile(options),
    history,
    message,
    channels: channels.list,
  }

  const parts = { platform, address: goesOn(ctx, incoming, () => account.me.id), after: commands.after }
  if (signingSecret === undefined) return parts
  return { ...parts, routes: eventsOverHttp({ ctx, signingSecret, take: (body, retry) => takeOver(bolt, body, retry) }) }
}

/** Passes an HTTP event to Bolt. Resolves with the response. */
async function takeOver(bolt: BoltApp, body: Record<string, unknown>, retry?: { num: number; reason: string }): Promise<unknown> {
  let answer: unknown
  await bolt.processEvent({
    body,
    ...(retry && { retryNum: retry.num, retryReason: retry.reason }),
    ack: async response => {
      answer = response
    },
  })
  return answer
}

function socketReceiver(appToken: string, options: webApi.WebClientOptions, { log }: SlackApp): SocketModeReceiver {
  const { logger, ...rest } = options
  return new SocketModeReceiver({
    appToken,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: rest },
    ...(logger && { logger }),
    processEventErrorHandler: async ({ error }) => {
      // The error comes from a listener of this plugin. Slack sends the event again.
      if (!(error instanceof KikimimiError && error.code === 'STOPPED')) log.warn('an event was not received', { error })
      return false
    },
  })
}
