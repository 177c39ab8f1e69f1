/** Slack as a platform: what the bot hears there, and what it says. */
import { type App as BoltApp, type Receiver, SocketModeReceiver, type webApi } from '@slack/bolt'
import { type App, type Conversation, KikimimiError, type Outgoing, type Platform, type PluginParts, sleep } from 'kikimimi'
import { createBoltApp } from './bolt-app.ts'
import { type Calls, clientOptions, createCalls, quietLogger, refusalOf, tokenRefused, unreachable } from './calls.ts'
import { connect } from './connection.ts'
import { emojiName } from './emoji.ts'
import { eventsOverHttp } from './events-over-http.ts'
import { createHistory } from './history.ts'
import type { Self } from './incoming.ts'
import { listen } from './listen.ts'
import { toMrkdwn } from './mrkdwn.ts'
import { createNames } from './names.ts'
import { checkScopes } from './scopes.ts'
import { createThinking } from './thinking.ts'

export interface SlackOptions {
  readonly botToken: string
  /** One of the two. */
  readonly appToken?: string | undefined
  readonly signingSecret?: string | undefined
  readonly apiUrl: string
  /** Milliseconds for one call. */
  readonly timeout: number
}

export type SlackApp = Pick<
  App,
  'clock' | 'random' | 'log' | 'locale' | 'scope' | 'receive' | 'edit' | 'remove' | 'bookmark' | 'fail'
>

/** How long the last words to Slack may take when the bot stops. */
const FAREWELL_MS = 5_000

export function createPlatform(app: SlackApp, options: SlackOptions): Pick<PluginParts, 'platform' | 'routes'> {
  const { botToken, appToken, signingSecret, apiUrl, timeout } = options
  const { clock, random, log, scope } = app
  const logger = quietLogger(
    app,
    [botToken, appToken, signingSecret].filter(secret => secret !== undefined),
  )
  const webOptions = clientOptions(apiUrl, timeout, logger)
  const stopped = new AbortController()
  scope.defer(() => stopped.abort(new Error('The bot has stopped.')))

  let self: Self = { me: { id: '', name: '', bot: true }, botId: '', team: '' }
  let isUp = false
  const lost = (error: Error) => {
    // Until then the start itself fails.
    if (isUp) app.fail(error)
  }
  const calls = createCalls({ token: botToken, clientOptions: { ...webOptions }, clock, random, lost })
  const names = createNames(app, calls, stopped.signal)
  const thinking = createThinking({ app, calls, signal: stopped.signal })
  scope.defer(() => Promise.race([thinking.ended(), sleep(clock, FAREWELL_MS, stopped.signal).catch(() => {})]))
  let closing: AbortSignal = stopped.signal
  const history = createHistory({ calls, names, self: () => self, closing: () => closing })

  const socket = appToken === undefined ? undefined : socketReceiver(appToken, { ...webOptions, logger }, app)
  const idle: Receiver = { init() {}, start: async () => {}, stop: async () => {} }
  const bolt = createBoltApp({ receiver: socket ?? idle, botToken, self: () => self, clientOptions: { ...webOptions } })
  listen(bolt, { app, names, self: () => self, heard: thinking.heard })

  /** What runs beside the bot's own work, until the bot stops. */
  function inBackground(work: () => Promise<void>): void {
    void work().catch((error: unknown) => {
      if (!closing.aborted) log.warn('could not read what was missed', { error })
    })
  }

  const platform: Platform = {
    name: 'slack',
    get me() {
      return self.me
    },
    // Slack cuts texts of more than 4,000 characters into several; some are for what escaping adds.
    limits: { textLength: 3_800 },

    async start(signal) {
      closing = signal
      self = await whoAmI(calls, { apiUrl, signal, log })
      const catchUp = await app.bookmark('slack')
      if (socket) {
        const disconnect = await connect({
          socket: socket.client,
          apiUrl,
          timeoutMs: timeout,
          app,
          signal,
          fail: app.fail,
          lost: async () => {
            const read = await app.bookmark('slack')
            return () => inBackground(read)
          },
        })
        scope.defer(disconnect)
        signal.addEventListener('abort', () => void disconnect(), { once: true })
      }
      isUp = true
      inBackground(catchUp)
      log.info('connected to Slack', { team: self.team, bot: self.me.id, by: socket ? 'socket' : 'http' })
    },

    async send(conversation, message, signal) {
      return { id: await post(calls, conversation, message, signal) }
    },

    async react({ channel }, message, emoji, signal) {
      const target = { channel, timestamp: message, name: emojiName(emoji) }
      try {
        await calls.call('reactions.add', client => client.reactions.add(target), { signal })
      } catch (error) {
        // An attempt without an answer did it.
        if (refusalOf(error) !== 'already_reacted') throw error
      }
    },

    typing: (conversation, signal) => thinking.begin(conversation, signal),
    history,
  }

  if (signingSecret === undefined) return { platform }
  return { platform, routes: eventsOverHttp({ app, signingSecret, take: (body, retry) => takeOver(bolt, body, retry) }) }
}

/** Hands Bolt an event that came over HTTP; resolves with the answer. */
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
      // Every word of it is ours: what a listener threw. Slack sends the event again.
      if (!(error instanceof KikimimiError && error.code === 'STOPPED')) log.warn('an event was not taken in', { error })
      return false
    },
  })
}

async function whoAmI(
  { call }: Calls,
  { apiUrl, signal, log }: { apiUrl: string; signal: AbortSignal; log: App['log'] },
): Promise<Self> {
  try {
    const told = await call('auth.test', client => client.auth.test(), { signal, tries: 3 })
    checkScopes(told.response_metadata?.scopes, log)
    return {
      me: { id: told.user_id ?? '', name: told.user ?? '', bot: true },
      botId: told.bot_id ?? '',
      team: told.team_id ?? '',
    }
  } catch (error) {
    if (error instanceof KikimimiError) throw error
    signal.throwIfAborted()
    const code = refusalOf(error)
    throw code === undefined || PASSING_AT_START.test(code) ? unreachable(apiUrl, why(error)) : tokenRefused('bot', error)
  }
}

const PASSING_AT_START = /limited|internal|fatal|unavailable|timeout/
const why = (error: unknown) =>
  error instanceof Error ? error.message.replace(/^Slack refused auth\.test: |\.$/g, '') : 'unknown'

/** Posts once, also when an attempt gets no answer. */
async function post(calls: Calls, conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<string> {
  const { channel, thread } = conversation
  const under = thread ?? (isTimestamp(message.replyTo) ? message.replyTo : undefined)
  const text = toMrkdwn(message.text)
  const from = { event_type: NONCE, event_payload: { nonce: message.nonce } }

  const posted = await calls.call<{ ts?: string }>(
    'chat.postMessage',
    client =>
      client.chat.postMessage({ channel, text, mrkdwn: true, metadata: from, ...(under !== undefined && { thread_ts: under }) }),
    {
      signal,
      async done(client) {
        const latest = { channel, limit: 20, include_all_metadata: true }
        const { messages = [] } = await (under === undefined
          ? client.conversations.history(latest)
          : client.conversations.replies({ ...latest, ts: under, limit: 200 }))
        return messages.find(({ metadata }) => nonceOf(metadata) === message.nonce)
      },
    },
  )
  return posted.ts ?? ''
}

/** Names the bot's messages, so that one that was sent without an answer is found again. */
const NONCE = 'kikimimi_message'

function nonceOf(metadata: unknown): unknown {
  const payload =
    typeof metadata === 'object' && metadata !== null && 'event_payload' in metadata ? metadata.event_payload : undefined
  return typeof payload === 'object' && payload !== null && 'nonce' in payload ? payload.nonce : undefined
}

function isTimestamp(id: string | undefined): id is string {
  return id !== undefined && /^\d+\.\d+$/.test(id)
}
