/** The Slack platform: events and calls of the bot. */
import { type App as BoltApp, type Receiver, SocketModeReceiver, type webApi } from '@slack/bolt'
import {
  type Conversation,
  KikimimiError,
  type Person,
  type Platform,
  type PlatformContext,
  type PlatformHooks,
  sleep,
} from 'kikimimi'
import { listenToCommands } from './commands/commands.ts'
import { createBoltApp, type Source } from './connection/bolt-app.ts'
import { type Connection, connect } from './connection/connection.ts'
import { eventsOverHttp } from './connection/events-over-http.ts'
import { listenToChannels } from './events/channel-changes.ts'
import { listen } from './events/listener.ts'
import { goesOn } from './messages/threads.ts'
import { whoAmI } from './web-api/account.ts'
import { clientOptions, createCalls, quietLogger } from './web-api/calls.ts'
import { checkScopes } from './web-api/scopes.ts'
import { createWorkspace, type Workspace } from './workspaces/workspace.ts'

export interface SlackOptions {
  readonly botToken: string
  /** Either `appToken` or `signingSecret`. */
  readonly appToken?: string | undefined
  readonly signingSecret?: string | undefined
  readonly apiUrl: string
  /** Time limit of one call, in milliseconds. */
  readonly timeout: number
}

export type SlackApp = Pick<
  PlatformContext,
  | ('clock' | 'db' | 'random' | 'log' | 'locale' | 'scope' | 'trackPosition' | 'fail')
  | ('receive' | 'command' | 'handleStopCommand' | 'edit' | 'describe' | 'remove' | 'reaction' | 'history')
>

const NOT_STARTED: Person = { id: '', name: '', bot: true }

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

  const served = new Map<string, Workspace>()
  let isUp = false
  let connection: Connection | undefined
  const lost = (error: Error) => {
    // During the start, the start itself fails.
    if (isUp) ctx.fail(error)
  }
  const endThinking = () => Promise.all(Array.from(served.values(), ({ thinking }) => thinking.end()))
  scope.defer(() => Promise.race([endThinking(), sleep(clock, FAREWELL_MS, stopped.signal).catch(() => [])]).then(() => {}))
  let closing: AbortSignal = stopped.signal

  /** Throws if the bot does not serve the workspace. */
  function servedIn({ workspace: team }: Pick<Conversation, 'workspace'>): Workspace {
    const found = served.get(team)
    if (found) return found
    throw new KikimimiError('PLATFORM_REFUSED', `The bot has no token of the Slack workspace ${team}.`)
  }

  const socket = appToken === undefined ? undefined : socketReceiver(appToken, { ...webOptions }, ctx)
  const idle: Receiver = { init() {}, start: async () => {}, stop: async () => {} }
  const find = async ({ team }: Source) => served.get(team)
  const bolt = createBoltApp({ receiver: socket ?? idle, find, log, clientOptions: { ...webOptions } })
  const commands = listenToCommands(bolt, ctx)
  listen(bolt, ctx)
  listenToChannels(bolt)

  /** Serves the workspace of a token. Throws PLATFORM_START_FAILED with the remedy. */
  async function serve(token: string): Promise<void> {
    const calls = createCalls({ token, clientOptions: { ...webOptions }, clock, random, lost })
    const account = await whoAmI(calls, { apiUrl, signal: closing })
    checkScopes(account.scopes, log)
    const workspace = createWorkspace({
      ...{ ctx, apiUrl, account, calls, closing },
      answerCommand: commands.answer,
      stopped: stopped.signal,
    })
    served.set(account.team, workspace)
    first ??= account.me
  }
  let first: Person | undefined

  /** Runs work in the background until the bot stops. */
  function inBackground(work: () => Promise<void>): void {
    void work().catch((error: unknown) => {
      if (!closing.aborted) log.warn('could not read missed messages', { error })
    })
  }

  const platform: Platform = {
    name: 'slack',
    get me() {
      return first ?? NOT_STARTED
    },
    meIn: async conversation => servedIn(conversation).account.me,
    // Slack splits texts of more than 4,000 characters. The difference is for escape sequences.
    limits: { textLength: 3_800 },

    async start(signal) {
      closing = signal
      await serve(botToken)
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
            for (const { channels } of served.values()) channels.forget()
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
      log.info('connected to Slack', { teams: [...served.keys()], by: socket ? 'socket' : 'http' })
    },

    unready: () => connection?.unready(),
    send: async (conversation, ...rest) => servedIn(conversation).platform.send(conversation, ...rest),
    find: async (conversation, ...rest) => servedIn(conversation).platform.find(conversation, ...rest),
    react: async (conversation, ...rest) => servedIn(conversation).platform.react(conversation, ...rest),
    typing: async (conversation, ...rest) => servedIn(conversation).platform.typing(conversation, ...rest),
    history: async (conversation, ...rest) => servedIn(conversation).platform.history(conversation, ...rest),
    message: async (conversation, ...rest) => servedIn(conversation).platform.message(conversation, ...rest),
    fetchAttachment: async (attachment, signal, conversation) =>
      servedIn(conversation).platform.fetchAttachment(attachment, signal, conversation),

    async channels(signal) {
      const found = await Promise.all(Array.from(served.values(), ({ platform }) => platform.channels(signal)))
      return found.flat()
    },
  }

  const parts = { platform, address: goesOn(ctx, team => served.get(team)), after: commands.after }
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
