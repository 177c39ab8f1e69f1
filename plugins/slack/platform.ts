/** The Slack platform: events and calls of the bot. */
import { type App as BoltApp, type Receiver, SocketModeReceiver, type webApi } from '@slack/bolt'
import { type Person, sleep } from 'kikimimi'
import type { Platform, PlatformContext, PlatformHooks } from 'kikimimi/platform'
import { listenToButtons } from './commands/buttons.ts'
import { listenToCommands } from './commands/commands.ts'
import { createBoltApp } from './connection/bolt-app.ts'
import { type Connection, connect } from './connection/connection.ts'
import { eventsOverHttp, isExpected } from './connection/events-over-http.ts'
import { listenToChannels } from './events/channel-changes.ts'
import { listen } from './events/listener.ts'
import { listenToRemovals } from './events/removals.ts'
import { createInstalling, type OAuthOptions } from './installations/installing.ts'
import { isTimestamp } from './messages/incoming.ts'
import { goesOn } from './messages/threads.ts'
import { listenToAssistant } from './surfaces/assistant.ts'
import { listenToHome } from './surfaces/home.ts'
import { clientOptions, quietLogger } from './web-api/calls.ts'
import { createWorkspaces } from './workspaces/workspaces.ts'

export interface SlackOptions {
  /** One for each workspace, or org-wide. */
  readonly botTokens: readonly string[]
  /** Either `appToken` or `signingSecret`. */
  readonly appToken?: string | undefined
  readonly signingSecret?: string | undefined
  /** Absent: the app is not installed by OAuth. */
  readonly oauth?: OAuthOptions | undefined
  readonly apiUrl: string
  /** Whether people see an answer while it is written. */
  readonly streaming: boolean
  /** Where answers have buttons. */
  readonly buttons: 'direct' | 'everywhere' | 'off'
  /** Time limit of one call, in milliseconds. */
  readonly timeout: number
}

export type SlackApp = Pick<
  PlatformContext,
  | 'bot'
  | ('bot' | 'clock' | 'db' | 'random' | 'log' | 'scope' | 'trackPosition' | 'fail')
  | (
      | 'use'
      | 'admit'
      | 'receive'
      | 'command'
      | 'handleStopCommand'
      | 'edit'
      | 'describe'
      | 'remove'
      | 'reaction'
      | 'refusal'
      | 'history'
    )
>

const NOT_STARTED: Person = { id: '', name: '', bot: true }

/** Time limit for calls while the bot stops. */
const FAREWELL_MS = 5_000

export function createPlatform(
  ctx: SlackApp,
  options: SlackOptions,
): Pick<PlatformHooks, 'platform' | 'routes' | 'address' | 'context' | 'after'> {
  const { botTokens, appToken, signingSecret, oauth, apiUrl, timeout, buttons } = options
  const { clock, log, scope } = ctx
  const secrets = [...botTokens, appToken, signingSecret, oauth?.clientSecret].filter(secret => secret !== undefined)
  const webOptions = () => clientOptions(apiUrl, timeout, quietLogger(log.debug, secrets))
  const stopped = new AbortController()
  scope.defer(() => stopped.abort(new Error('The bot has stopped.')))

  let connection: Connection | undefined
  let closing: AbortSignal = stopped.signal

  const socket = appToken === undefined ? undefined : socketReceiver(appToken, webOptions(), ctx)
  const idle: Receiver = { init() {}, start: async () => {}, stop: async () => {} }
  const bolt = createBoltApp({
    receiver: socket ?? idle,
    find: source => workspaces.find(source),
    ignored: team => workspaces.ignored(team),
    clientOptions: webOptions(),
  })
  const commands = listenToCommands(bolt, ctx)
  const installing = oauth && createInstalling({ ctx, oauth, apiUrl, clientOptions: webOptions() })
  const workspaces = createWorkspaces({
    ...{ ctx, apiUrl, botTokens, clientOptions: webOptions, stopped: stopped.signal },
    answerCommand: commands.answer,
    ...(oauth && installing && { installed: { ...oauth, store: installing.store } }),
  })
  listen(bolt, ctx)
  listenToButtons(bolt, ctx)
  listenToHome(bolt, ctx)
  const assistant = listenToAssistant(bolt, ctx)
  listenToChannels(bolt)
  listenToRemovals(bolt, workspaces)
  const endThinking = () => Promise.all(workspaces.all().map(({ thinking }) => thinking.end()))
  scope.defer(async () => {
    await Promise.race([endThinking(), sleep(clock, FAREWELL_MS, stopped.signal).catch(() => {})])
  })

  /** The position in each workspace. Each is read at its own speed. */
  async function trackPositions(): Promise<() => Promise<void>> {
    const [only, ...more] = workspaces.all()
    if (only && more.length === 0 && !oauth) return ctx.trackPosition('slack')
    const tracked: (() => Promise<void>)[] = []
    for (const { account } of workspaces.all()) {
      tracked.push(await ctx.trackPosition('slack', ({ workspace }) => workspace === account.team))
    }
    return async () => {
      await Promise.all(tracked.map(read => read()))
    }
  }

  /** Runs work in the background until the bot stops. */
  function inBackground(work: () => Promise<void>): void {
    void work().catch((error: unknown) => {
      if (!closing.aborted) log.warn('could not read missed messages', { error })
    })
  }

  const platform: Platform = {
    name: 'slack',
    get me() {
      return workspaces.me() ?? NOT_STARTED
    },
    meIn: async conversation => (await workspaces.in(conversation))?.account.me,
    // Slack splits texts of more than 4,000 characters. The difference is for escape sequences.
    limits: { textLength: 3_800 },

    async start(signal) {
      closing = signal
      await workspaces.start(signal)
      const catchUp = await trackPositions()
      if (socket) {
        connection = await connect({
          socket: socket.client,
          apiUrl,
          timeoutMs: timeout,
          ctx,
          signal,
          fail: ctx.fail,
          lost: async () => {
            for (const { channels } of workspaces.all()) channels.forget()
            const read = await trackPositions()
            return () => inBackground(read)
          },
        })
        const { end } = connection
        scope.defer(end)
        signal.addEventListener('abort', () => void end(), { once: true })
      }
      inBackground(catchUp)
      log.info('connected to Slack', {
        teams: workspaces.all().map(({ account }) => account.team),
        by: socket ? 'socket' : 'http',
      })
    },

    unready: () => connection?.unready() ?? workspaces.unready(),
    send: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.send(conversation, ...rest),
    find: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.find(conversation, ...rest),
    edit: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.edit(conversation, ...rest),
    delete: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.delete(conversation, ...rest),
    react: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.react(conversation, ...rest),
    typing: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.typing(conversation, ...rest),
    history: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.history(conversation, ...rest),
    message: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.message(conversation, ...rest),
    pins: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.pins(conversation, ...rest),
    fetchAttachment: async (attachment, signal, conversation) =>
      (await workspaces.of(conversation)).platform.fetchAttachment(attachment, signal, conversation),

    async channels(signal) {
      const asked = workspaces.all().map(({ platform }) => platform.channels(signal))
      const found = await Promise.allSettled(asked)
      const failed = found.find(one => one.status === 'rejected')
      // One workspace does not hide the channels of the others.
      if (failed && found.length === 1) await asked[0]
      if (failed) log.warn('could not list the channels of a workspace', { error: failed.reason })
      return found.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
    },

    direct: async (workspace, ...rest) => (await workspaces.of({ workspace })).platform.direct(workspace, ...rest),
    link: async (conversation, ...rest) => (await workspaces.of(conversation)).platform.link(conversation, ...rest),
    membership: async (conversation, person, signal) => (await workspaces.of(conversation)).members.membership(person, signal),
    showsHandles: ({ visibility }) => buttons === 'everywhere' || (buttons === 'direct' && visibility === 'direct'),
    // A command is answered at its own address.
    streams: (_, answers) => options.streaming && isTimestamp(answers),
  }

  const parts = { platform, address: goesOn(ctx, workspaces.known), after: commands.after, context: assistant.context }
  if (signingSecret === undefined && !installing) return parts
  return {
    ...parts,
    routes(server) {
      installing?.routes(server, workspaces.replaced)
      if (signingSecret === undefined) return
      const events = eventsOverHttp({ ctx, signingSecret, take: (body, retry) => takeOver(bolt, body, retry) })
      // Its parser of bodies is for its own routes.
      void server.register(async inner => events(inner))
    },
  }
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
      if (!isExpected(error)) log.warn('an event was not received', { error })
      return false
    },
  })
}
