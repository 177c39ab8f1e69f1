/**
 * All calls of Slack's Web API, and the meaning of their errors.
 *
 * The client's own policy would pause all calls for one rate limit, and retry a failed call for half an hour. So it tries
 * once, and each call waits by itself.
 */
import { webApi } from '@slack/bolt'
import { type Clock, KikimimiError, sleep } from 'kikimimi'
import type { Access } from './access.ts'

export interface Calls {
  /** The token of the workspace, for requests that are no call of the Web API. */
  token(): Promise<string>
  /** Throws an Error with Slack's error and the remedy. */
  call<T>(method: string, run: (client: webApi.WebClient) => Promise<T>, how: How<T>): Promise<T>
}

export interface How<T> {
  readonly signal: AbortSignal
  /** Maximum number of attempts. Default 4. With 1, a method that Slack limits now is not called. */
  readonly tries?: number
  /** The longest rate limit to wait for, in milliseconds. The error for a longer one has `retryAfterMs`. Default: no limit. */
  readonly longestWait?: number
  /**
   * For calls that must not be repeated: finds the result of an attempt without a response. Called before the next attempt.
   */
  readonly done?: (client: webApi.WebClient) => Promise<T | undefined>
}

export interface CallsOptions {
  readonly access: Access
  readonly clientOptions: webApi.WebClientOptions
  readonly clock: Clock
  readonly random: () => number
  /** Called when Slack refuses the token, and there is no newer one. */
  readonly lost: (error: KikimimiError) => void
}

/** Calls do not wait for each other. */
export function clientOptions(apiUrl: string, timeout: number, logger: Logger): webApi.WebClientOptions & { logger: Logger } {
  return { slackApiUrl: apiUrl, timeout, logger, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true }
}

type Logger = ReturnType<typeof quietLogger>

export function createCalls({ access, clientOptions, clock, random, lost }: CallsOptions): Calls {
  let last: { readonly token: string; readonly client: webApi.WebClient } | undefined

  function clientWith(token: string): webApi.WebClient {
    if (last?.token !== token) last = { token, client: new webApi.WebClient(token, clientOptions) }
    return last.client
  }

  /** Until when Slack limits each method. Posts are limited by channel, and so are others that are tried several times. */
  const limited = new Map<string, number>()

  return {
    token: access.token,

    async call(method, run, { signal, tries = 4, longestWait = Number.POSITIVE_INFINITY, done }) {
      const left = (limited.get(method) ?? 0) - clock.now()
      if (tries === 1 && left > 0) throw limitedFor(method, left)
      let isRenewed = false
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        const token = await access.token()
        const client = clientWith(token)
        try {
          return await run(client)
        } catch (error) {
          if (isLost(error)) {
            const newer = isRenewed ? undefined : await access.renewed(token)
            isRenewed = true
            if (newer !== undefined) continue
            const told = tokenRefused('bot', error)
            lost(told)
            throw told
          }
          const wait = waitMs(error, attempt, random)
          if (isLimited(error)) limited.set(method, clock.now() + wait)
          const isTooLong = attempt >= tries || wait > longestWait
          if (isTooLong && (isLimited(error) || LIMITS.has(slackCode(error)))) {
            throw limitedFor(method, Math.max(wait, LIMITED))
          }
          if (!isPassing(error) || attempt >= tries) throw refused(method, error)
          // If that is unknown too, no message is better than two.
          const found = isLimited(error) ? undefined : await done?.(client).catch(() => Promise.reject(refused(method, error)))
          if (found !== undefined) return found
          await sleep(clock, wait, signal)
        }
      }
    },
  }
}

/** Errors of wrong or revoked tokens, or of deactivated users: they end the whole bot, whatever was called. */
const LOST = new Set([
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  ...['user_removed_from_team', 'team_disabled', 'team_access_not_granted', 'org_login_required'],
])

/** Errors with `ok: false` for which a retry may help. */
const PASSING = new Set([
  ...['ratelimited', 'rate_limited', 'accesslimited', 'internal_error', 'fatal_error', 'service_unavailable'],
  // During a migration of the workspace into an organization.
  ...['request_timeout', 'team_added_to_org'],
])

export function isPassingCode(code: string): boolean {
  return PASSING.has(code)
}

/** Slack's error code; undefined if the response is not from Slack. */
export function slackCode(error: unknown): string | undefined {
  if (!(error instanceof webApi.WebAPIPlatformError)) return undefined
  return /^[\w.:-]{1,80}$/.test(error.data.error) ? error.data.error : undefined
}

export function isLost(error: unknown): boolean {
  return LOST.has(slackCode(error) ?? '')
}

/** Whether a retry may help. */
export function isPassing(error: unknown): boolean {
  const code = slackCode(error)
  if (code !== undefined) return isPassingCode(code)
  return !(error instanceof webApi.WebAPIHTTPError) || error.statusCode >= 500
}

/** Other words for a rate limit. */
const LIMITS: ReadonlySet<string | undefined> = new Set(['ratelimited', 'rate_limited', 'accesslimited'])

function isLimited(error: unknown): boolean {
  // Without Retry-After the client throws a plain error that names the header.
  return error instanceof webApi.WebAPIRateLimitedError || (error instanceof Error && /retry.header/i.test(error.message))
}

const BACKOFF = 400
const LIMITED = 5_000

/**
 * The time that Slack asks for, or half a second, doubled each time. Varied, so that not all calls are repeated at once.
 */
export function waitMs(error: unknown, attempt: number, random: () => number): number {
  if (error instanceof webApi.WebAPIRateLimitedError) return error.retryAfter * 1_000
  const base = isLimited(error) ? LIMITED : Math.min(BACKOFF * 2 ** (attempt - 1), 30_000)
  return Math.round(base * (0.75 + 0.5 * random()))
}

/** The reason of a failed call, for logs and traces: without tokens, addresses or responses. */
export function whyOf(error: unknown): string {
  // First, because its cause has a code that means nothing to people: 23 for a timeout.
  if (error instanceof webApi.WebAPIRequestError) return 'no answer'
  const code = slackCode(error) ?? refusalOf(error)
  if (code !== undefined) return code
  if (error instanceof webApi.WebAPIRateLimitedError) return `rate limited for ${error.retryAfter} s`
  if (isLimited(error)) return 'rate limited'
  if (error instanceof webApi.WebAPIHTTPError) return `HTTP ${error.statusCode}`
  if (error instanceof webApi.WebAPIPlatformError) return 'an answer that is not Slack’s'
  return error instanceof Error ? error.name : 'unknown'
}

const REMEDIES: Readonly<Record<string, string>> = {
  not_in_channel: 'Invite the bot to the channel: /invite @bot.',
  channel_not_found: 'The channel is gone, or the bot is not in it.',
  is_archived: 'The channel is archived.',
  msg_too_long: 'The message is longer than Slack takes.',
  missing_scope: 'Add the scope at https://api.slack.com/apps → your app → OAuth & Permissions, and install the app again.',
  restricted_action: 'An admin has limited who may post there.',
}

function refused(method: string, error: unknown): Error {
  const code = slackCode(error)
  const remedy = REMEDIES[code ?? '']
  // After a failure that may pass, whether Slack did it is unknown.
  const kind = isPassing(error) ? 'PLATFORM_UNAVAILABLE' : 'PLATFORM_REFUSED'
  return new KikimimiError(kind, `Slack refused ${method}: ${whyOf(error)}.${remedy ? ` ${remedy}` : ''}`, {
    cause: code === undefined ? undefined : { code },
  })
}

function limitedFor(method: string, ms: number): Error {
  const seconds = Math.ceil(ms / 1_000)
  return new KikimimiError('PLATFORM_REFUSED', `Slack refused ${method}: rate limited. It takes the next call in ${seconds} s.`, {
    cause: { code: 'ratelimited', retryAfterMs: ms },
  })
}

/** Slack's code of an error that {@link Calls.call} threw. */
export function refusalOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined
}

const APP = 'https://api.slack.com/apps → your app'

export function tokenRefused(token: 'bot' | 'app', error: unknown): KikimimiError {
  return new KikimimiError(
    'PLATFORM_START_FAILED',
    token === 'bot'
      ? `[slack] Slack refuses the bot token (${whyOf(error)}). Copy the Bot User OAuth Token (xoxb-…) from ${APP} → OAuth & Permissions, and set SLACK_BOT_TOKEN, or botToken in bot.config.ts.`
      : `[slack] Slack refuses the app token (${whyOf(error)}). Make one with the scope connections:write at ${APP} → Basic Information → App-Level Tokens, switch on Socket Mode, and set SLACK_APP_TOKEN, or appToken in bot.config.ts.`,
    { cause: { code: slackCode(error) ?? refusalOf(error) } },
  )
}

/** An error of the connection, with a token that may be right. */
export function connectionRefused(error: unknown): KikimimiError {
  return new KikimimiError(
    'PLATFORM_START_FAILED',
    `[slack] Slack refuses to open a connection (${whyOf(error)}). Is Socket Mode switched on at ${APP} → Socket Mode? What the code means stands at https://docs.slack.dev/reference/methods/apps.connections.open.`,
  )
}

export function unreachable(apiUrl: string, why: string): KikimimiError {
  return new KikimimiError(
    'PLATFORM_START_FAILED',
    `[slack] Cannot reach Slack at ${new URL(apiUrl).origin} (${why}). Is there a way out to it, and is https://slack-status.com green?`,
  )
}

/** Tokens of installations, which are not among the secrets of bot.config.ts. */
const TOKEN = /\bxox[a-z][\w.-]*/g

/** Log lines of Bolt and its clients. Debug lines are left out, because they contain messages and tickets. */
export function quietLogger(tell: (text: string) => void, secrets: readonly string[]) {
  const told = (said: readonly unknown[]) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), said.map(String).join(' ')).replace(TOKEN, '[secret]')
  const debug = (...said: unknown[]) => tell(told(said))
  return {
    debug() {},
    info: debug,
    // These cases are handled and logged elsewhere.
    warn: debug,
    error: debug,
    setLevel() {},
    setName() {},
    getLevel: () => webApi.LogLevel.WARN,
  }
}
